import { describe, expect, it } from 'vitest';
import {
  type DueRule,
  daysAfter,
  dueOccurrences,
  nextOccurrence,
  type Occurrence,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { NewAutomation } from '#shared/automation.ts';
import type { Metadata } from '#shared/metadata.ts';


const rule = (fields: Partial<DueRule> = {}): DueRule => ({
  ...NewAutomation.parse({ name: 'welcome' }),
  id: 'welcome00000',
  ...fields,
});
const on = (date: string) => new Date(/T/.test(date) ? `${date}Z` : `${date}T00:00:00Z`);
/** The instants, to the minute, with the number of the email where it is not the first of its occurrence. */
const due = (trigger: string, fields: Partial<DueRule>, from: string, until: string) =>
  dueOccurrences(on(trigger), rule(fields), { from: on(from), until: on(until) }).map(({ at, copy }) =>
    [at.toISOString().slice(0, 16), ...(copy > 1 ? [copy] : [])].join(' #'),
  );
const TRIPLE = { triple_send_first: true };

describe('a member is due', () => {
  it('at the minute of their date, from the delay on, every so many days, until the stop', () => {
    const fields = { delay_days: 2, every_x_days: 3, stop_after_days: 8 };
    expect(due('2026-03-01T09:30', fields, '2026-03-01', '2026-04-01')).toEqual([
      '2026-03-03T09:30',
      '2026-03-06T09:30',
      '2026-03-09T09:30',
    ]);
    expect(due('2026-03-01T09:30', { ...fields, stop_after_days: 7 }, '2026-03-01', '2026-04-01')).toEqual([
      '2026-03-03T09:30',
      '2026-03-06T09:30',
    ]);
  });

  it('on the last day with all of its copies, also after the stop', () => {
    const fields = { stop_after_days: 0, ...TRIPLE };
    expect(due('2026-03-01T20:00', fields, '2026-03-01', '2026-04-01')).toEqual([
      '2026-03-01T20:00',
      '2026-03-02T02:00 #2',
      '2026-03-02T08:00 #3',
    ]);
  });
});

describe('an automation that mails once', () => {
  const once = { repeat: 'once', delay_days: 3, every_x_days: 1, stop_after_days: 1 } as const;

  it('mails after the delay, with its copies, whatever the days between emails and the stop', () => {
    expect(due('2026-03-01T09:30', once, '2026-03-01', '2027-04-01')).toEqual(['2026-03-04T09:30']);
    const twice = { ...once, double_send_first: true, triple_send_second: true };
    expect(due('2026-03-01T09:30', twice, '2026-03-01', '2027-04-01')).toEqual([
      '2026-03-04T09:30',
      '2026-03-04T15:30 #2',
    ]);
  });

  it('mails by a date on another day anew, and no more by the one before', () => {
    expect(due('2026-03-02T09:30', once, '2026-03-01', '2027-04-01')).toEqual(['2026-03-05T09:30']);
    const key = (trigger: string) =>
      dueOccurrences(on(trigger), rule(once), { from: on('2026-03-01'), until: on('2026-04-01') })[0]?.key;
    expect(key('2026-03-02T09:30')).toBe('welcome00000#2026-03-05#1');
    expect(key('2026-03-01T09:30')).toBe('welcome00000#2026-03-04#1');
    expect(key('2026-03-01T21:00')).toBe(key('2026-03-01T09:30'));
  });
});

describe('a yearly automation', () => {
  const yearly = { repeat: 'yearly', stop_after_days: 0, every_x_days: 7 } as const;

  it('mails on each anniversary, at the minute of the date, whatever the days between emails and the stop', () => {
    expect(due('1990-12-05T09:30', yearly, '2026-01-01', '2029-01-01')).toEqual([
      '2026-12-05T09:30',
      '2027-12-05T09:30',
      '2028-12-05T09:30',
    ]);
    expect(due('2026-03-01T09:30', yearly, '2026-03-01', '2027-03-02')).toEqual(['2027-03-01T09:30']);
    expect(due('2026-03-01T09:30', { ...yearly, delay_days: 365 }, '2026-03-01', '2028-03-02')).toEqual([
      '2028-02-29T09:30',
    ]);
  });

  it('mails on 28 February in years without a 29th, so many days before or after too', () => {
    const leap = (delay_days: number) =>
      due('2024-02-29', { ...yearly, delay_days }, '2024-03-01', '2029-01-01').map(at => at.slice(0, 10));
    expect(leap(0)).toEqual(['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
    expect(leap(1)).toEqual(['2025-03-01', '2026-03-01', '2027-03-01', '2028-03-01']);
    expect(leap(-28)).toEqual(['2025-01-31', '2026-01-31', '2027-01-31', '2028-02-01']);
  });

  it('mails before the date itself too if it mails before anniversaries', () => {
    const before = { ...yearly, delay_days: -3 };
    expect(due('2026-03-02T09:30', before, '2026-01-01', '2027-12-01')).toEqual([
      '2026-02-27T09:30',
      '2027-02-27T09:30',
    ]);
  });

  it('counts its emails from the first one that exists: copies and number go by that', () => {
    const first = (delay_days: number) =>
      dueOccurrences(on('2026-03-02'), rule({ ...yearly, ...TRIPLE, delay_days }), {
        from: on('2026-01-01'),
        until: on('2028-04-01'),
      }).map(({ k, copy }) => `${k}.${copy}`);
    expect(first(0)).toEqual(['0.1', '0.2', '0.3', '1.1']);
    expect(first(-1)).toEqual(['0.1', '0.2', '0.3', '1.1', '2.1']);
  });
});

describe('minutes of the delay', () => {
  it('are added to its days, also over midnight, and the copies follow the first email', () => {
    const fields = { delay_days: 1, delay_minutes: 150, stop_after_days: 1, ...TRIPLE };
    expect(due('2026-03-01T22:00', fields, '2026-03-01', '2026-04-01')).toEqual([
      '2026-03-03T00:30',
      '2026-03-03T06:30 #2',
      '2026-03-03T12:30 #3',
    ]);
    const yearly = { repeat: 'yearly', delay_minutes: 1_439 } as const;
    expect(due('2024-02-28T00:02', yearly, '2025-01-01', '2026-01-01')).toEqual(['2025-03-01T00:01']);
  });

  it('leave the key that of the day without them', () => {
    const keyOf = (delay_minutes: number) =>
      dueOccurrences(on('2026-03-01T22:00'), rule({ delay_minutes, repeat: 'once' }), {
        from: on('2026-03-01'),
        until: on('2026-04-01'),
      })[0]?.key;
    expect(keyOf(150)).toBe(keyOf(0));
  });
});

describe('the next email', () => {
  const next = (
    trigger: string,
    fields: Partial<DueRule>,
    from: string,
    isWanted = (_: Occurrence) => true,
  ) => nextOccurrence(on(trigger), rule(fields), on(from), isWanted)?.at.toISOString().slice(0, 16);

  it('of a yearly automation is found years ahead, and the one after it where that is claimed', () => {
    const yearly = { repeat: 'yearly', delay_minutes: 1_439, delay_days: 365 } as const;
    expect(next('2026-03-02T23:59', yearly, '2026-03-02')).toBe('2028-03-02T23:58');
    expect(next('2026-03-02T23:59', yearly, '2026-03-02', ({ k }) => k > 0)).toBe('2029-03-03T23:58');
    expect(next('2026-03-20', { repeat: 'yearly', delay_days: -3 }, '2026-03-02')).toBe('2026-03-17T00:00');
  });

  it('of one that mails once is none afterwards', () => {
    expect(next('2026-03-02', { repeat: 'once', delay_days: 3 }, '2026-03-05')).toBe('2026-03-05T00:00');
    expect(next('2026-03-02', { repeat: 'once', delay_days: 3 }, '2026-03-05T00:01')).toBeUndefined();
  });
});

describe('an automation that is switched on', () => {
  const fields = { active_since: '2026-03-02T09:30:40.000Z' };

  it('sends what is due in the very minute, and nothing that was due before', () => {
    const daily = (time: string) => due(`2026-03-01T${time}`, fields, '2026-03-01', '2026-03-03');
    expect(daily('09:30')).toEqual(['2026-03-02T09:30']);
    expect(daily('09:31')).toEqual(['2026-03-02T09:31']);
    expect(daily('09:29')).toEqual([]);
  });
});

describe('the key of an email', () => {
  const keys = (trigger: string, fields: Partial<DueRule> = {}) =>
    dueOccurrences(on(trigger), rule(fields), { from: on('2026-03-05'), until: on('2026-03-06') }).map(
      ({ key }) => key,
    );

  it('is the automation, the day and the copy: an edited date does not lead to a second email on a day', () => {
    expect(keys('2026-03-01T09:30')).toEqual(['welcome00000#2026-03-05#1']);
    expect(keys('2026-03-04T17:00')).toEqual(keys('2026-03-01T09:30'));
  });
});

it.each(['00:00', '09:30', '18:00'])('an email comes whole days after a date at %s', time => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-08'].map(day =>
    daysAfter(on(`2026-03-01T${time}`), `welcome00000#${day}#1`, rule()),
  );
  expect(days).toEqual([0, 1, 7]);
});

it('a yearly email comes a negative number of days after a date that is ahead, never less than its delay', () => {
  const days = (delay_days: number) =>
    daysAfter(on('2026-03-04T02:00'), 'welcome00000#2026-03-01#1', rule({ repeat: 'yearly', delay_days }));
  expect([-5, -3, -2, 0].map(days)).toEqual([-3, -3, -2, 0]);
});

it('who has no date, or one that cannot be read, is never due', () => {
  const created_at = '2026-03-01T09:30:15.123Z';
  const of = (value: string | number | boolean | undefined, metadata_trigger: string | null) => {
    const metadata: Metadata = value === undefined ? {} : { ends: value };
    return triggerOf({ metadata, created_at }, { metadata_trigger });
  };
  expect(of('2026-03-04', null)).toEqual(on('2026-03-01T09:30:15'));
  expect(of('2026-03-04', 'ends')).toEqual(on('2026-03-04'));
  expect(of('2026-03-04 09:30+02:00', 'ends')).toEqual(on('2026-03-04T07:30'));
  for (const value of [undefined, 'soon', '2026-02-30', '', 20260304, true]) {
    expect(of(value, 'ends')).toBeUndefined();
    const interval = { from: on('2026-03-01'), until: on('2026-04-01') };
    expect(dueOccurrences(of(value, 'ends'), rule(), interval)).toEqual([]);
  }
  expect(
    dueOccurrences(new Date(Number.NaN), rule(), { from: on('2026-03-01'), until: on('2026-04-01') }),
  ).toEqual([]);
});
