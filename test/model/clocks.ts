/** Dates, zones and what clocks show, as `model.ts` reads them. A local time is written as if it were UTC. */
import type { Metadata } from '#shared/metadata.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { remembered } from '#test/support/remembered.ts';

/** Reads a date in ISO 8601: without an offset it is in UTC. Other texts are no dates. */
export function readDate(value: unknown): { instant: number; isDay: boolean } | undefined {
  const [whole, day, time = '00:00', second = '00', sign, hours = 0, minutes = 0] =
    DATE.exec(String(value)) ?? [];
  const local = Date.parse(`${day}T${time}:${second}Z`);
  if (Number.isNaN(local) || dayText(local) !== day) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  return { instant: local - offset, isDay: whole === day };
}

const DATE =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)?)?$/i;

/** The first zone in the columns of a member, by the names of these. */
export function zoneIn(metadata: Metadata): string | undefined {
  const columns = Object.keys(metadata).sort();
  return columns.map(column => ZONES.get(textOf(metadata[column]))).find(zone => zone !== undefined);
}
const ZONES = new Map(TIME_ZONES.map(zone => [zone.toLowerCase(), zone]));

/** What the clocks of a zone show at an instant, to the minute, written as if it were UTC. */
export const localTime = (instant: number, zone: string) =>
  minuteOf(instant) + offsetIn(zone)(Math.floor(instant / QUARTER));

const offsetIn = remembered((timeZone: string) => {
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const shownAt = (instant: number) => Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`);
  return remembered((quarter: number) => shownAt(quarter * QUARTER) - quarter * QUARTER);
});
// Clocks change at quarters of an hour.
const QUARTER = HOUR / 4;

/** The first instant at which clocks show a time; if they skip it, the first at which they show a later one. */
export function instantOf(local: number, zone: string): number {
  const guesses = inOrder([DAY, -DAY].map(away => local - (localTime(local + away, zone) - local - away)));
  for (const guess of guesses) if (localTime(guess, zone) === local) return guess;
  let instant = Math.min(...guesses);
  while (localTime(instant, zone) < local) instant += MINUTE;
  return instant;
}

export const timeOf = (time: string) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
export const minuteOf = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;
export const startOfDay = (local: number) => Math.floor(local / DAY) * DAY;
export const dayText = (local: number) => textOfDay(Math.floor(local / DAY));
const textOfDay = remembered((day: number) => isoOf(day * DAY).slice(0, 10));
export const isoOf = (instant: number) => new Date(instant).toISOString();
export const inOrder = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

/** 29 February counts on the 28th in years without one. */
export function anniversaryOf(date: number, years: number): number {
  const anniversary = new Date(date);
  anniversary.setUTCFullYear(anniversary.getUTCFullYear() + years);
  if (anniversary.getUTCDate() !== new Date(date).getUTCDate()) anniversary.setUTCDate(0);
  return anniversary.getTime();
}

/** The first instant, not before another one, at which clocks show a time of day. */
export function nextAt(time: number, earliest: number, zone: string): number {
  const today = startOfDay(localTime(earliest, zone));
  const instant = instantOf(today + time, zone);
  return instant >= earliest ? instant : instantOf(today + DAY + time, zone);
}
export const textOf = (value: unknown) => String(value).toLowerCase().trim();
