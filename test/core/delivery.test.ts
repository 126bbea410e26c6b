import { expect, it } from 'vitest';
import { freshTable } from '../support/engine.ts';
import { newSender } from '../support/sending.ts';

const table = freshTable();
const start = new Date('2030-01-01T09:58:30Z');
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);

it('a member gets the email of the minute in which it is due, once', async () => {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  await sender.add(readers, 'ann@example.com', { trial_ends: '2029-12-30T10:00:20Z' });
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    delay_days: 2,
  });
  await sender.newTemplate([id]);
  await sender.run(minutes(10));
  expect(sender.mails().map(({ at, email }) => [at.toISOString(), email])).toEqual([
    ['2030-01-01T10:01:30.000Z', 'ann@example.com'],
  ]);
});
