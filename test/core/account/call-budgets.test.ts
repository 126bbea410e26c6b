import { expect, it } from 'vitest';
import { addProcessorTime, countCalls } from '#core/account/call-budgets.ts';
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

it('a budget with processor time is used up by a few calls that took much of it', async () => {
  const budget = { name: 'predictions', most: 60, seconds: 60, processorMs: 20_000 };
  const predict = (time: string) => countCalls({ table, now: at(time) }, 5, budget);
  const took = (time: string, ms: number) => addProcessorTime({ table, now: at(time) }, 5, budget, ms);
  await predict('12:00:00');
  await took('12:00:00', 12_000);
  await predict('12:00:20');
  await took('12:00:20', 8_000);
  await expect(predict('12:00:30')).rejects.toThrow(
    'At most 60 predictions a minute, and 20 seconds of processor time for an organization. Please try again in 30 seconds.',
  );
  await predict('12:01:00');
});

it('a refusal in a budget of an hour says how many minutes are left', async () => {
  const test = (time: string) =>
    countCalls({ table, now: at(time) }, 6, { name: 'test emails', most: 1, seconds: 3_600 });
  await test('12:00:00');
  await expect(test('12:14:30')).rejects.toThrow(
    'At most 1 test emails an hour for an organization. Please try again in 46 minutes.',
  );
  await test('13:00:00');
});
