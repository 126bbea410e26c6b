import { expect, it } from 'vitest';
import * as user from '#core/account/user.ts';
import { freshTable } from '#test/support/engine.ts';
import { newUser } from '#test/support/people.ts';

const table = freshTable();
const first = new Date('2026-03-01T09:00:00Z');
const second = new Date('2026-03-02T09:00:00Z');

it('accepting the terms again keeps the instant of the first time', async () => {
  const { id } = await newUser(table, first);
  for (const now of [first, second]) {
    expect(await user.acceptTerms({ table, now }, id)).toMatchObject({ id, terms_accepted: true });
  }
  expect(await user.find({ table }, id)).toMatchObject({ terms_accepted_at: first.toISOString() });
});

it('who does not exist cannot accept the terms, and does not exist afterwards', async () => {
  await expect(user.acceptTerms({ table, now: first }, 'nobody')).rejects.toMatchObject({
    reason: 'not-found',
  });
  await expect(user.find({ table }, 'nobody')).rejects.toMatchObject({ reason: 'not-found' });
});
