import type { Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';

/** One call to the provider: the common parts of its emails, and the variables of each recipient. */
export type Message = {
  key: string;
  domain: string;
  from: string;
  headers: Record<string, string>;
  /** The variables of each recipient are still to be filled in. */
  send: string;
  texts: string;
  recipients: Map<string, Record<string, string>>;
};

/** An email that the provider has accepted. */
export type Accepted = {
  at: Date;
  /** When the call with this email began. */
  posted: number;
  process: string;
  key: string;
  domain: string;
  from: string;
  to: string;
  headers: Record<string, string>;
  send: string;
  /** The markers of the content parts in the email. */
  content: Set<string>;
};

export type Answer = { status: number; retryAfter?: number; body?: { id?: string; message?: string } };

/** A call, with its response if there was one. */
export type Post = {
  /** When the call began, and when the response was sent. */
  at: number;
  answered?: number;
  process: string;
  message: Message;
  sends: string[];
  answer?: Answer;
};

/** The connection was refused: nothing was sent. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
/** The connection broke before the response: the outcome is unknown. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export const PROVIDER_FAULTS = [
  '429',
  '500',
  '500-accepted',
  'drop',
  'refuse',
  '400',
  '401',
  '403',
  '404',
  'no-id',
] as const;
type ProviderFault = (typeof PROVIDER_FAULTS)[number];

type Options = {
  random: Random;
  /** The fault of a call, if any. */
  faultOf: () => ProviderFault | undefined;
  /** Whether a call takes long to arrive. */
  isSlow: () => boolean;
  isKey: (key: string) => boolean;
  isBadAddress: (address: string) => boolean;
  /** Whether the provider rejects everything from a domain. */
  isBadDomain: (domain: string) => boolean;
};

const MOST_RECIPIENTS = 1_000;
const LATENCY = [50, 2000] as const;
// Longer than the timeout of a sender.
const SLOW = [10_000, 40_000] as const;

/** Mailgun, as far as the product uses it, with a ledger of the accepted emails. */
export class Provider {
  readonly ledger: Accepted[] = [];
  /** Emails that were accepted first and rejected later. */
  readonly rejected = new Set<string>();
  /** The responses that arrived while their process was waiting for them. */
  readonly seen = new Set<Answer>();
  /** Every call that arrived, whatever its outcome. */
  readonly posts: Post[] = [];
  readonly #scheduler: Scheduler;
  readonly #options: Options;
  readonly #listeners: ((email: Accepted) => void)[] = [];

  constructor(scheduler: Scheduler, options: Options) {
    this.#scheduler = scheduler;
    this.#options = options;
  }

  /** Adds a listener for each accepted email. */
  onAccepted(tell: (email: Accepted) => void): void {
    this.#listeners.push(tell);
  }

  /** Posts a form for a process. The response may never arrive. */
  post(process: Process, access: { key: string; domain: string }, form: FormData): Promise<Answer> {
    const latency = this.#options.isSlow() ? SLOW : LATENCY;
    const at = this.#scheduler.now().getTime();
    const message = messageIn(access, form);
    const arrive = (fault = this.#options.faultOf()) => {
      const sends = [...message.recipients.values()].map(variables => fill(message.send, variables));
      const post: Post = { at, process: process.name, message, sends };
      this.posts.push(post);
      post.answered = this.#scheduler.now().getTime();
      post.answer = this.#answered(post, fault);
      return post.answer;
    };
    const name = `post ${message.recipients.size}`;
    return this.#scheduler.effect(
      process,
      name,
      () => arrive(),
      latency,
      () => arrive('429'),
    );
  }

  #answered(post: Post, fault: ProviderFault | undefined): Answer {
    const { random } = this.#options;
    if (fault) this.#scheduler.note(`provider ${fault}`);
    switch (fault) {
      case 'refuse':
        throw new Refused('connect ECONNREFUSED');
      case '429':
        return {
          status: 429,
          retryAfter: random.pick([random.between(1, 30), random.between(60, 1800)]),
          body: { message: 'Too many' },
        };
      case '400':
      case '401':
      case '403':
      case '404':
      case '500':
        return { status: Number(fault), body: { message: 'No' } };
      default:
        return this.#judged(post, fault);
    }
  }

  #judged(post: Post, fault: ProviderFault | undefined): Answer {
    const { isKey, isBadAddress, isBadDomain } = this.#options;
    const { key, domain, recipients } = post.message;
    if (!isKey(key)) return { status: 401, body: { message: 'Forbidden' } };
    const addresses = [...recipients.keys()];
    if (isBadDomain(domain) || addresses.length > MOST_RECIPIENTS || addresses.some(isBadAddress)) {
      return { status: 400, body: { message: 'to parameter is not a valid address' } };
    }
    // A server that responds with 200 but without an id is not the messages API, and accepts nothing.
    if (fault === 'no-id') return { status: 200, body: {} };
    const id = this.#accept(post);
    if (fault === 'drop') throw new Lost('socket hang up');
    if (fault === '500-accepted') return { status: 500, body: { message: 'Internal' } };
    return { status: 200, body: { id, message: 'Queued. Thank you.' } };
  }

  #accept({ at, process, message }: Post): string {
    const { key, domain, from, headers, send, texts, recipients } = message;
    for (const [to, variables] of recipients) {
      const filled = Object.entries(headers).map(([name, text]) => [name, fill(text, variables)]);
      const email: Accepted = {
        at: this.#scheduler.now(),
        posted: at,
        process,
        key,
        domain,
        from,
        to,
        headers: Object.fromEntries(filled),
        send: fill(send, variables),
        content: marksIn(fill(texts, variables)),
      };
      this.ledger.push(email);
      for (const tell of this.#listeners) tell(email);
    }
    return `<${this.posts.length}@${domain}>`;
  }
}

/** Parses the form of a batch as Mailgun does. */
function messageIn({ key, domain }: { key: string; domain: string }, form: FormData): Message {
  const field = (name: string) => String(form.get(name) ?? '');
  const variables: Record<string, Record<string, string>> = JSON.parse(field('recipient-variables'));
  const headers = [...form.keys()].filter(name => name.startsWith('h:'));
  return {
    key,
    domain,
    from: field('from'),
    send: field('v:send'),
    headers: Object.fromEntries(headers.map(name => [name.slice(2), field(name)])),
    texts: ['subject', 'html', 'text'].map(field).join('\n'),
    recipients: new Map(form.getAll('to').map(to => [String(to), variables[String(to)] ?? {}])),
  };
}

/** Fills in variables in one pass, as Mailgun does: a value that looks like a variable stays text. */
const fill = (text: string, variables: Record<string, string>) =>
  text.replace(/%recipient\.([\w-]+)%/g, (all, name: string) => variables[name] ?? all);

/** A marker by which a part of the content is found in an email. */
export const contentMark = (number: number) => `part-${number}-`;
export const marksIn = (text: string) => new Set(text.match(/part-\d+-/g));
