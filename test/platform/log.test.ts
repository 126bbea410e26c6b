import { expect, it } from 'vitest';
import { describe as described } from '../../functions/platform/log.ts';

it('an error is logged without the addresses and secrets that its message names', () => {
  const token = 'Zk3_'.repeat(11);
  const logged = described(new Error(`Email address is not verified: <anna@example.com> (token ${token})`));
  expect(logged.message).toBe('Email address is not verified: <[address]> (token [secret])');
  expect(JSON.stringify(logged)).not.toMatch(/anna|Zk3_/);
  expect(logged.stack).toContain('log.test.ts');
});
