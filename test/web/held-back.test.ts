import { expect, it } from 'vitest';
import { estimateText, heldBackTexts } from '#web/features/organization/held-back.tsx';

const LIMIT = {
  limit: 'max_emails_1_hour',
  emails: 412,
  unknown: 0,
  earned: null,
  complained: null,
} as const;
const gain = (estimate: number, from: number, to: number) => ({ estimate, from, to });

it('says what a limit held back as no more than the range shows', () => {
  expect(heldBackTexts({ ...LIMIT, emails: 0 }, 'clicks')).toEqual(['Nothing held back']);
  expect(heldBackTexts(LIMIT, 'clicks')).toEqual([
    '412 emails held back',
    'Missed clicks: too little is known yet',
  ]);
  expect(
    heldBackTexts({ ...LIMIT, earned: gain(31, 22, 43), complained: gain(0.612, 0.2, 1.2) }, 'clicks'),
  ).toEqual([
    '412 emails held back',
    'Probably 31 clicks missed (22 to 43)',
    'About 0.6 complaints avoided (0.2 to 1.2)',
  ]);
  expect(
    heldBackTexts(
      { ...LIMIT, unknown: 1, earned: gain(310.5, 200, 412), complained: gain(1, 0.5, 2) },
      'value',
    ),
  ).toEqual([
    '412 emails held back',
    'Probably 310 of value missed (200 to 410)',
    'About 1 complaint avoided (0.5 to 2)',
    '1 not estimated, as their automations sent nothing',
  ]);
});

it('says nothing of what is missed where nothing can be estimated, and writes amounts in the currency', () => {
  expect(heldBackTexts({ ...LIMIT, emails: 1, unknown: 1 }, 'clicks')).toEqual([
    '1 email held back',
    '1 not estimated, as their automations sent nothing',
  ]);
  expect(heldBackTexts({ ...LIMIT, earned: gain(48_210.55, 31_002, 70_120) }, 'value', 'EUR')).toContain(
    'Probably €48,000 of value missed (€31,000 to €70,000)',
  );
  const complained = gain(1, 0.5, 2);
  expect(heldBackTexts({ ...LIMIT, earned: gain(31, 22, 43), complained }, 'clicks', 'EUR')).toEqual([
    '412 emails held back',
    'Probably 31 clicks missed (22 to 43)',
    'About 1 complaint avoided (0.5 to 2)',
  ]);
});

const ESTIMATE = {
  emails: -120,
  people_more: 0,
  people_fewer: 40,
  earned_by: 'clicks',
  earned: gain(-9, -14, -5),
  sampled: null,
  counted_share: 1,
} as const;

it('says what another limit changes', () => {
  expect(estimateText(ESTIMATE)).toBe(
    'In the next 30 days, 120 fewer emails: 40 people would get fewer. Probably 9 clicks lost (5 to 14).',
  );
  expect(estimateText({ ...ESTIMATE, emails: 1, people_fewer: 0, people_more: 1, earned: null })).toBe(
    'In the next 30 days, 1 more email: 1 person would get more. What that changes in clicks: too little is known yet.',
  );
  expect(estimateText({ ...ESTIMATE, emails: 0, people_fewer: 0, earned: null })).toBe(
    'In the next 30 days, nothing changes.',
  );
});
