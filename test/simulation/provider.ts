import type { SendBulkEmailRequest } from '@aws-sdk/client-sesv2';
import type { ProviderName } from '#shared/providers.ts';
import type { Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';

/** One call to a provider, with its variables filled in. */
export type Message = {
  provider: ProviderName;
  /** Names organization and list. With SES it is none, and is made of what says so. */
  key: string;
  domain: string;
  from: string;
  mails: Pick<Accepted, 'to' | 'headers' | 'send' | 'content'>[];
};

/** An email that the provider has accepted. */
export type Accepted = {
  at: Date;
  /** When the call with this email began. */
  posted: number;
  process: string;
  provider: ProviderName;
  key: string;
  domain: string;
  from: string;
  to: string;
  headers: Record<string, string>;
  send: string;
  /** The markers of the content parts in the email. */
  content: Set<string>;
};

export type Answer = {
  status: number;
  retryAfter?: number;
  body?: { id?: string; message?: string };
  /** Of SES, for each entry. */
  results?: string[];
};

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
  readonly code = 'ECONNREFUSED';
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
  'parts',
] as const;
type ProviderFault = (typeof PROVIDER_FAULTS)[number];

type Options = {
  random: Random;
  /** The fault of a call, if any. */
  faultOf: (faults: readonly ProviderFault[]) => ProviderFault | undefined;
  /** Whether a call takes long to arrive. */
  isSlow: () => boolean;
  isKey: (key: string) => boolean;
  isBadAddress: (address: string) => boolean;
  /** Whether the provider rejects everything from a domain. */
  isBadDomain: (domain: string) => boolean;
  /** Whether SES takes nothing at present. */
  isClosed: () => boolean;
};

const MOST_RECIPIENTS = 1_000;
const MOST_DESTINATIONS = 50;
const CLOSED = ['ACCOUNT_DAILY_QUOTA_EXCEEDED', 'ACCOUNT_SENDING_PAUSED'];
const LATENCY = [50, 2000] as const;
// Longer than the timeout of a sender.
const SLOW = [10_000, 40_000] as const;

const MAILGUN_FAULTS = PROVIDER_FAULTS.filter(fault => fault !== 'parts');
/** What SES is asked to wait for has no Retry-After: the product decides. */
const SECONDS_OF_SES: Record<string, number> = { '401': 900, '403': 900, '404': 900, '429': 30 };
/** An entry of SES that is not sent, as a status of HTTP. */
const UNSENT: Record<string, { status: number; retryAfter: number }> = {
  ACCOUNT_THROTTLED: { status: 429, retryAfter: 30 },
  ACCOUNT_DAILY_QUOTA_EXCEEDED: { status: 429, retryAfter: 900 },
  ACCOUNT_SENDING_PAUSED: { status: 429, retryAfter: 900 },
  ACCOUNT_SUSPENDED: { status: 403, retryAfter: 900 },
};
const SUCCESS = 'SUCCESS';
const UNCLEAR = ['TRANSIENT_FAILURE', 'FAILED'];

