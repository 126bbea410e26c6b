import { expect, it } from 'vitest';
import { countCalls } from '#core/account/rate-limit.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable();
const at = (time: string) => new Date(`2030-01-01T${time}Z`);
const spending = (time: string, organization = 1) => countCalls({ table, now: at(time) }, organization);

it('an organization may make 80 API calls in each ten seconds, and a refusal says when to retry', async () => {
  const calls = Array.from({ length: 85 }, () => spending('12:00:45'));
  const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  await expect(spending('12:00:49')).rejects.toMatchObject({ reason: 'too-many', retryAfter: 1 });
  await expect(spending('12:00:40')).rejects.toMatchObject({ retryAfter: 10 });
  await spending('12:00:45', 2);
  await spending('12:00:50');
});

it('calls that cost much are counted apart, by name', async () => {
  const forecast = (time: string) =>
    countCalls({ table, now: at(time) }, 4, { name: 'forecast', most: 2, seconds: 60 });
  await forecast('12:00:00');
  await forecast('12:00:59');
  await expect(forecast('12:00:59')).rejects.toMatchObject({ reason: 'too-many', retryAfter: 1 });
  await spending('12:00:59', 4);
  await forecast('12:01:00');
});

it('what was counted is deleted an hour after its ten seconds began', async () => {
  await spending('12:00:05', 3);
  const ttl = at('13:00:00').getTime() / 1000;
  expect(await queryPartition(table, 'RATE#3')).toMatchObject([{ SK: at('12:00:00').toISOString(), ttl }]);
});
