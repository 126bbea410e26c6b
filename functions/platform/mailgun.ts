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

async function post(
  { key, domain, region }: Access,
  form: Record<string, string>,
): Promise<Response | undefined> {
  const url = `${env(BASES[region])}/v3/${encodeURIComponent(domain)}/messages`;
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return undefined;
  }
}
