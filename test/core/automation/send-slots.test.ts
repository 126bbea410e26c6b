import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type DueRule,
  dueOccurrences,
  isDueAnyway,
  rulesFor,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { nextRead, readsIn, timedIn } from '#core/automation/due/read-plan.ts';
import { Timing } from '#core/automation/due/send-slots.ts';
import { NewAutomation } from '#shared/automation.ts';
import { type SendTimes, WEEKDAYS } from '#shared/schedule.ts';
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

/** What is due for a member, as `2026-03-01 09:00` by the clock of a zone. */
function dueIn(
  zone: string,
  trigger: string,
  [from, until]: [string, string],
  fields: Fields,
  { organization, memberZone }: { organization?: Organization; memberZone?: string } = {},
): string[] {
  const rules = rulesFor(rule(fields), {
    organization: organization ?? { time_zone: zone },
    list: undefined,
  });
  const interval = { from: new Date(`${from}T00:00Z`), until: new Date(`${until}T00:00Z`) };
  return dueOccurrences(new Date(trigger), rules(memberZone), interval).map(({ at }) => clockIn(zone, at));
}
const dueInJune = (trigger: string, fields: Fields, organization?: Organization) => {
  const rules = rulesFor(rule(fields), { organization, list: undefined });
  const interval = { from: new Date('2026-06-01'), until: new Date('2026-06-10') };
  return dueOccurrences(new Date(trigger), rules(undefined), interval);
};

describe('at a time of day', () => {
  it('an email goes when that time comes next', () => {
    const once = { send_at: '09:00', stop_after_days: 0 };
    const span: [string, string] = ['2026-06-01', '2026-06-10'];
    expect(dueIn('Europe/Berlin', '2026-06-02T06:59:30Z', span, once)).toEqual(['2026-06-02 09:00']);
    expect(dueIn('Europe/Berlin', '2026-06-02T07:01:00Z', span, once)).toEqual(['2026-06-03 09:00']);
  });

  it('a date without a time means that day, in every time zone', () => {
    for (const zone of ZONES) {
      const fields = { send_at: '09:00', stop_after_days: 0 };
      const due = dueIn(zone, '2026-06-05T00:00Z', ['2026-06-01', '2026-06-10'], fields);
      expect(due, zone).toEqual(['2026-06-05 09:00']);
    }
  });

  it('a time at midnight is no date without a time, but that instant', () => {
    for (const created_at of ['2026-06-05T00:00:00.000Z', '2026-06-05T00:00:20.000Z']) {
      const trigger = triggerOf({ metadata: {}, created_at }, { metadata_trigger: null });
      const fields = { send_at: '09:00', stop_after_days: 0 };
      const due = dueIn(
        'Pacific/Auckland',
        trigger?.toISOString() ?? '',
        ['2026-06-01', '2026-06-10'],
        fields,
      );
      expect(due).toEqual(['2026-06-06 09:00']);
    }
  });

  it('a time that does not exist goes at the next one that does, and one that exists twice goes once', () => {
    const span = (day: string): [string, string] => [
      `2026-${day}`,
      `2026-${day.slice(0, 3)}${Number(day.slice(3)) + 3}`,
    ];
    expect(dueIn('Europe/Berlin', '2026-01-01T00:00Z', span('03-28'), { send_at: '02:30' })).toEqual([
      '2026-03-28 02:30',
      '2026-03-29 03:00',
      '2026-03-30 02:30',
    ]);
    expect(dueIn('Europe/Berlin', '2026-01-01T00:00Z', span('10-24'), { send_at: '02:30' })).toEqual([
      '2026-10-24 02:30',
      '2026-10-25 02:30',
      '2026-10-26 02:30',
    ]);
  });

  it('it is that of the member, else of the list, else of the organization', () => {
    const fields = { send_at: '09:00', stop_after_days: 0, time_zone_of: 'member' } as const;
    const trigger = new Date('2026-06-05T00:00Z');
    const interval = { from: new Date('2026-06-01'), until: new Date('2026-06-10') };
    const hourIn = (
      list: string | undefined,
      member: string | undefined,
      time_zone_of: SendTimes['time_zone_of'] = 'member',
    ) => {
      const of = { organization: { time_zone: 'Asia/Tokyo' }, list: { time_zone: list ?? null } };
      const [due] = dueOccurrences(
        trigger,
        rulesFor(rule({ ...fields, time_zone_of }), of)(member),
        interval,
      );
      return due?.at.toISOString();
    };
    expect(hourIn('Europe/Berlin', 'America/New_York')).toBe('2026-06-05T13:00:00.000Z');
    expect(hourIn('Europe/Berlin', undefined)).toBe('2026-06-05T07:00:00.000Z');
    expect(hourIn(undefined, undefined)).toBe('2026-06-05T00:00:00.000Z');
    expect(hourIn('Europe/Berlin', 'America/New_York', 'list')).toBe('2026-06-05T07:00:00.000Z');
    expect(hourIn('Europe/Berlin', 'America/New_York', 'organization')).toBe('2026-06-05T00:00:00.000Z');
  });

  it('the second and third email go six and twelve hours after it', () => {
    const due = dueIn('Europe/Berlin', '2026-06-02T00:00Z', ['2026-06-01', '2026-06-10'], {
      send_at: '09:00',
      stop_after_days: 0,
      triple_send_first: true,
    });
    expect(due).toEqual(['2026-06-02 09:00', '2026-06-02 15:00', '2026-06-02 21:00']);
  });
});

