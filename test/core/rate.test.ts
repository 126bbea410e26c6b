import { expect, it } from 'vitest';
import { MOST_CALLS, spend } from '../../functions/core/rate/rate.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const at = (time: string) => new Date(`2030-01-01T${time}Z`);

it('the API calls of an organization are limited in each ten seconds, and a refusal says when to retry', async () => {
  const spending = (time: string, organization = 1) => spend({ table, now: at(time) }, organization);
  const calls = Array.from({ length: MOST_CALLS + 5 }, () => spending('12:00:45'));
  const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  await expect(spending('12:00:49')).rejects.toMatchObject({ reason: 'too-many', retryAfter: 1 });
  await expect(spending('12:00:40')).rejects.toMatchObject({ retryAfter: 10 });
  await spending('12:00:45', 2);
  await spending('12:00:50');
});
