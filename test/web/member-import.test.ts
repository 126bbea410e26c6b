import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sentencesOf } from '#web/features/member-import/import-emails.tsx';
import { withRetries } from '#web/features/member-import/use-run.ts';
import { Problem } from '#web/lib/problem.ts';

const automations = [
  { id: 'a1', name: 'Welcome', next_24_hours: 3, next_30_days: 1_200 },
  { id: 'a2', name: 'Birthday', next_24_hours: 0, next_30_days: 34 },
];
const forecast = { next_24_hours: 3, next_30_days: 1_234, automations, sampled: null };
const CANCEL = 'To send none of them, cancel, and choose “Start nothing” in the options.';

it.each([
  [
    'some within a day',
    forecast,
    '1,234 emails follow in the next 30 days, 3 of them within 24 hours: 1,200 of Welcome, 34 of Birthday.',
  ],
  [
    'all within a day',
    { ...forecast, next_24_hours: 1_234, automations: [] },
    '1,234 emails follow in the next 30 days, all of them within 24 hours.',
  ],
  [
    'none',
    { ...forecast, next_24_hours: 0, next_30_days: 0 },
    'No emails follow from it in the next 30 days.',
  ],
])('before an import is begun, the emails that follow from it are said: %s', (_, found, said) => {
  expect(sentencesOf(found, false)).toEqual([said, CANCEL]);
  expect(sentencesOf(found, true)).toEqual([said]);
});

it('an estimate of the emails of an import says how far it may be off', () => {
  const sampled = { people: 500, of: 20_000, margin: 7 };
  expect(sentencesOf({ ...forecast, sampled }, true)[1]).toBe(
    'Estimated from 500 of 20,000 members: the number of the 30 days may be 7 emails more or less.',
  );
  expect(sentencesOf(null, false)).toEqual(['Which emails follow from this import could not be found out.']);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const throttled = (seconds?: number) =>
  Object.assign(new Problem('Too many requests', 429), { retryAfter: seconds });

/** The waits between the calls that fail one after the other, and what comes of the last call. */
async function waitsAfter(...problems: unknown[]) {
  const waits: unknown[] = [];
  const { signal } = new AbortController();
  const call = async () => {
    if (problems.length > 0) throw problems.shift();
    return 'done';
  };
  const outcome = withRetries(call, { signal, onWait: seconds => waits.push(seconds) }).catch(
    problem => problem.message,
  );
  await vi.advanceTimersByTimeAsync(1_000_000);
  return [await outcome, ...waits.filter(seconds => seconds !== undefined)];
}

it('a call of an import is tried again when the server says, however often, and after a failure six times', async () => {
  const many = Array.from({ length: 8 }, () => throttled(3));
  expect(await waitsAfter(...many)).toEqual(['done', 3, 3, 3, 3, 3, 3, 3, 3]);
  expect(await waitsAfter(throttled())).toEqual(['done', 20]);
  const down = Array.from({ length: 7 }, (_, at) => new Problem('Down', at % 2 ? 500 : undefined));
  expect(await waitsAfter(...down)).toEqual(['Down', 1, 2, 4, 8, 16]);
  expect(await waitsAfter(throttled(1), new Problem('Down', 503))).toEqual(['done', 1, 2]);
});

it.each([
  ['a refusal', new Problem('No', 499)],
  ['a fault of the page', new Error('No')],
])('a call of an import is not tried again after %s', async (_, problem) => {
  expect(await waitsAfter(problem)).toEqual(['No']);
});

it('a call of an import that is stopped while it waits ends at once, and is not tried again', async () => {
  const abort = new AbortController();
  const call = vi.fn(async () => {
    throw throttled(60);
  });
  const outcome = withRetries(call, { signal: abort.signal, onWait: () => {} }).catch(() => 'stopped');
  await vi.advanceTimersByTimeAsync(1_000);
  abort.abort();
  expect(await outcome).toBe('stopped');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(call).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
