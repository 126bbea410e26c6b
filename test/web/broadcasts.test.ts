import { expect, it, vi } from 'vitest';
import type { Broadcast, BroadcastForecast } from '#shared/broadcast.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { nextRefresh, refusalOf, whenText } from '#web/entities/broadcast/broadcast.tsx';
import { leftOutTexts, questionOf } from '#web/features/broadcast/use-question-of-sending.ts';
import { Problem } from '#web/lib/problem.ts';
import { broadcast } from '../support/components/examples.ts';

const forecast: BroadcastForecast = {
  people: 520,
  emails: 497,
  no_match: 0,
  days: 1,
  not_sent: {},
  not_subscribed: 0,
  sampled: null,
  counted_share: 1,
};
const NOW = 'Sending begins within a minute.';

it.each([
  ['many', forecast, [`497 people get it. ${NOW}`], 'Send to 497 people'],
  ['one', { ...forecast, emails: 1 }, [`1 person gets it. ${NOW}`], 'Send to 1 person'],
  ['nobody', { ...forecast, emails: 0 }, [`Nobody gets it. ${NOW}`], 'Send all the same'],
  [
    'an estimate',
    { ...forecast, sampled: { people: 1_000, of: 20_000, margin: 150 }, counted_share: 0.5 },
    [
      `About 497 people get it. ${NOW}`,
      expect.stringMatching(/^Estimated from 1,000 of 20,000 members: .* 150 emails more or less\.$/),
      expect.stringMatching(/^Only about 50% of the members/),
    ],
    'Send to about 497 people',
  ],
  [
    'some who are left out',
    { ...forecast, no_match: 1, not_subscribed: 2 },
    [
      `497 people get it. ${NOW}`,
      'Left out: 1 person does not match its conditions; 2 people unsubscribed, bounced or complained.',
    ],
    'Send to 497 people',
  ],
  ['no answer', undefined, [`How many people get it could not be found out. ${NOW}`], 'Send all the same'],
])(
  'the question before a broadcast is sent says who gets it and who does not: %s',
  (_, found, sentences, confirm) => {
    expect(questionOf(found, NOW)).toEqual({ sentences, confirm });
  },
);

it('people who are left out for a reason that a newer API names are counted', () => {
  const not_sent = { budget: 3 } as BroadcastForecast['not_sent'];
  expect(leftOutTexts({ ...forecast, not_sent })).toEqual(['3 people: for another reason']);
});

it('a reason by which nobody is left out is not named', () => {
  expect(leftOutTexts(forecast)).toEqual([]);
});

const AT = '2031-01-01T09:00:00.000Z';
const BEGAN = '2031-01-01T09:03:00.000Z';

it.each<[Partial<Broadcast>, string]>([
  [{}, 'When you send it'],
  [{ status: 'cancelled' }, '–'],
  [{ status: 'scheduled' }, 'Now'],
  [{ status: 'scheduled', at: AT }, 'Jan 1, 2031, 09:00 UTC'],
  [{ status: 'sending', at: AT, started_at: BEGAN }, 'Jan 1, 2031, 09:03 UTC'],
  [{ status: 'sending', local_at: '2031-01-01T09:00', started_at: BEGAN }, 'Jan 1, 2031, 09:00, local time'],
])('when a broadcast goes, or went: %j', (fields, text) => {
  expect(whenText({ ...broadcast, ...fields })).toBe(text);
});

it('a broadcast is asked for again shortly before its time, within a day, and while it is sent', () => {
  vi.useFakeTimers({ now: new Date(AT) });
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const at = (ms: number): Broadcast => ({ ...broadcast, status: 'scheduled', at: inMs(ms) });
  const ended = (ms: number): Broadcast => ({ ...broadcast, status: 'sent', ended_at: inMs(-ms) });
  expect(nextRefresh([])).toBe(0);
  expect(nextRefresh([broadcast, ended(10 * MINUTE)])).toBe(0);
  expect(nextRefresh([at(60 * DAY)])).toBe(DAY);
  expect(nextRefresh([at(60 * DAY), broadcast, at(2 * HOUR), at(3 * HOUR)])).toBe(110 * MINUTE);
  for (const soon of [at(MINUTE), at(-MINUTE), ended(9 * MINUTE)]) {
    expect(nextRefresh([at(2 * HOUR), soon])).toBe(5_000);
  }
  vi.useRealTimers();
});

it('a refused change says all that is wrong with its fields, else what the server says', () => {
  const fields = { at: ['This time has passed.'], email_list_ids: ['A list is gone.'] };
  expect(refusalOf(new Problem('Invalid', 422, fields, true))).toBe('This time has passed. A list is gone.');
  expect(refusalOf(new Problem('A colleague has changed it.', 409, {}, true))).toBe(
    'A colleague has changed it.',
  );
});
