import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type DueRule,
  dueOccurrences,
  firstOccurrence,
  isDueAnyway,
  rulesFor,
} from '#core/automation/due/occurrences.ts';
import { nextRead, readsIn, timedIn } from '#core/automation/due/read-plan.ts';
import { Timing } from '#core/automation/due/send-slots.ts';
import { NewAutomation } from '#shared/automation.ts';
import { WEEKDAYS } from '#shared/schedule.ts';
import { readTimeZone } from '#shared/time-zone.ts';
import { extent } from '#test/support/prove.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** With half and quarter hours, on both sides of the date line, and with changes of the clocks of half an hour, one and two. */
const ZONES =
  `UTC Europe/Berlin Europe/London Europe/Moscow Europe/Istanbul America/New_York America/Los_Angeles
  America/Chicago America/Phoenix America/St_Johns America/Sao_Paulo America/Santiago America/Havana
  Asia/Kolkata Asia/Kathmandu Asia/Tokyo Asia/Tehran Asia/Jerusalem Asia/Beirut Asia/Shanghai
  Africa/Cairo Africa/Casablanca Antarctica/Troll Australia/Sydney Australia/Adelaide
  Australia/Lord_Howe Pacific/Auckland Pacific/Chatham Pacific/Kiritimati Pacific/Pago_Pago
  Atlantic/Azores`.split(/\s+/);

const rule = (fields: Partial<DueRule> = {}): DueRule => ({
  ...NewAutomation.parse({ name: 'welcome' }),
  id: 'a',
  ...fields,
});

const formats = new Map<string, Intl.DateTimeFormat>();

function clockIn(zone: string, instant: number | Date): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format.format(instant);
}

type Fields = Partial<DueRule>;
type Organization = Parameters<typeof rulesFor>[1]['organization'];

const quietFrom = (from: string, until: string, time_zone = 'UTC'): NonNullable<Organization> => ({
  time_zone,
  hours: [{ since: '2020-01-01T00:00:00.000Z', time_zone, quiet_hours: [{ from, until }] }],
});

const dueInJune = (trigger: string, fields: Fields, organization?: Organization) => {
  const rules = rulesFor(rule(fields), { organization, list: undefined });
  const interval = { from: new Date('2026-06-01'), until: new Date('2026-06-10') };
  return dueOccurrences(new Date(trigger), rules(undefined), interval);
};

// That times of day, days off, quiet hours and time zones decide as the rules say, in random worlds, is proven by test/model;
// here is what that leaves out.

describe('on days off nothing goes', () => {
  it('of what would go on one day only the newest does', () => {
    // 2026-06-05 is a Friday.
    const fields: Fields = { days_off: ['saturday', 'sunday'] };
    const due = dueInJune('2026-06-04T10:20:00Z', fields, { time_zone: 'UTC' });
    expect(due.map(({ at, k, key }) => [at.toISOString().slice(0, 10), k, key])).toEqual([
      ['2026-06-04', 0, 'a#2026-06-04#1'],
      ['2026-06-05', 1, 'a#2026-06-05#1'],
      ['2026-06-08', 4, 'a#2026-06-08#1'],
      ['2026-06-09', 5, 'a#2026-06-09#1'],
    ]);
  });

  it('the last email goes after several of them, too', () => {
    const fields = { dates_off: ['2026-06-02', '2026-06-03', '2026-06-04'], stop_after_days: 0 };
    expect(dueInJune('2026-06-02T10:20Z', fields)).toMatchObject([{ at: new Date('2026-06-05T10:20Z') }]);
  });
});

describe('in quiet hours nothing goes', () => {
  it('what waits for their end, for a day that is not off, and for their end again has waited since the first time', () => {
    const organization = quietFrom('22:00', '08:00');
    const changed = { time_zone: 'UTC', quiet_hours: [{ from: '07:00', until: '10:00' }] };
    organization.hours?.push({ since: '2026-06-07T12:00:00.000Z', ...changed });
    const fields: Fields = { stop_after_days: 0, days_off: ['saturday', 'sunday'] };
    const due = dueInJune('2026-06-05T23:00Z', fields, organization);
    expect(due).toMatchObject([
      { at: new Date('2026-06-08T10:00Z'), heldSince: new Date('2026-06-05T23:00Z') },
    ]);
  });

  it('hours that are changed hold from then on: what waits goes when the new ones let it', () => {
    const hours = (since: string, until?: string) => ({
      since: `${since}:00.000Z`,
      time_zone: 'UTC',
      quiet_hours: until ? [{ from: '22:00', until }] : [],
    });
    const organization = {
      time_zone: 'UTC',
      hours: [
        hours('2020-01-01T00:00', '08:00'),
        hours('2026-06-03T03:00', '05:00'),
        hours('2026-06-04T01:00'),
      ],
    };
    const at = (time: string) =>
      dueInJune(time, { stop_after_days: 0 }, organization).map(({ at }) => clockIn('UTC', at));
    expect(at('2026-06-01T23:00Z')).toEqual(['2026-06-02 08:00']);
    expect(at('2026-06-02T23:00Z')).toEqual(['2026-06-03 05:00']);
    expect(at('2026-06-03T23:00Z')).toEqual(['2026-06-04 01:00']);
    expect(at('2026-06-04T23:00Z')).toEqual(['2026-06-04 23:00']);
  });
});

