import type { ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { answering } from '../support/answering.ts';

afterEach(() => void vi.unstubAllEnvs());

async function mailerAt(url: string, from = 'Letterflow <no-reply@example.com>') {
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('MAIL_FROM', from);
  vi.resetModules();
  return (await import('#functions/platform/mailer.ts')).mailer;
}

const letter = { subject: 'Your code', text: 'Text', html: '<p>Text</p>' };

// An answer that was lost may have been that of a mail which was sent.
it.each<[string, (response: ServerResponse) => unknown]>([
  ['a server error', response => response.writeHead(500).end('{}')],
  ['too many requests', response => response.writeHead(429).end('{}')],
  ['no answer', response => response.socket?.destroy()],
])('a mail is posted once, where SES gives %s', async (_, answer) => {
  const ses = await answering((__, response) => answer(response));
  const mailer = await mailerAt(ses.url);
  await expect(mailer?.send('ann@example.com', letter)).rejects.toThrow();
  expect(ses.asked).toEqual(['/v2/email/outbound-emails']);
});

it('there is none where the stage has no sender', async () => {
  expect(await mailerAt('http://127.0.0.1:9', '')).toBeUndefined();
});
