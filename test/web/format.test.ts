import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readCode } from '#web/features/login/login.tsx';
import { formatDate, formatRelative } from '#web/lib/format.ts';

it('a date reads MMM d, yyyy', () => {
  expect(formatDate('2026-03-05T12:00:00Z')).toBe('Mar 5, 2026');
});

it.each([
  ['2026-03-05T12:00:00Z', '0 seconds ago'],
  ['2026-03-05T11:59:01Z', '59 seconds ago'],
  ['2026-03-05T11:59:00Z', '1 minute ago'],
  ['2026-03-05T11:00:01Z', '59 minutes ago'],
  ['2026-03-04T12:00:01Z', '23 hours ago'],
  ['2026-02-03T12:00:01Z', '29 days ago'],
  ['2026-02-03T12:00:00Z', 'Feb 3, 2026'],
  ['2026-03-05T12:00:01Z', 'Mar 5, 2026'],
])('at noon of March 5, %s was %s', (instant, words) => {
  expect(formatRelative(instant, formatDate, new Date('2026-03-05T12:00:00Z'))).toBe(words);
});

it.each([
  ['abc234', 'ABC234'],
  ['  AB C2 34\n', 'ABC234'],
  ['ABC234XYZ', 'ABC234'],
])('the code %j is read as %s', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});

/** What a reader elsewhere sees: a process has one time zone from its beginning. */
function readIn(zone: string): Record<'hint' | 'midnight' | 'day' | 'time', string> {
  const script = `
    import { midnightText } from './web/src/lib/format.ts';
    import { formatLocalValue, hintFor } from './web/src/entities/list-member/metadata-value.ts';
    console.log(JSON.stringify({
      hint: hintFor('2026-11-25'),
      midnight: midnightText(new Date('2026-11-23T21:00:00Z')),
      day: formatLocalValue('2026-11-25'),
      time: formatLocalValue('2026-11-25T00:00:00Z'),
    }));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, TZ: zone, LANG: 'en_US.UTF-8' },
  });
  // Between time and AM or PM is a narrow space.
  return JSON.parse(printed.replaceAll('\u202f', ' '));
}

it.each([
  [
    'America/Los_Angeles',
    'Nov 24, 2026, 4:00 PM',
    ', which is now 4:00 PM of the day before in your time zone',
  ],
  ['Asia/Kolkata', 'Nov 25, 2026, 5:30 AM', ', which is now 5:30 AM of the same day in your time zone'],
  ['UTC', 'Nov 25, 2026, 12:00 AM', ''],
])(
  'for a reader in %s a date without a time is the day that was written, and starts at midnight in UTC',
  (zone, moment, midnight) => {
    expect(readIn(zone)).toEqual({
      hint: `Starts at 00:00 UTC: ${moment} in your time zone`,
      midnight: `00:00 UTC${midnight}`,
      day: 'Nov 25, 2026',
      time: moment,
    });
  },
);
