import { expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { call, run } = stack;

it('npm run sign-in prints a code with which its address signs in, once', async () => {
  const email = newAddress();
  const { stdout } = await run('sign-in', email);
  const code = stdout.trim();
  stack.mustNotBeLogged(code);
  const verify = () => call('POST /api/login/verify', { body: { email, code } });
  const { status, body } = await verify();
  expect([status, body.user.email]).toEqual([200, email]);
  stack.mustNotBeLogged(body.token);
  expect((await verify()).status).toBe(422);
  expect(await stack.inbox(email)).toEqual([]);
  const failed = await run('sign-in', 'nobody').catch(error => error);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('Usage: npm run sign-in')]);
});
