import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DueRule, daysAfter, dueOccurrences, triggerOf } from '#core/automation/due/occurrences.ts';
import { MOST_DAYS, NewAutomation } from '#shared/automation.ts';
import type { Metadata } from '#shared/metadata.ts';
import { dueByModel } from '#test/support/due-model.ts';
import { extent } from '#test/support/prove.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
    daysAfter(on(`2026-03-01T${time}`), `welcome00000#${day}#1`),
  );
  expect(days).toEqual([0, 1, 7]);
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

const flag = fc.boolean();
const multiple = fc.record({
  double_send_first: flag,
  double_send_second: flag,
  double_send_third: flag,
  triple_send_first: flag,
  triple_send_second: flag,
  triple_send_third: flag,
});
const days = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(28, 29, 365, 366, MOST_DAYS));
const every = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(28, 365, 366, MOST_DAYS));
const DATES = ['2026-03-05', '2028-02-29', '2028-03-01', '2027-01-01', '2100-02-28'];
/** Some second of a window of a few days around a date. */
const instant = fc
  .record({ date: fc.constantFrom(...DATES), seconds: fc.integer({ min: 0, max: 86_400 * 2 }) })
  .map(({ date, seconds }) => new Date(on(date).getTime() + seconds * 1000));
/** A multiple of some minutes, so that instants meet. */
const coarse = (unit: number, most: number) =>
  fc.integer({ min: -most, max: most }).map(times => times * unit);

const scenario = fc.record({
  from: fc.oneof(
    instant,
    instant.map(at => new Date(Math.floor(at.getTime() / (6 * HOUR)) * 6 * HOUR)),
  ),
  length: fc.oneof(fc.integer({ min: 0, max: 2 * DAY }), fc.constantFrom(0, 1, MINUTE, DAY, DAY + MINUTE)),
  every_x_days: every,
  delay_days: days,
  /** Occurrences until the window, some of which are in the future, and until the stop. */
  ago: fc.integer({ min: -1, max: 4 }),
  last: fc.option(fc.integer({ min: -1, max: 5 }), { nil: null }),
  afterLast: fc.integer({ min: -1, max: 1 }),
  multiple,
  /** Of the date from the one whose occurrence begins the window, and of the activation from that beginning. */
  shift: fc.oneof(coarse(6 * HOUR, 5), coarse(MINUTE, 3), coarse(1000, 90)),
  active: fc.option(fc.oneof(coarse(6 * HOUR, 3), coarse(1000, 90)), { nil: undefined }),
});

it('what is due is what a walk over every minute finds', () => {
  const found = new Map<string, number>();
  fc.assert(
    fc.property(scenario, ({ from, length, ago, last, afterLast, shift, active, multiple, ...schedule }) => {
      const { delay_days: delay, every_x_days: every } = schedule;
      const until = new Date(from.getTime() + length);
      const trigger = new Date(from.getTime() - (delay + ago * every) * DAY + shift);
      const automation = rule({
        ...schedule,
        ...multiple,
        stop_after_days: last === null ? null : Math.max(0, delay + last * every + afterLast),
        active_since: active === undefined ? undefined : new Date(from.getTime() + active).toISOString(),
      });
      const emails = dueOccurrences(trigger, automation, { from, until });
      for (const { k, copy } of emails) found.set(`${k}.${copy}`, (found.get(`${k}.${copy}`) ?? 0) + 1);
      expect(emails).toEqual(dueByModel(trigger, automation, from, until));
    }),
    { seed: 13, numRuns: extent(400, 1_000) },
  );
  // Otherwise the two might agree because nothing is due.
  for (const kind of ['0.1', '0.2', '0.3', '1.1', '1.2', '1.3', '2.1', '2.3', '3.1', '4.1']) {
    expect(found.get(kind), kind).toBeGreaterThan(5);
  }
});