describe('over years of changed clocks', () => {
  const YEARS = extent(1, 10);
  const from = Date.parse('2026-01-01');
  const until = Date.parse(`${2026 + YEARS}-01-01`);

  it.each(ZONES)('in %s an email goes each day, as soon as clocks have reached its time', zone => {
    for (const send_at of extent(['02:30', '23:59'], ['00:00', '01:30', '02:30', '09:00', '23:59'])) {
      const rules = rulesFor(rule({ send_at }), { organization: { time_zone: zone }, list: undefined });
      const due = dueOccurrences(new Date('2025-12-01'), rules(undefined), {
        from: new Date(from),
        until: new Date(until),
      });
      const days = due.map(({ key }) => key.split('#')[1]);
      expect(new Set(days).size).toBe(days.length);
      expect(days.length).toBeGreaterThanOrEqual(365 * YEARS - 1);
      for (const { at, key } of due) {
        const wanted = `${key.split('#')[1]} ${send_at}`;
        const isFirst = clockIn(zone, at) >= wanted && clockIn(zone, at.getTime() - MINUTE) < wanted;
        expect(isFirst, wanted).toBe(true);
      }
    }
  });
});

const time = fc
  .integer({ min: 0, max: 47 })
  .map(half => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
const zone = fc.constantFrom(...ZONES);
const settings = fc.record({
  send_at: fc.option(time),
  time_zone_of: fc.constantFrom('organization', 'list', 'member'),
  days_off: fc.subarray([...WEEKDAYS], { maxLength: 6 }),
  dates_off: fc.subarray([
    '2026-03-27',
    '2026-03-28',
    '2026-03-29',
    '2026-03-30',
    '2026-10-25',
    '2026-04-05',
  ]),
  sends: fc.constantFrom('', 'double_send_first', 'triple_send_second'),
  every_x_days: fc.constantFrom(1, 1, 2, 7),
  /** A yearly one counts from dates of earlier years. */
  repeat: fc.constantFrom('days', 'days', 'once', 'yearly'),
  years: fc.integer({ min: 0, max: 3 }),
  before: fc.constantFrom(0, 3, 30),
  delay_minutes: fc.constantFrom(0, 0, 90, 1_439),
  organization: zone,
  list: fc.option(zone),
  member: fc.option(zone),
  hours: fc.array(
    fc.record({
      /** Of the day that is looked at, or of one of the days before. */
      since: fc.constantFrom(-400 * 24, -50, -30, -13, 2),
      zone,
      quiet: fc.array(fc.record({ from: time, until: time }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
  day: fc.constantFrom(
    '2026-03-08',
    '2026-03-29',
    '2026-03-30',
    '2026-04-05',
    '2026-10-04',
    '2026-10-26',
    '2026-06-10',
  ),
  dates: fc.array(
    fc.oneof(fc.integer({ min: -60 * 1440, max: 2 * 1440 }), fc.integer({ min: -3 * 1440, max: 2 * 1440 })),
    { minLength: 3, maxLength: 6 },
  ),
});

type Made = typeof settings extends fc.Arbitrary<infer T> ? T : never;

function timedWith(made: Omit<Made, 'dates'>) {
  const {
    send_at,
    sends,
    organization: time_zone,
    list,
    member,
    day,
    hours,
    before,
    years: _,
    ...times
  } = made;
  const start = Date.parse(day);
  const time_zone_of = send_at ? times.time_zone_of : 'list';
  const of = {
    organization: {
      time_zone,
      hours: hours
        .map(({ since, zone: time_zone, quiet }) => ({
          since: new Date(start + since * HOUR).toISOString(),
          time_zone,
          quiet_hours: quiet.filter(({ from, until }) => from !== until && quiet.length === 1),
        }))
        .sort((a, b) => (a.since < b.since ? -1 : 1)),
    },
    list: { time_zone: list },
  };
  const delay_days = times.repeat === 'yearly' ? 0 - before : 0;
  const delay_minutes = send_at ? 0 : times.delay_minutes;
  const sending = { ...times, send_at, time_zone_of, delay_days, delay_minutes };
  const automation = rule({ ...sending, ...(sends && { [sends]: true }) });
  const timed = timedIn(automation, of);
  return {
    timed,
    mine: timed.rules(member ?? undefined),
    isOfZone: time_zone_of === 'member' && member !== null,
  };
}

/** Of an earlier year, if it counts from anniversaries. */
function dated({ repeat, years, before, day }: Omit<Made, 'dates'>, date: number): number {
  const days = repeat === 'yearly' ? before - Math.round(years * 365.25) : 0;
  return Date.parse(day) + days * DAY + date * MINUTE;
}

it('whatever is due in a minute is among what is read for it, whichever times, days, hours and zones', () => {
  fc.assert(
    fc.property(settings, made => {
      const { timed, mine, isOfZone } = timedWith(made);
      if (!mine.timing) return;
      const { send_at, member, dates } = made;
      const start = Date.parse(made.day);
      for (const date of dates) {
        const trigger = dated(made, date);
        const span = { from: new Date(start), until: new Date(start + DAY) };
        const due = dueOccurrences(new Date(trigger), mine, span);
        for (const { at } of due) {
          const reads = readsIn(timed, at.getTime());
          if (isOfZone) expect(reads?.zones).toContain(readTimeZone(member ?? ''));
          else if (send_at) expect(reads?.minutes).toBe('all');
          else expect([...(reads?.minutes ?? [])]).toContain((((trigger / MINUTE) % 1440) + 1440) % 1440);
        }
      }
    }),
    { numRuns: extent(40, 400) },
  );
});

it('a weekend’s dates are read for on Monday at their local time, if the clocks were changed and no second email is due then', () => {
  const timed = timedIn(rule({ days_off: ['saturday', 'sunday'], double_send_first: true }), {
    organization: quietFrom('22:00', '08:00', 'Europe/Berlin'),
    list: undefined,
  });
  // At 10:00 in Berlin, on Monday and on Saturday; the second email of 04:00 goes at 14:00.
  expect(readsIn(timed, Date.parse('2026-03-30T08:00Z'))?.minutes).toEqual(new Set([8 * 60, 9 * 60]));
});

it('a minute by itself owes what the days around it owe then, whichever times, days, hours and zones', () => {
  fc.assert(
    fc.property(settings, made => {
      const { mine } = timedWith(made);
      const start = Date.parse(made.day);
      const between = (trigger: number, from: number, until: number) =>
        dueOccurrences(new Date(trigger), mine, { from: new Date(from), until: new Date(until) });
      for (const date of made.dates) {
        const trigger = dated(made, date);
        // What is due long before its slot is found from far enough back here.
        for (const one of between(trigger, start - 70 * DAY, start + 8 * DAY)) {
          const at = one.at.getTime();
          expect(between(trigger, at, at + MINUTE)).toEqual([one]);
        }
      }
    }),
    { numRuns: extent(20, 150) },
  );
});

it('of two emails on a day of 25 hours, a minute by itself owes the one that the days around it owe', () => {
  const zone = 'America/St_Johns';
  const rules = rulesFor(rule({ days_off: ['saturday'] }), {
    organization: { time_zone: zone },
    list: undefined,
  });
  const dueBetween = (from: string, until: string) =>
    dueOccurrences(new Date('2026-10-28T02:30Z'), rules(undefined), {
      from: new Date(from),
      until: new Date(until),
    });
  expect(dueBetween('2026-11-01T00:00Z', '2026-11-03T00:00Z').map(({ at }) => clockIn(zone, at))).toEqual([
    '2026-11-01 23:00',
  ]);
  expect(dueBetween('2026-11-01T02:30Z', '2026-11-01T02:31Z')).toEqual([]);
});

const timesOf = (organization: Organization, listZone?: string) => ({
  organization,
  list: listZone === undefined ? undefined : { time_zone: listZone },
});

it.each<[setting: string, fields: Fields, of?: Parameters<typeof timedIn>[1]]>([
  ['send_at', { send_at: '10:00' }],
  ['time_zone_of', { send_at: '09:00', time_zone_of: 'member' }],
  ['days_off', { send_at: '09:00', days_off: ['monday'] }],
  ['dates_off', { send_at: '09:00', dates_off: ['2026-03-02'] }],
  ['the minutes of the delay', { send_at: '09:00', delay_minutes: 30 }],
  ['a second email', { send_at: '09:00', double_send_first: true }],
  ['the time zone of the organization', { send_at: '09:00' }, timesOf({ time_zone: 'Asia/Tokyo' })],
  ['the time zone of the list', { send_at: '09:00' }, timesOf({ time_zone: 'UTC' }, 'Asia/Tokyo')],
  ['quiet hours', { send_at: '09:00' }, timesOf(quietFrom('08:00', '11:00'))],
])('minutes to read are kept by every setting: %s', (_, fields, of = timesOf({ time_zone: 'UTC' })) => {
  const minute = Date.parse('2026-03-02T09:00Z');
  const plain = () => timedIn(rule({ send_at: '09:00' }), timesOf({ time_zone: 'UTC' }));
  expect(readsIn(plain(), minute)?.minutes).toBe('all');
  expect(timedIn(rule(fields), of).days).not.toBe(plain().days);
  expect(plain().days).toBe(plain().days);
});

describe('the next minute in which something may be due', () => {
  const next = (timed: ReturnType<typeof timedIn>, from: string) =>
    new Date(nextRead(timed, Date.parse(`${from}Z`))).toISOString().slice(0, 16);
  const at = (fields: Fields, organization: Organization = {}) =>
    timedIn(rule(fields), { organization, list: undefined });

  it('is that minute itself, where something is', () => {
    const timed = at({ send_at: '09:00' });
    expect(next(timed, '2026-06-02T08:59')).toBe('2026-06-02T09:00');
    expect(next(timed, '2026-06-02T09:00')).toBe('2026-06-02T09:00');
    expect(next(timed, '2026-06-02T09:01')).toBe('2026-06-03T09:00');
    const quiet = at({}, quietFrom('22:00', '08:00'));
    expect(next(quiet, '2026-06-02T07:59')).toBe('2026-06-02T08:00');
    expect(readsIn(quiet, Date.parse('2026-06-02T07:59Z'))).toBeUndefined();
  });

  it('is known of each of many automations, more than are kept', () => {
    for (let other = 0; other < 2_100; other++) {
      const day = new Date(Date.parse('2031-01-01') + other * DAY).toISOString().slice(0, 10);
      expect(next(at({ send_at: '09:00', dates_off: [day] }), '2026-06-02T00:00')).toBe('2026-06-02T09:00');
    }
  });
});

it('a hundred dates off on the only day of the week that is not are no work, for a sweep or for a member', () => {
  const days_off = WEEKDAYS.filter(day => day !== 'monday');
  const dates_off = Array.from({ length: 100 }, (_, week) =>
    new Date(Date.parse('2026-01-05') + week * 7 * DAY).toISOString().slice(0, 10),
  );
  const times: Fields[] = [{}, { send_at: '09:00' }, { send_at: '09:00', time_zone_of: 'member' }];
  for (const fields of times) {
    const timed = timedIn(rule({ days_off, dates_off, triple_send_first: true, ...fields }), {
      organization: quietFrom('22:00', '08:00', 'Europe/Berlin'),
      list: undefined,
    });
    const mine = timed.rules(undefined);
    const asked = [vi.spyOn(Timing.prototype, 'slotOf'), vi.spyOn(Timing.prototype, 'slotOn')];
    const due = (trigger: number, from: string) =>
      dueOccurrences(new Date(trigger), mine, {
        from: new Date(`${from}T00:00Z`),
        until: new Date(`${from}T23:59Z`),
      });
    for (let member = 0; member < 100; member++)
      expect(due(Date.parse('2025-01-01') + member * 61 * MINUTE, '2027-12-06').length).toBe(1);
    readsIn(timed, Date.parse('2027-12-06T12:00Z'));
    readsIn(timed, Date.parse('2027-12-05T12:00Z'));
    // Day by day it would be several times as much, or a hundred times.
    expect(asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(75_000);
    vi.restoreAllMocks();
  }
});

it('an email of a day is due anyway, and the first one is found, however many days off it waits for after quiet hours', () => {
  const waiting = (dates_off: string[]) =>
    timedIn(rule({ dates_off }), { organization: quietFrom('22:00', '07:00'), list: undefined }).rules(
      undefined,
    );
  const on = '2026-10-28T12:00:00.000Z';
  const date = new Date('2026-10-22T22:00Z');
  for (const dates_off of [[], ['2026-10-29', '2026-10-30', '2026-10-31']]) {
    expect(isDueAnyway(date, waiting(dates_off), on, new Date(on))).toBe(true);
  }
  const week = Array.from({ length: 7 }, (_, day) => `2026-10-${23 + day}`);
  expect(firstOccurrence(date, waiting(week))?.at.toISOString()).toBe('2026-10-30T07:00:00.000Z');
  expect(isDueAnyway(date, { ...waiting([]), stop_after_days: 5 }, on, new Date(on))).toBe(false);
});
