import { expect, it } from 'vitest';
import { clockIn, firstMinuteAt } from './clocks.ts';

const instant = (text: string) => Date.parse(text);
const first = (zone: string, date: string, time: string) =>
  new Date(firstMinuteAt(zone, date, time)).toISOString().slice(0, 16);

it('a clock is read to the minute, by whole and quarter hours from UTC', () => {
  expect(clockIn('UTC', instant('2030-01-01T09:44:59Z'))).toBe('2030-01-01 09:44');
  expect(clockIn('Asia/Kathmandu', instant('2030-01-01T18:22Z'))).toBe('2030-01-02 00:07');
  expect(clockIn('Pacific/Pago_Pago', instant('2030-01-01T09:00Z'))).toBe('2029-12-31 22:00');
});

it('a time that clocks show twice is the first one, and one that they leave out the next that they show', () => {
  expect(first('Europe/Berlin', '2029-10-28', '02:30')).toBe('2029-10-28T00:30');
  expect(first('Europe/Berlin', '2030-03-31', '02:31')).toBe('2030-03-31T01:00');
  expect(first('Europe/Berlin', '2030-03-31', '03:00')).toBe('2030-03-31T01:00');
  expect(first('Asia/Beirut', '2030-03-31', '00:00')).toBe('2030-03-30T22:00');
  expect(first('Antarctica/Troll', '2030-03-31', '01:59')).toBe('2030-03-31T01:00');
  expect(first('Pacific/Kiritimati', '2030-03-31', '00:07')).toBe('2030-03-30T10:07');
});
