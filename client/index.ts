import { OPERATIONS, type Operations } from './operations.ts';

export type { Operations } from './operations.ts';

export type ClientOptions = {
  /** An API token, which begins with lf_. */
  token: string;
  /** The address of the product, such as https://letterflow.example.com. */
  url: string;
  /** The organization that the calls are about; without it, the default organization of the token's owner. */
  organization?: number;
  /** How often a call is made again that was refused for now, or that got no answer; 2 by default. */
  retries?: number;
  fetch?: (address: URL, init: RequestInit) => Promise<Response>;
};

/** A refusal, or a failure: with the status, and with the texts of each field that was refused. */
export class LetterflowError extends Error {
  override readonly name = 'LetterflowError';
  readonly status: number;
  readonly errors: Record<string, string[]>;

  constructor(status: number, message: string, errors: Record<string, string[]> = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

type Options = {
  /** Names the call, so that it is done once however often it is made. Every call that writes has one of its own. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** What a call takes can be omitted if it requires nothing. */
type Call<Input, Answer> =
  Record<never, never> extends Input
    ? (input?: Input & Options) => Promise<Answer>
    : (input: Input & Options) => Promise<Answer>;

export type Client = { [Id in keyof Operations]: Call<Operations[Id]['input'], Operations[Id]['answer']> };

type Input = Options & { body?: unknown } & Record<string, unknown>;

const LONGEST_WAIT_SECONDS = 60;

/** A client with one method for each call of the API. */
export function createClient({
  token,
  url,
  organization,
  retries = 2,
  fetch = globalThis.fetch,
}: ClientOptions): Client {
  async function call(route: string, { body, idempotencyKey, signal, ...params }: Input): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ');
    const query = new URLSearchParams();
    const inPath: string[] = path.match(/(?<={)\w+/g) ?? [];
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && !inPath.includes(name)) query.append(name, String(value));
    }
    const filled = path.replace(/{(\w+)}/g, (_, name) => {
      const id = String(params[name] ?? '');
      // The address would be that of another call.
      if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id`);
      return encodeURIComponent(id);
    });
    const address = new URL(query.size > 0 ? `${filled}?${query}` : filled, url);
    const init: RequestInit = {
      method,
      // Another address must not get what is sent.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${token}`,
        ...(organization !== undefined && { 'x-active-organization': String(organization) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    for (let left = retries; ; left--) {
      const response = await fetch(address, init).catch(error => {
        if (left === 0 || signal?.aborted) throw error;
      });
      if (response?.ok) return response.status === 204 ? undefined : response.json();
      if (response && (left === 0 || !isForNow(response))) throw await errorOf(response);
      const seconds = Number(response?.headers.get('retry-after')) || 1;
      await wait(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1_000, signal);
    }
  }
  const methods = Object.entries(OPERATIONS).map(([id, route]) => [
    id,
    (input: Input = {}) => call(route, input),
  ]);
  return Object.fromEntries(methods);
}

/** A call that is still under way is answered with a conflict, and with the seconds to wait. */
const isForNow = ({ status, headers }: Response) =>
  status === 429 || status >= 500 || (status === 409 && headers.has('retry-after'));

async function errorOf(response: Response): Promise<LetterflowError> {
  const { message, errors } = (await response.json().catch(() => ({}))) as Partial<LetterflowError>;
  return new LetterflowError(response.status, message ?? `The API answered with ${response.status}.`, errors);
}

const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
