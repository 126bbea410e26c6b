import type { Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';

/** One call of the provider: what a batch has in common, and the variables of each of its recipients. */
export type Batch = {
  key: string;
  domain: string;
  from: string;
  headers: Record<string, string>;
  /** What `v:send` is before its variables are filled in. */
  variables: Record<string, string>;
  recipients: Record<string, Record<string, string>>;
};

/** An email that the provider has taken. */
export type Accepted = {
  at: Date;
  id: string;
  process: string;
  key: string;
  domain: string;
  from: string;
  to: string;
  headers: Record<string, string>;
  variables: Record<string, string>;
};

export type Answer = { status: number; retryAfter?: number; body?: { id?: string; message?: string } };

/** No connection: nothing was sent. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
/** The connection broke before the answer: nobody knows what happened. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export const PROVIDER_FAULTS = ['429', '500', '500-accepted', 'drop', 'refuse', '401', 'no-id'] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];

type Options = {
  random: Random;
  /** What goes wrong with a call, if anything. */
  faultOf: (batch: Batch) => ProviderFault | undefined;
  /** Whether a call takes long to arrive. */
  isSlow: () => boolean;
  isKey: (key: string) => boolean;
  isBadAddress: (address: string) => boolean;
};

const LATENCY = [50, 2000] as const;
// Longer than a sender waits.
const SLOW = [10_000, 40_000] as const;

/** Mailgun, as far as the product uses it, with a ledger of what it has accepted. */
export class Provider {
  readonly ledger: Accepted[] = [];
  /** What it has taken, and then would not send. */
  readonly rejected = new Set<string>();
  /** Every call that arrived, whatever came of it, by when it began. */
  readonly posts: { at: number; process: string; batch: Batch }[] = [];
  readonly #scheduler: Scheduler;
  readonly #options: Options;
  readonly #listeners: ((email: Accepted) => void)[] = [];

  constructor(scheduler: Scheduler, options: Options) {
    this.#scheduler = scheduler;
    this.#options = options;
  }

  /** Calls with each email as it is accepted. */
  onAccepted(tell: (email: Accepted) => void): void {
    this.#listeners.push(tell);
  }

  /** Posts a batch as a process does: the answer may never come. */
  post(process: Process, batch: Batch): Promise<Answer> {
    const count = Object.keys(batch.recipients).length;
    const latency = this.#options.isSlow() ? SLOW : LATENCY;
    const at = this.#scheduler.now().getTime();
    const arrive = () => {
      this.posts.push({ at, process: process.name, batch });
      return this.#answered(process, batch);
    };
    return this.#scheduler.effect(process, `post ${count}`, arrive, latency);
  }

  #answered(process: Process, batch: Batch): Answer {
    const fault = this.#options.faultOf(batch);
    if (fault) this.#scheduler.note(`provider ${fault}`);
    switch (fault) {
      case 'refuse':
        throw new Refused('connect ECONNREFUSED');
      case '429':
        return {
          status: 429,
          retryAfter: this.#options.random.between(1, 30),
          body: { message: 'Too many' },
        };
      case '500':
        return { status: 500, body: { message: 'Internal' } };
      case '401':
        return { status: 401, body: { message: 'Forbidden' } };
      default:
        return this.#judged(process, batch, fault);
    }
  }

  #judged(process: Process, batch: Batch, fault: ProviderFault | undefined): Answer {
    const { isKey, isBadAddress } = this.#options;
    if (!isKey(batch.key)) return { status: 401, body: { message: 'Forbidden' } };
    const addresses = Object.keys(batch.recipients);
    if (addresses.length === 0 || addresses.length > 1000) {
      return { status: 400, body: { message: 'to parameter is missing' } };
    }
    const bad = addresses.find(isBadAddress);
    if (bad !== undefined) {
      return { status: 400, body: { message: `to parameter is not a valid address` } };
    }
    // What answers 200 without an id is not the API for messages, and accepts nothing.
    if (fault === 'no-id') return { status: 200, body: {} };
    const id = this.#accept(process, batch);
    if (fault === 'drop') throw new Lost('socket hang up');
    if (fault === '500-accepted') return { status: 500, body: { message: 'Internal' } };
    return { status: 200, body: { id, message: 'Queued. Thank you.' } };
  }

  #accept(process: Process, batch: Batch): string {
    const id = `<${this.posts.length}@${batch.domain}>`;
    for (const [to, variables] of Object.entries(batch.recipients)) {
      const filled = (texts: Record<string, string>) =>
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, variables)]));
      const email = {
        ...{ at: this.#scheduler.now(), id, process: process.name },
        ...{ key: batch.key, domain: batch.domain, from: batch.from, to },
        headers: filled(batch.headers),
        variables: { ...filled(batch.variables), ...variables },
      };
      this.ledger.push(email);
      for (const tell of this.#listeners) tell(email);
    }
    return id;
  }
}

/** In one pass, as Mailgun does: a value that looks like a variable stays text. */
const fill = (text: string, variables: Record<string, string>) =>
  text.replace(/%recipient\.([\w-]+)%/g, (all, name: string) => variables[name] ?? all);