describe('on days off nothing goes', () => {
  // 2026-06-05 is a Friday.
  const days_off: Fields['days_off'] = ['saturday', 'sunday'];

  it('what is due then goes on the next other day, at its time', () => {
    const fields = { days_off, stop_after_days: 0 };
    const due = dueIn('UTC', '2026-06-06T10:20:00Z', ['2026-06-01', '2026-06-20'], fields);
    expect(due).toEqual(['2026-06-08 10:20']);
  });

  it('of what would go on one day only the newest does', () => {
    const due = dueInJune('2026-06-04T10:20:00Z', { days_off }, { time_zone: 'UTC' });
    expect(due.map(({ at, k, key }) => [at.toISOString().slice(0, 10), k, key])).toEqual([
      ['2026-06-04', 0, 'a#2026-06-04#1'],
      ['2026-06-05', 1, 'a#2026-06-05#1'],
      ['2026-06-08', 4, 'a#2026-06-08#1'],
      ['2026-06-09', 5, 'a#2026-06-09#1'],
    ]);
  });

  it('an email that does not go takes its second and third with it, and one that goes has its own', () => {
    const due = (trigger: string) =>
      dueInJune(trigger, { days_off, triple_send_second: true }, { time_zone: 'UTC' }).map(
        ({ at, k, copy }) => [at.toISOString().slice(5, 16), k, copy],
      );
    expect(due('2026-06-06T02:20:00Z')).toEqual([
      ['06-08T02:20', 2, 1],
      ['06-09T02:20', 3, 1],
    ]);
    expect(due('2026-06-07T02:20:00Z')).toEqual([
      ...[1, 2, 3].map((copy, at) => [`06-08T${['02', '08', '14'][at]}:20`, 1, copy]),
      ['06-09T02:20', 2, 1],
    ]);
  });

  it('nor does a second email that is due six hours later, on a day off', () => {
    const fields = { days_off, stop_after_days: 0, double_send_first: true };
    const due = dueIn('UTC', '2026-06-05T20:20:00Z', ['2026-06-01', '2026-06-20'], fields);
    expect(due).toEqual(['2026-06-05 20:20', '2026-06-08 02:20']);
  });

  it('dates can be off, many in a row', () => {
    const dates_off = Array.from({ length: 14 }, (_, day) =>
      new Date(Date.parse('2026-12-21') + day * DAY).toISOString().slice(0, 10),
    );
    const fields = { dates_off, stop_after_days: 0 };
    const due = dueIn('UTC', '2026-12-22T10:20:00Z', ['2026-12-20', '2027-01-10'], fields);
    expect(due).toEqual(['2027-01-04 10:20']);
  });
});

