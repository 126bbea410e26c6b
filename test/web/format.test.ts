import { expect, it } from 'vitest';
import { readCode } from '../../web/src/features/login/code.ts';
import { formatDate } from '../../web/src/lib/format.ts';

it('a date reads MMM d, yyyy', () => {
  expect(formatDate('2026-03-05T12:00:00Z')).toBe('Mar 5, 2026');
});

it.each([
  ['abc234', 'ABC234'],
  ['  AB C2 34\n', 'ABC234'],
  ['ABC234XYZ', 'ABC234'],
])('the code %j is read as %s', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});
