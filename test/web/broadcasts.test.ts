import { expect, it } from 'vitest';
import type { BroadcastForecast } from '#shared/broadcast.ts';
import { leftOutTexts, questionOf } from '#web/features/broadcast/reach-texts.ts';

const forecast: BroadcastForecast = {
  people: 520,
  emails: 497,
  no_match: 0,
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
      'Not sent to: 1 person does not match its conditions; 2 people may not be mailed: they unsubscribed, bounced or complained.',
    ],
    'Send to 497 people',
  ],
  ['no answer', undefined, ['How many people get it could not be found out.'], 'Send all the same'],
])(
  'the question before a broadcast is sent says who gets it and who does not: %s',
  (_, found, sentences, confirm) => {
    expect(questionOf(found, NOW)).toEqual({ sentences, confirm });
  },
);

it('a reason by which nobody is left out is not named', () => {
  expect(leftOutTexts(forecast)).toEqual([]);
});
