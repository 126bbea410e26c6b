import { afterEach, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const STEPS = [
  'sign-in',
  'list',
  'upload of a logo',
  'member',
  'sending key',
  'email',
  'open',
  'click',
  'unsubscribe',
  'domain at SES',
  'email by SES',
  'bounce of SES',
  'tracking domain',
];

afterEach(() => stack.fetchJson('PUT', '/_local/faults', { body: JSON.stringify({ provider: 'ok' }) }));

const smoke = async (...words: string[]): Promise<{ code: number; lines: string[] }> => {
  const { code = 0, stdout } = await stack.run('smoke', ...words).catch(error => error);
  return { code, lines: stdout.trim().split('\n') };
};

async function listsOf(email: string): Promise<string[]> {
  const { token } = await stack.signIn(email);
  const { body: organizations } = await stack.call('GET /api/organizations', { token });
  const { body } = await stack.call('GET /api/email-lists', { token, organization: organizations[0].id });
  return body.map(({ name }: { name: string }) => name);
}

it('the smoke test tries everything from sign-in to a tracking domain, and leaves only the lists whose domains have records', {
  timeout: 300_000,
}, async () => {
  const email = newAddress('smoke');
  const done = { code: 0, lines: [...STEPS, 'clean up'].map(step => `ok         ${step}`) };
  expect(await smoke('--as', email)).toEqual(done);
  expect(await smoke('--as', email)).toEqual(done);
  expect(await listsOf(email)).toEqual(['Smoke test by SES', 'Smoke test of link.smoke.example.com']);
  // In test mode, nobody gets the email.
  const { body } = await stack.fetchJson('GET', '/_local/inbox');
  expect(body.messages.filter(({ to }: { to: string }) => to.startsWith('smoke-test'))).toEqual([]);
});

it('a smoke test that fails says where and what to do, leaves out the rest, and cleans up', {
  timeout: 300_000,
}, async () => {
  const email = newAddress('smoke');
  await stack.fetchJson('PUT', '/_local/faults', { body: JSON.stringify({ provider: '401' }) });
  const { code, lines } = await smoke('--as', email);
  expect([code, lines]).toEqual([
    1,
    [
      ...STEPS.slice(0, 4).map(step => `ok         ${step}`),
      'FAILED     sending key: Mailgun does not accept this sending key. Check the key and the region.',
      expect.stringContaining('Check SMOKE_SENDING_KEY'),
      ...STEPS.slice(5).map(step => `left out   ${step}`),
      'ok         clean up',
    ],
  ]);
  expect(await listsOf(email)).toEqual([]);
});
