import { expect, it } from 'vitest';
import { readTimeZone, TIME_ZONES, timeZoneOf } from '#shared/time-zone.ts';

it('of several columns with a time zone the first by name counts, in whatever order they are kept', () => {
  const zones = { b_zone: 'Asia/Tokyo', a_city: 'Berlin', c_zone: 'Europe/Berlin', a_zone: 'US/Pacific' };
  expect(timeZoneOf(zones)).toBe('America/Los_Angeles');
  expect(timeZoneOf(Object.fromEntries(Object.entries(zones).toReversed()))).toBe('America/Los_Angeles');
  expect(timeZoneOf({ a: 5, b: true, c: 'Japan', d: '' })).toBe(undefined);
});

it('a zone has one name, whatever this runtime calls it, and each is one that the runtime knows', () => {
  expect(['Asia/Calcutta', 'asia/kolkata', 'Europe/Kiev', 'US/Pacific', 'Etc/UTC'].map(readTimeZone)).toEqual(
    ['Asia/Kolkata', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Los_Angeles', 'UTC'],
  );
  for (const zone of TIME_ZONES) {
    expect(readTimeZone(zone)).toBe(zone);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  }
  expect(TIME_ZONES).not.toContain('Asia/Calcutta');
});
