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

// That what is due is what the rules say, in random worlds, is proven by test/model; here are examples.

const rule = (fields: Partial<DueRule> = {}): DueRule => ({
  ...NewAutomation.parse({ name: 'welcome' }),
  id: 'welcome00000',
  ...fields,
});
const on = (date: string) => new Date(/T/.test(date) ? `${date}Z` : `${date}T00:00:00Z`);
const yearly = { repeat: 'yearly', stop_after_days: 0, every_x_days: 7 } as const;

it.each<[fields: Partial<DueRule>, trigger: string, due: string]>([
  [{ delay_days: 2, every_x_days: 3, stop_after_days: 8 }, '2026-03-01T09:30', '03-03 03-06 03-09'],
  [{ delay_days: 2, every_x_days: 3, stop_after_days: 7 }, '2026-03-01T09:30', '03-03 03-06'],
  [{ repeat: 'once', delay_days: 3, stop_after_days: 1 }, '2026-03-01T09:30', '03-04'],
  [yearly, '1990-03-05', '03-05'],
  [yearly, '2026-03-01', ''],
  [yearly, '2024-02-29', ''],
  [{ ...yearly, delay_days: 1 }, '2024-02-29', '03-01'],
  [{ ...yearly, delay_days: -3 }, '2026-03-04', '03-01'],
  [{ repeat: 'once', delay_minutes: 1_439 }, '2026-02-28T00:02', '03-01'],
  [{ active_since: '2026-03-09T09:30:40Z' }, '2026-03-01T09:30', '03-09 03-10'],
  [{ active_since: '2026-03-09T09:30:40Z' }, '2026-03-01T09:29', '03-10'],
])('with %j, the days of emails by %s from 1 to 10 March 2026 are: %s', (fields, trigger, due) => {
  const interval = { from: on('2026-03-01'), until: on('2026-03-11') };
  const found = dueOccurrences(on(trigger), rule(fields), interval);
  expect(found.map(({ at }) => at.toISOString().slice(5, 10)).join(' ')).toBe(due);
});

it('copies follow the first email also after the stop, with its number and the day without the minutes of the delay', () => {
  const fields = { ...yearly, delay_minutes: 150, triple_send_first: true };
  const interval = { from: on('2026-03-01'), until: on('2027-04-01') };
  const keys = dueOccurrences(on('2025-03-01T22:00'), rule(fields), interval).map(
    ({ at, k, key }) => `${at.toISOString().slice(0, 16)} ${k} ${key}`,
  );
  expect(keys).toEqual([
    '2026-03-02T00:30 0 welcome00000#2026-03-01#1',
    '2026-03-02T06:30 0 welcome00000#2026-03-01#2',
    '2026-03-02T12:30 0 welcome00000#2026-03-01#3',
    '2027-03-02T00:30 1 welcome00000#2027-03-01#1',
  ]);
});

describe('the next email', () => {
  const next = (
    trigger: string,
    fields: Partial<DueRule>,
    from: string,
    isWanted = (_: Occurrence) => true,
  ) => nextOccurrence(on(trigger), rule(fields), on(from), isWanted)?.at.toISOString().slice(0, 16);

  it('of a yearly automation is found years ahead, and the one after it where that is claimed', () => {
    const late = { repeat: 'yearly', delay_minutes: 1_439, delay_days: 365 } as const;
    expect(next('2026-03-02T23:59', late, '2026-03-02')).toBe('2028-03-02T23:58');
    expect(next('2026-03-02T23:59', late, '2026-03-02', ({ k }) => k > 0)).toBe('2029-03-03T23:58');
    expect(next('2026-03-20', { repeat: 'yearly', delay_days: -3 }, '2026-03-02')).toBe('2026-03-17T00:00');
  });

  it('of one that mails once is none afterwards', () => {
    expect(next('2026-03-02', { repeat: 'once', delay_days: 3 }, '2026-03-05')).toBe('2026-03-05T00:00');
    expect(next('2026-03-02', { repeat: 'once', delay_days: 3 }, '2026-03-05T00:01')).toBeUndefined();
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
  const interval = { from: on('2026-03-01'), until: on('2026-04-01') };
  for (const value of [undefined, 'soon', '2026-02-30', '', 20260304, true]) {
    expect(of(value, 'ends')).toBeUndefined();
    expect(dueOccurrences(of(value, 'ends'), rule(), interval)).toEqual([]);
  }
  expect(dueOccurrences(new Date(Number.NaN), rule(), interval)).toEqual([]);
});
