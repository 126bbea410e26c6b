import type { Access } from '#core/provider.ts';
import { env } from '#functions/platform/runtime.ts';
import { NotConnected, wasConnected } from '../connection.ts';

const BASES = { us: 'MAILGUN_US_URL', eu: 'MAILGUN_EU_URL' } as const;

export type Response = {
  status: number;
  retryAfter: string | null;
  /** The `Date` header: the time by the provider's clock. */
  date?: string | null;
  body: unknown;
};

/** Posts a form to the messages of a domain, once. A `NotConnected` says that not a byte arrived. */
export type Request = (access: Access, form: FormData, timeout: number) => Promise<Response>;

export const request: Request = async ({ key = '', domain, region }, body, timeout) => {
  try {
    const response = await fetch(`${env(BASES[region])}/v3/${encodeURIComponent(domain)}/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      date: response.headers.get('date'),
      body: await jsonIn(response.body).catch(() => undefined),
    };
  } catch (error) {
    if (!wasConnected(error)) throw new NotConnected('Mailgun could not be reached', { cause: error });
    throw error;
  }
};

// Far more than any answer of Mailgun's.
const MOST_BYTES = 64 * 1024;

/** One that is too long is not read to its end, so that it cannot fill the memory. */
async function jsonIn(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
