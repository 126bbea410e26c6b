import { env } from './env.ts';

type Access = { key: string; domain: string; region: 'us' | 'eu' };

const BASES = { us: 'MAILGUN_US_URL', eu: 'MAILGUN_EU_URL' } as const;
// Less than our own caller waits.
const PATIENCE = 5_000;

/** Mailgun's API, without a library: the product makes one call, which posts a form. */
export const mailgun = {
  /** Posts a message without a recipient, which cannot be sent; undefined where no answer comes. */
  async probe({ key, domain, region }: Access): Promise<{ status: number } | undefined> {
    const url = `${env(BASES[region])}/v3/${encodeURIComponent(domain)}/messages`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
        body: new URLSearchParams({
          from: `connection-test@${domain}`,
          subject: 'Connection test',
          text: 'This message has no recipient.',
        }),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE),
      });
      await response.body?.cancel();
      return { status: response.status };
    } catch {
      return undefined;
    }
  },
};
