import { expect, it } from 'vitest';
import { estimateText, heldBackText } from '#web/features/organization/held-back.tsx';

const LIMIT = {
  limit: 'max_emails_1_hour',
  emails: 412,
  unknown: 0,
  earned: null,
  complained: null,
} as const;
const gain = (estimate: number, from: number, to: number) => ({ estimate, from, to });

it('says what a limit held back as no more than the range shows', () => {
  expect(heldBackText({ ...LIMIT, emails: 0 }, 'clicks')).toBe('nothing held back');
  expect(heldBackText(LIMIT, 'clicks')).toBe(
    '412 emails held back; probably – clicks missed: too little is known yet',
  );
  expect(heldBackText({ ...LIMIT, earned: gain(31, 22, 43), complained: gain(2.12, 1, 4) }, 'clicks')).toBe(
    '412 emails held back; probably 31 clicks missed (between 22 and 43); about 2.12 complaints avoided (between 1 and 4)',
  );
  expect(heldBackText({ ...LIMIT, emails: 1, unknown: 1, earned: gain(310.5, 200, 400) }, 'value')).toBe(
    '1 email held back; probably a value of 311 missed (between 200 and 400); 1 not estimated, as their automations sent nothing',
  );
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
    'In the next 30 days, 120 emails fewer: 40 people would get fewer, probably 9 clicks less (between 5 and 14).',
  );
  expect(estimateText({ ...ESTIMATE, emails: 1, people_fewer: 0, people_more: 1, earned: null })).toBe(
    'In the next 30 days, 1 email more: 1 person would get more, – clicks: too little is known yet.',
  );
  expect(estimateText({ ...ESTIMATE, emails: 0, people_fewer: 0, earned: null })).toBe(
    'In the next 30 days, nothing changes.',
  );
});
