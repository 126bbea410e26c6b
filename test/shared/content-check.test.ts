import { expect, it } from 'vitest';
import { type Counted, warningsFrom } from '#shared/content-check.ts';

const ALL: Counted = {
  members: 300,
  lookedAt: 300,
  having: { first_name: 88, city: 300 },
  dates: { ends: 290 },
};
const SOME: Counted = {
  members: 3_000,
  lookedAt: 300,
  having: { first_name: 229, ends: 20 },
  dates: { ends: 2_990 },
};
const NOBODY: Counted = { members: 0, lookedAt: 0, having: {}, dates: {} };
const NO_DEFAULT =
  "No default is given for first_name: members without it see nothing in its place. Write {{first_name | 'friend'}}.";

it.each<[string, Counted, ...string[]]>([
  [
    'Hi {{first_name}}',
    ALL,
    "212 of 300 members have no first_name and no default is given. Write {{first_name | 'friend'}}.",
  ],
  [
    'Hi {{first_name}} {{first_name}}',
    ALL,
    "212 of 300 members have no first_name and no default is given. Write {{first_name | 'friend'}}.",
  ],
  ["Hi {{first_name | 'you'}}", ALL],
  ['Hi {{city}}', ALL],
  ['Hi {{email}} {{automation_name}} {{UNSUB_LINK}}', ALL],
  [
    'Hi {{firstname}}',
    ALL,
    'None of 300 members has firstname and no default is given. Is {{first_name}} meant?',
  ],
  [
    "Hi {{First_Name | 'you'}}",
    ALL,
    'None of 300 members has First_Name: they get the default. Is {{first_name}} meant?',
  ],
  [
    '{{unsub_link}}',
    ALL,
    'None of 300 members has unsub_link and no default is given. Is {{UNSUB_LINK}} meant?',
  ],
  [
    '{{x}}',
    { ...ALL, members: 1, lookedAt: 1 },
    "None of 1 member has x and no default is given. Write {{x | 'Default'}}.",
  ],
  [
    '{{constructor}}',
    ALL,
    "None of 300 members has constructor and no default is given. Write {{constructor | 'Default'}}.",
  ],
  // Only dates are counted for all members of a long list.
  [
    '{{ends}}',
    SOME,
    "10 of 3,000 members have no date in ends and no default is given. Write {{ends | 'Default'}}.",
  ],
  [
    '{{first_name}}',
    SOME,
    "71 of the 300 members that were looked at (of 3,000) have no first_name and no default is given. Write {{first_name | 'friend'}}.",
  ],
  [
    '{{x}}',
    SOME,
    "None of the 300 members that were looked at (of 3,000) has x and no default is given. Write {{x | 'Default'}}.",
  ],
  // Counts may be behind by a moment.
  ['{{ends}}', { ...SOME, dates: { ends: 3_001 } }],
  ['Hi {{first_name}}', NOBODY, NO_DEFAULT],
  ["Hi {{first_name | 'you'}}", NOBODY],
])('%j', (text, counted, ...warnings) => {
  expect(warningsFrom({ subject_line: text, preheader: null }, counted)).toEqual(
    warnings.length > 0 ? { subject_line: warnings } : {},
  );
});