describe('in quiet hours nothing goes', () => {
  const night = quietFrom('22:00', '08:00', 'Europe/Berlin');

  it('what is due then waits until they end', () => {
    const [due] = dueInJune('2026-06-02T20:30Z', { stop_after_days: 0 }, night);
    expect(due).toMatchObject({
      at: new Date('2026-06-03T06:00Z'),
      heldSince: new Date('2026-06-02T20:30Z'),
      key: 'a#2026-06-02#1',
    });
  });

  it('nothing is held until the minute in which they begin, nor in the one in which they end', () => {
    const at = (time: string) =>
      dueInJune(time, { stop_after_days: 0 }, night).map(({ at }) => clockIn('Europe/Berlin', at));
    expect(at('2026-06-02T19:59Z')).toEqual(['2026-06-02 21:59']);
    expect(at('2026-06-02T20:00Z')).toEqual(['2026-06-03 08:00']);
    expect(at('2026-06-03T05:59Z')).toEqual(['2026-06-03 08:00']);
    expect(at('2026-06-03T06:00Z')).toEqual(['2026-06-03 08:00']);
  });

  it('an email counts for the day that it counted for without them', () => {
    const keys = (organization: Organization) =>
      dueInJune('2026-06-02T20:30Z', {}, organization).map(({ key }) => key);
    expect(keys(quietFrom('01:00', '02:00', 'Pacific/Auckland'))).toEqual(keys(undefined));
  });

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

  it('what waits for their end and for a day that is not off takes the place of no email of that day', () => {
    const fields: Fields = { days_off: ['saturday', 'sunday'], stop_after_days: 3 };
    const due = dueInJune('2026-06-05T23:00Z', fields, quietFrom('22:00', '08:00'));
    expect(due.map(({ at, k, key }) => [at.toISOString().slice(0, 16), k, key])).toEqual([
      ['2026-06-08T08:00', 0, 'a#2026-06-05#1'],
      ['2026-06-09T08:00', 3, 'a#2026-06-08#1'],
    ]);
  });

  it('of two emails of an occurrence that have waited for the same minute, the later goes', () => {
    const due = dueInJune('2026-06-02T14:30Z', { stop_after_days: 0, triple_send_first: true }, night);
    expect(due.map(({ copy, at }) => [copy, clockIn('Europe/Berlin', at)])).toEqual([
      [1, '2026-06-02 16:30'],
      [3, '2026-06-03 08:00'],
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
    for (const send_at of ['00:00', '01:30', '02:30', '09:00', '23:59']) {
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

  it.each(ZONES)('in %s nothing goes in quiet hours, and what waits for their end goes then', zone => {
    const organization = quietFrom('21:30', '02:30', zone);
    const rules = rulesFor(rule(), { organization, list: undefined });
    const isQuiet = (at: number) => {
      const time = clockIn(zone, at).slice(11);
      return time >= '21:30' || time < '02:30';
    };
    // A date that moves around the clock, so that each hour of the day meets each season.
    for (let month = 0; month < 12 * YEARS; month++) {
      const start = from + month * 30 * DAY + ((month * 7) % 24) * HOUR + 17 * MINUTE;
      const due = dueOccurrences(new Date(start), rules(undefined), {
        from: new Date(start + 5 * DAY),
        until: new Date(start + 35 * DAY),
      });
      expect(due.length).toBeGreaterThanOrEqual(29);
      for (const { at, heldSince } of due) {
        expect(isQuiet(at.getTime())).toBe(false);
        if (heldSince) expect(isQuiet(at.getTime() - MINUTE) && isQuiet(heldSince.getTime())).toBe(true);
      }
    }
  });
});

describe('a yearly email', () => {
  const yearly = { repeat: 'yearly', send_at: '09:00' } as const;
  const years: [string, string] = ['2026-01-02', '2028-12-31'];

  it('goes at its time on the local day of the date, in every time zone', () => {
    for (const zone of ZONES) {
      expect(dueIn(zone, '1990-12-05T00:00Z', years, yearly), zone).toEqual(
        [2026, 2027, 2028].map(year => `${year}-12-05 09:00`),
      );
    }
  });

  it('goes on the local day of a date with a time, also where that time is later in the day', () => {
    for (const [trigger, day] of [
      ['1990-12-05T22:59:00Z', '2026-12-05'],
      ['1990-12-05T23:00:00Z', '2026-12-06'],
      ['1990-12-05T08:01:00Z', '2026-12-05'],
    ] as const) {
      const due = dueIn('Europe/Berlin', trigger, ['2026-01-02', '2026-12-31'], yearly);
      expect(due).toEqual([`${day} 09:00`]);
    }
    const member = { ...yearly, time_zone_of: 'member' } as const;
    const due = dueIn('Asia/Tokyo', '1990-12-05T20:00:00Z', ['2026-01-02', '2026-12-31'], member, {
      organization: { time_zone: 'UTC' },
      memberZone: 'Asia/Tokyo',
    });
    expect(due).toEqual(['2026-12-06 09:00']);
  });

  it('goes so many local days before, by the day of the anniversary, over 29 February and changes of clocks', () => {
    const of = (trigger: string, fields: Fields, zone = 'Pacific/Auckland') =>
      dueIn(zone, trigger, ['2026-01-02', '2029-01-01'], { ...yearly, ...fields });
    expect(of('2024-02-29', {})).toEqual(['2026-02-28 09:00', '2027-02-28 09:00', '2028-02-29 09:00']);
    expect(of('2027-03-02', { delay_days: -2 })).toEqual(['2027-02-28 09:00', '2028-02-29 09:00']);
    expect(of('2025-03-29', { send_at: '02:30' }, 'Europe/Berlin')[0]).toBe('2026-03-29 03:00');
  });

  it('waits for a workday and the end of quiet hours, as every email does', () => {
    // 2026-12-05 is a Saturday.
    const days_off: SendTimes['days_off'] = ['saturday', 'sunday'];
    const in2026: [string, string] = ['2026-01-02', '2026-12-31'];
    expect(dueIn('Europe/Berlin', '1990-12-05', in2026, { ...yearly, days_off })).toEqual([
      '2026-12-07 09:00',
    ]);
    const at = (fields: Fields) =>
      dueIn('UTC', '1990-12-05T23:10Z', in2026, fields, { organization: quietFrom('22:00', '08:00') });
    expect(at({ repeat: 'yearly', days_off })).toEqual(['2026-12-08 08:00']);
    expect(at({ repeat: 'yearly' })).toEqual(['2026-12-06 08:00']);
  });
});

describe('minutes of the delay', () => {
  const twoHours = { repeat: 'once', delay_minutes: 120, triple_send_first: true } as const;

  it('are added before quiet hours hold an email, and the copies follow when it goes', () => {
    const quiet = quietFrom('22:00', '08:00');
    const due = (trigger: string) =>
      dueInJune(trigger, twoHours, quiet).map(({ at, key }) => `${at.toISOString().slice(5, 16)} ${key}`);
    expect(due('2026-06-02T21:00Z')).toEqual([
      '06-03T08:00 a#2026-06-02#1',
      '06-03T14:00 a#2026-06-02#2',
      '06-03T20:00 a#2026-06-02#3',
    ]);
    expect(due('2026-06-02T23:30Z')[0]).toBe('06-03T08:00 a#2026-06-02#1');
    expect(due('2026-06-02T06:30Z')[0]).toBe('06-02T08:30 a#2026-06-02#1');
  });

  it('are added before a day off moves an email, which counts for the day on which it goes', () => {
    // 2026-06-06 is a Saturday.
    const fields: Fields = { ...twoHours, triple_send_first: false, days_off: ['saturday'] };
    const [found] = dueInJune('2026-06-05T23:00Z', fields);
    expect(found).toMatchObject({ at: new Date('2026-06-07T01:00Z'), key: 'a#2026-06-07#1' });
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
    { numRuns: extent(100, 400) },
  );
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
    { numRuns: extent(50, 150) },
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
    expect(next(at({}, quietFrom('22:00', '08:00')), '2026-06-02T07:59')).toBe('2026-06-02T08:00');
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

it('an email of a day is due anyway, however many days off it waits for after quiet hours', () => {
  const waiting = (dates_off: string[]) =>
    timedIn(rule({ dates_off }), { organization: quietFrom('22:00', '07:00'), list: undefined }).rules(
      undefined,
    );
  const on = '2026-10-28T12:00:00.000Z';
  const date = new Date('2026-10-22T22:00Z');
  for (const dates_off of [[], ['2026-10-29', '2026-10-30', '2026-10-31']]) {
    expect(isDueAnyway(date, waiting(dates_off), on, new Date(on))).toBe(true);
  }
  expect(isDueAnyway(date, { ...waiting([]), stop_after_days: 5 }, on, new Date(on))).toBe(false);
});
