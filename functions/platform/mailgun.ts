import { env } from './env.ts';

type Access = { key: string; domain: string; region: 'us' | 'eu' };
type Message = {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
};

const BASES = { us: 'MAILGUN_US_URL', eu: 'MAILGUN_EU_URL' } as const;
// Less than our own caller waits.
const PATIENCE = 5_000;

/** Mailgun's API, without a library: the product posts forms to one address of it. */
export const mailgun = {
  /** Posts a message without a recipient, which cannot be sent; undefined where no answer comes. */
  async probe({ key, domain, region }: Access): Promise<{ status: number } | undefined> {
    const response = await post(
      { key, domain, region },
      {
        from: `connection-test@${domain}`,
        subject: 'Connection test',
        text: 'This message has no recipient.',
      },
    );
    await response?.body?.cancel();
    return response && { status: response.status };
  },

  /** Posts one email, once: without a clear answer it may have been accepted. */
  async deliver({ headers, ...email }: Access & Message): Promise<'accepted' | 'refused' | 'unknown'> {
    const { from, to, subject, html, text } = email;
    const response = await post(email, {
      ...{ from, to, subject, html, text, 'o:tracking': 'no' },
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`h:${name}`, value])),
    });
    const answer: { id?: string } = (await response?.json().catch(() => undefined)) ?? {};
    if (response?.ok && answer.id) return 'accepted';
    return response && response.status >= 400 && response.status < 500 ? 'refused' : 'unknown';
  },
};

type Batch = Omit<Message, 'to'> & { recipients: { email: string; variables: Record<string, string> }[] };
type Answer =
  | { kind: 'accepted'; id: string }
  | { kind: 'invalid' | 'denied' | 'refused' | 'unreached' | 'unknown' }
  | { kind: 'throttled'; seconds: number };

const BATCH_PATIENCE = 20_000;
const RETRY_AFTER = 30;

/** Posts one message to many, once. What the answer leaves open may have been accepted. */
export async function postBatch(access: Access, { recipients, headers, ...email }: Batch): Promise<Answer> {
  const variables = Object.fromEntries(recipients.map(one => [one.email, one.variables]));
  const form = new URLSearchParams({
    ...email,
    'o:tracking': 'no',
    'recipient-variables': JSON.stringify(variables),
    'v:send': '%recipient.send%',
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`h:${name}`, value])),
  });
  for (const { email: to } of recipients) form.append('to', to);
  try {
    return await meaningOf(await request(access, form, BATCH_PATIENCE));
  } catch (error) {
    return { kind: wasReached(error) ? 'unknown' : 'unreached' };
  }
}

async function meaningOf(response: Response): Promise<Answer> {
  const { status, ok } = response;
  const answer = (await response.json().catch(() => undefined)) as { id?: unknown } | undefined;
  if (ok) return answer?.id ? { kind: 'accepted', id: String(answer.id) } : { kind: 'unknown' };
  if (status === 401 || status === 403 || status === 404) return { kind: 'denied' };
  if (status === 429) {
    const seconds = Number(response.headers.get('retry-after'));
    return { kind: 'throttled', seconds: seconds > 0 ? Math.ceil(seconds) : RETRY_AFTER };
  }
  if (status >= 400 && status < 500 && answer) return { kind: status === 400 ? 'invalid' : 'refused' };
  return { kind: 'unknown' };
}

// Before a connection stands, nothing can have been accepted.
const NOT_REACHED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
];

function wasReached(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const causes = cause instanceof AggregateError ? cause.errors : [cause];
  return !causes.every(one => NOT_REACHED.includes((one as { code?: string } | undefined)?.code ?? ''));
}

async function post(access: Access, form: Record<string, string>): Promise<Response | undefined> {
  try {
    return await request(access, new URLSearchParams(form), PATIENCE);
  } catch {
    return undefined;
  }
}

const request = ({ key, domain, region }: Access, body: URLSearchParams, patience: number) =>
  fetch(`${env(BASES[region])}/v3/${encodeURIComponent(domain)}/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  });
