import { expect, it } from 'vitest';
import { timeZoneOf } from '../../shared/time-zone.ts';

it('of several columns with a time zone the first by name counts, in whatever order they are kept', () => {
  const zones = { b_zone: 'Asia/Tokyo', a_city: 'Berlin', c_zone: 'Europe/Berlin', a_zone: 'US/Pacific' };
  expect(timeZoneOf(zones)).toBe('America/Los_Angeles');
  expect(timeZoneOf(Object.fromEntries(Object.entries(zones).toReversed()))).toBe('America/Los_Angeles');
  expect(timeZoneOf({ a: 5, b: true, c: 'Japan', d: '' })).toBe(undefined);
});