/** Mailgun and SES, as far as the product uses them, with one ledger of the accepted emails. */
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

  /** Posts for a process. The response may never arrive. */
  post(process: Process, message: Message): Promise<Answer> {
    const latency = this.#options.isSlow() ? SLOW : LATENCY;
    const at = this.#scheduler.now().getTime();
    const faults = message.provider === 'ses' ? PROVIDER_FAULTS : MAILGUN_FAULTS;
    const arrive = (fault = this.#options.faultOf(faults)) => {
      const sends = message.mails.map(({ send }) => send);
      const post: Post = { at, process: process.name, message, sends };
      this.posts.push(post);
      post.answered = this.#scheduler.now().getTime();
      post.answer = this.#answered(post, fault);
      return post.answer;
    };
    const name = `post ${message.mails.length}`;
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
    const seconds = post.message.provider === 'ses' ? SECONDS_OF_SES[fault ?? ''] : undefined;
    if (seconds !== undefined) return { status: Number(fault), retryAfter: seconds };
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
        return post.message.provider === 'ses' ? this.#judgedEach(post, fault) : this.#judged(post, fault);
    }
  }

  /** As SES does, which answers for each email. */
  #judgedEach(post: Post, fault: ProviderFault | undefined): Answer {
    const { random, isBadAddress, isBadDomain, isClosed } = this.#options;
    const { domain, mails } = post.message;
    if (isBadDomain(domain) || mails.length > MOST_DESTINATIONS) return { status: 400 };
    const closed = isClosed() ? random.pick(CLOSED) : undefined;
    const results = mails.map(({ to }) => {
      if (isBadAddress(to)) return 'MESSAGE_REJECTED';
      if (closed) return closed;
      return fault === 'parts' ? random.pick([SUCCESS, ...UNCLEAR, ...Object.keys(UNSENT)]) : SUCCESS;
    });
    const isAccepted = (result: string | undefined) =>
      result === SUCCESS || (UNCLEAR.includes(result ?? '') && random.chance(0.5));
    const accepted = mails.filter((_, at) => isAccepted(results[at]));
    this.#accept({ ...post, message: { ...post.message, mails: accepted } });
    if (fault === 'drop') throw new Lost('socket hang up');
    if (fault === '500-accepted') return { status: 500 };
    // Whose results these are cannot be told.
    if (fault === 'no-id') return { status: 200, results: results.slice(1) };
    const unsent = results.flatMap(result => UNSENT[result] ?? []);
    const worst = unsent.toSorted((a, b) => a.status - b.status || b.retryAfter - a.retryAfter)[0];
    return { status: 200, ...worst, results };
  }

  #judged(post: Post, fault: ProviderFault | undefined): Answer {
    const { isKey, isBadAddress, isBadDomain } = this.#options;
    const { key, domain, mails } = post.message;
    if (!isKey(key)) return { status: 401, body: { message: 'Forbidden' } };
    const addresses = mails.map(({ to }) => to);
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
    const { mails, ...shared } = message;
    for (const mail of mails) {
      const email: Accepted = { at: this.#scheduler.now(), posted: at, process, ...shared, ...mail };
      this.ledger.push(email);
      for (const tell of this.#listeners) tell(email);
    }
    return `<${this.posts.length}@${message.domain}>`;
  }
}

/** Parses the form of a batch as Mailgun does. */
export function messageInForm({ key, domain }: { key: string; domain: string }, form: FormData): Message {
  const field = (name: string) => String(form.get(name) ?? '');
  const variables: Record<string, Record<string, string>> = JSON.parse(field('recipient-variables'));
  const headers = [...form.keys()].filter(name => name.startsWith('h:'));
  const texts = ['subject', 'html', 'text'].map(field).join('\n');
  const mails = [...new Set(form.getAll('to').map(String))].map(to => {
    const filled = (text: string) => fill(text, MAILGUN_VARIABLE, variables[to] ?? {});
    return {
      to,
      headers: Object.fromEntries(headers.map(name => [name.slice(2), filled(field(name))])),
      send: filled(field('v:send')),
      content: marksIn(filled(texts)),
    };
  });
  return { provider: 'mailgun', key, domain, from: field('from'), mails };
}

/** Parses a call as SES does. */
export function messageInBulk(request: SendBulkEmailRequest): Message {
  const { TemplateContent: texts = {}, Headers: shared = [] } = request.DefaultContent?.Template ?? {};
  const mails = (request.BulkEmailEntries ?? []).map(entry => {
    const { ReplacementTemplateData: data = '{}' } = entry.ReplacementEmailContent?.ReplacementTemplate ?? {};
    const headers = [...shared, ...(entry.ReplacementHeaders ?? [])];
    const text = [texts.Subject, texts.Html, texts.Text].join('\n');
    return {
      to: String(entry.Destination?.ToAddresses?.[0]),
      headers: Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value])) as Record<string, string>,
      send: String(entry.ReplacementTags?.find(({ Name }) => Name === 'send')?.Value),
      content: marksIn(fill(text, SES_VARIABLE, JSON.parse(data))),
    };
  });
  const from = String(request.FromEmailAddress);
  const [, list] = /<(\w+)\.[^<>]*>$/.exec(mails[0]?.headers['List-Id'] ?? '') ?? [];
  const key = `key-${request.TenantName}-${list}-ses`;
  return { provider: 'ses', key, domain: from.replace(/^.*@|>$/g, ''), from, mails };
}

const MAILGUN_VARIABLE = /%recipient\.([\w-]+)%/g;
const SES_VARIABLE = /\{\{([\w-]+)\}\}/g;

/** Fills in variables in one pass, as providers do: a value that looks like a variable stays text. */
const fill = (text: string, variable: RegExp, variables: Record<string, string>) =>
  text.replace(variable, (all, name: string) => variables[name] ?? all);

/** A marker by which a part of the content is found in an email. */
export const contentMark = (number: number) => `part-${number}-`;
export const marksIn = (text: string) => new Set(text.match(/part-\d+-/g));
