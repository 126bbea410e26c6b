import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { dueOccurrences } from '#core/automation/due/occurrences.ts';
import * as list from '#core/list/list.ts';
import { inParallel } from '#core/parallel.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Simulation } from '#shared/simulation.ts';
import {
  addMember,
  inSmallPages,
  type Member,
  newLists,
  setSubscribed,
} from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { extent } from '#test/support/prove.ts';
import { unstored } from '#test/support/unstored.ts';

const table = freshTable();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = new Date('2026-03-01T12:00:00Z');

const run = (automation: StoredAutomation, now = noon, on: Table = table, hasTimeLeft = (_ = 0) => true) =>
  simulate({ table: on, now, hasTimeLeft }, automation);

type On = { of: list.CountedList; member: Member };
type Email = { email: string; list: list.CountedList; at: Date };

/** What is sent within 24 hours, by the due rule, from the beginning of the day on. */
function model(automation: StoredAutomation, members: On[], now: Date): Email[] {
  const from = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  const day = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const active_since = automation.active ? automation.active_since : now.toISOString();
  const interval = { from: day, until: new Date(from.getTime() + DAY) };
  const due = members
    .filter(({ of, member }) => of.active && member.state === 'subscribed')
    .flatMap(({ of, member: { email, date } }) =>
      dueOccurrences(date, { ...automation, active_since }, interval)
        .filter(({ copy }) => copy === 1)
        .map(({ key, at }) => ({ email, list: of, key, at })),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.list.id < b.list.id ? -1 : 1));
  const sent = new Set<string>();
  return due.filter(({ email, key, at }) => {
    const isFirst = !sent.has(`${email} ${key}`);
    sent.add(`${email} ${key}`);
    return isFirst && at >= from;
  });
}

/** What is shown of the emails before an instant: of those of one minute in any order. */
function numbers(emails: Email[], before: string) {
  const counted = emails.filter(({ at }) => at < new Date(before));
  const hours = Map.groupBy(counted, ({ at }) => `${at.toISOString().slice(0, 13)}:00:00.000Z`);
  return {
    total_count: counted.length,
    hours: [...hours].map(([hour, { length: count }]) => ({ hour, count })),
    samples: counted.map(({ at, email, list }) => `${at.toISOString()} ${email} ${list.name}`).sort(),
  };
}

function numbersOf({ total_count, hourly_summary, sample_emails }: Simulation) {
  const samples = sample_emails.map(one => `${one.scheduled_time} ${one.email} ${one.list_name}`);
  const times = sample_emails.map(({ scheduled_time }) => scheduled_time);
  expect(times).toEqual([...times].sort());
  const hours = hourly_summary.flatMap(({ hour, count }) => (count > 0 ? [{ hour, count }] : []));
  return { total_count, hours, samples: samples.sort() };
}

const offset = fc.record({
  days: fc.integer({ min: -4, max: 1 }),
  minutes: fc.oneof(fc.constantFrom(-1, 0, 1, -360, 360, 720), fc.integer({ min: -720, max: 720 })),
  seconds: fc.constantFrom(-1, 0, 1, 30),
});
const at = (now: Date, { days, minutes, seconds }: { days: number; minutes: number; seconds: number }) =>
  new Date(now.getTime() + days * DAY + minutes * MINUTE + seconds * 1000);
