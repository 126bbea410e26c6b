import { expect, it } from 'vitest';
import { readCode } from '../../web/src/features/login/code.ts';
import { formatDate, formatRelative } from '../../web/src/lib/format.ts';

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
  expect(formatRelative(instant, new Date('2026-03-05T12:00:00Z'))).toBe(words);
});

it.each([
  ['abc234', 'ABC234'],
  ['  AB C2 34\n', 'ABC234'],
  ['ABC234XYZ', 'ABC234'],
])('the code %j is read as %s', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});
