import { afterEach, expect, it, vi } from 'vitest';
import { mailgun } from '../../functions/platform/mailgun.ts';
import { answering } from '../support/answering.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function probe(url: string) {
  vi.stubEnv('MAILGUN_EU_URL', url);
  return mailgun.probe({ key: 'key-one', domain: 'example.com', region: 'eu' });
}

it('the probe of a sending key answers the status', async () => {
  const { url, asked } = await answering((_, response) => response.writeHead(401).end('Forbidden'));
  expect(await probe(url)).toEqual({ status: 401 });
  expect(asked).toEqual(['/v3/example.com/messages']);
});

it.each([301, 302, 307, 308])(
  'the probe takes the key nowhere else: after a redirect with %i',
  async status => {
    const elsewhere = await answering((_, response) => response.writeHead(400).end());
    const { url, asked } = await answering((_, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/v3/example.com/messages` }).end(),
    );
    expect(await probe(url)).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(elsewhere.asked).toEqual([]);
  },
);

it('the probe ends where Mailgun never answers, before the function that waits for it does', async () => {
  const FUNCTION_TIMEOUT = 10_000;
  const waits: number[] = [];
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    waits.push(ms);
    return timeout.call(AbortSignal, 50);
  });
  const { url } = await answering(() => {});
  expect(await probe(url)).toBeUndefined();
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeLessThan(FUNCTION_TIMEOUT);
});

it('the probe answers nothing where Mailgun cannot be reached', async () => {
  expect(await probe('http://127.0.0.1:1')).toBeUndefined();
});