const member = fc.record({
  person: fc.integer({ min: 0, max: 6 }),
  list: fc.constantFrom(0, 1),
  offset,
  state: fc.constantFrom('subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'removed'),
  movedFrom: fc.option(offset, { nil: undefined, freq: 4 }),
});
const scenario = fc.record({
  now: fc
    .constantFrom('2026-03-01T12:00:00.000Z', '2028-02-29T23:59:59.999Z', '2026-03-02T00:00:30.000Z')
    .map(text => new Date(text)),
  members: fc.uniqueArray(member, { minLength: 6, maxLength: 14, selector: of => `${of.person} ${of.list}` }),
  isSecondActive: fc.constantFrom(true, true, false),
  metadata_trigger: fc.constantFrom(null, 'starts'),
  every_x_days: fc.constantFrom(1, 1, 2, 3),
  delay_days: fc.constantFrom(0, 0, 1, 2),
  stop_after_days: fc.constantFrom(null, null, 1, 3, 5),
  active: fc.boolean(),
  since: offset,
  double_send_first: fc.boolean(),
  perPage: fc.integer({ min: 1, max: 5 }),
});

it('a simulation finds what is due by the dates of the members, in any lists and with any schedule', {
  timeout: 600_000,
}, async () => {
  let emails = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ now, members, isSecondActive, since, perPage, ...fields }) => {
      const lists = await newLists(table, now, ['A', 'B']);
      await list.change({ table, now }, lists[1] as list.CountedList, { active: isSecondActive });
      const [a, b] = lists as [list.CountedList, list.CountedList];
      const second = { ...b, active: isSecondActive };
      const there: On[] = members.map(({ person, list, offset, state }) => ({
        of: list === 0 ? a : second,
        member: { email: `person${person}@example.com`, date: at(now, offset), state },
      }));
      const move = fields.metadata_trigger === 'starts';
      await inParallel([...there.entries()], 4, async ([i, { of, member }]) => {
        const before = members[i]?.movedFrom;
        // The instant at which somebody was added does not move.
        if (before && move)
          await addMember(table, of, { ...member, date: at(now, before), state: 'subscribed' });
        await addMember(table, of, member);
      });
      const ids = lists.map(({ id }) => id);
      const active_since = at(now, since).toISOString();
      const automation = unstored(a.organization_id, { ...fields, email_list_ids: ids, active_since });
      const expected = model(automation, there, now);
      emails += expected.length;
      const simulation = await run(automation, now, inSmallPages(table, perPage).on);
      expect(numbersOf(simulation)).toEqual(numbers(expected, simulation.until));
      expect(simulation.counted_until).toBe(simulation.until);
      expect(simulation.inactive_lists).toEqual(isSecondActive ? [] : [b.name]);
    }),
    { seed: 13, numRuns: extent(8, 25) },
  );
  // Otherwise the two might agree because nothing is due.
  expect(emails).toBeGreaterThan(extent(10, 50));
});

it('a simulation whose time runs out has counted up to an instant, and nothing beyond it', {
  timeout: 600_000,
}, async () => {
  const now = new Date('2026-03-01T12:00:30Z');
  const [a, b] = (await newLists(table, now, ['A', 'B'])) as [list.CountedList, list.CountedList];
  const members: On[] = [];
  for (let i = 0; i < 24; i++) {
    const date = new Date(now.getTime() - 3 * DAY + i * 61 * MINUTE);
    members.push({ of: i % 3 ? a : b, member: { email: `p${i}@example.com`, date, state: 'subscribed' } });
  }
  for (const { of, member } of members) await addMember(table, of, member);
  await setSubscribed(table, a, 20);
  await setSubscribed(table, b, 8);
  const automation = unstored(a.organization_id, { email_list_ids: [a.id, b.id] });
  const expected = model(automation, members, now);
  const ends: string[] = [];
  for (let calls = 1; ends.at(-1) !== '2026-03-02T12:00:00.000Z'; calls++) {
    expect(calls).toBeLessThan(40);
    let left = calls;
    const simulation = await run(
      automation,
      now,
      inSmallPages(table, 2).on,
      (reserveMs = 0) => reserveMs === 0 || --left > 0,
    );
    const { counted_until, until, left_out } = simulation;
    expect(numbersOf(simulation)).toEqual(numbers(expected, counted_until));
    expect(left_out).toBe(counted_until === until ? 4 : null);
    ends.push(counted_until);
  }
  expect(ends).toEqual([...ends].sort());
  expect(ends[0]).toBe('2026-03-01T12:00:00.000Z');
  expect(new Set(ends).size).toBeGreaterThan(8);
});
