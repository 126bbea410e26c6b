import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredAutomation } from '../../functions/core/automation/automation.ts';
import * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import { inParallel } from '../../functions/core/parallel.ts';
import * as recipient from '../../functions/core/recipient/recipient.ts';
import { simulate } from '../../functions/core/simulation/simulation.ts';
import { batchWrite, type Table } from '../../functions/core/table.store.ts';
import type { Simulation } from '../../shared/simulation.ts';
import {
  addMember,
  inSmallPages,
  type Member,
  newLists,
  setSubscribed,
  unstored,
} from '../support/core-automation.ts';
import { found } from '../support/core-list.ts';
import { dueByQuickModel } from '../support/due-model.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = new Date('2026-03-01T12:00:00Z');

const run = (automation: StoredAutomation, now = noon, on: Table = table, hasTime = () => true) =>
  simulate({ table: on, now, hasTime }, automation);

type On = { of: list.Found; member: Member };
type Email = { email: string; list: list.Found; at: Date };

/** What is sent within 24 hours, by walking over the time since the day began. */
function model(automation: StoredAutomation, members: On[], now: Date): Email[] {
  const from = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  const day = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const flags = Object.fromEntries(
    Object.keys(automation)
      .filter(key => /_send_/.test(key))
      .map(key => [key, false]),
  );
  const active_since = automation.active ? automation.active_since : now.toISOString();
  const terms = { ...automation, ...flags, active_since };
  const due = members
    .filter(({ of, member }) => of.active && member.state === 'subscribed')
    .flatMap(({ of, member: { email, date } }) =>
      dueByQuickModel(date, terms, day, new Date(from.getTime() + DAY)).map(({ key, at }) => ({
        email,
        list: of,
        key,
        at,
      })),
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
  return { total_count, hours: hourly_summary.filter(({ count }) => count > 0), samples: samples.sort() };
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

describe('a simulation', () => {
  it('finds what a walk over the day finds, in any lists and with any schedule', {
    timeout: 60_000,
  }, async () => {
    let emails = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ now, members, isSecondActive, since, perPage, ...fields }) => {
        const lists = await newLists(table, now, ['A', 'B']);
        await list.change({ table, now }, lists[1] as list.Found, { active: isSecondActive });
        const [a, b] = lists as [list.Found, list.Found];
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
      { seed: 13, numRuns: 25 },
    );
    // Otherwise the two might agree because nothing is due.
    expect(emails).toBeGreaterThan(50);
  });

  it('whose time runs out has counted up to an instant, and nothing beyond it', {
    timeout: 30_000,
  }, async () => {
    const now = new Date('2026-03-01T12:00:30Z');
    const [a, b] = (await newLists(table, now, ['A', 'B'])) as [list.Found, list.Found];
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
      const simulation = await run(automation, now, inSmallPages(table, 2).on, () => --left > 0);
      const { counted_until, until, left_out } = simulation;
      expect(numbersOf(simulation)).toEqual(numbers(expected, counted_until));
      expect(left_out).toBe(counted_until === until ? 4 : null);
      ends.push(counted_until);
    }
    expect(ends).toEqual([...ends].sort());
    expect(ends[0]).toBe('2026-03-01T12:00:00.000Z');
    expect(new Set(ends).size).toBeGreaterThan(8);
  });

  it('answers 100 samples, the earliest, and says where there are more', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.Found];
    const automation = unstored(of.organization_id, { email_list_ids: [of.id], name: 'daily' });
    const people = (from: number, until: number) =>
      Array.from({ length: until - from }, (_, i) => ({ email: `reader${from + i}@example.com` }));
    const add = (now: Date, rows: { email: string }[]) => listMember.upsertAll({ table, now }, of, rows);
    await add(new Date('2026-02-20T11:59:30Z'), people(0, 3));
    await add(new Date('2026-02-20T12:00:30Z'), people(3, 100));
    expect(await run(automation)).toMatchObject({
      automation: 'daily',
      total_count: 100,
      count: 100,
      limited: false,
      max_results: 100,
    });
    await add(new Date('2026-02-20T12:01:30Z'), people(100, 101));
    const simulation = await run(automation);
    expect(simulation).toMatchObject({ total_count: 101, count: 100, limited: true });
    const times = simulation.sample_emails.map(({ scheduled_time }) => scheduled_time);
    expect(times.slice(96, 100)).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:01:00.000Z',
      '2026-03-02T11:59:00.000Z',
      '2026-03-02T11:59:00.000Z',
    ]);
  });

  it('shows a member, their date as they have it, and the whole days since', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.Found];
    await listMember.upsertAll({ table, now: new Date('2026-02-27T13:30:59Z') }, of, [
      { email: 'ann@example.com', starts: '2026-02-26 19:15:40+05:30' },
    ]);
    const sample = async (metadata_trigger: string | null) =>
      (await run(unstored(of.organization_id, { email_list_ids: [of.id], metadata_trigger }))).sample_emails;
    const ann = {
      list_member_id: recipient.memberId(of.id, recipient.hashOf('ann@example.com')),
      email: 'ann@example.com',
      list_name: 'A',
    };
    expect(await sample('starts')).toEqual([
      {
        ...ann,
        scheduled_time: '2026-03-01T13:45:00.000Z',
        trigger_column: 'starts',
        trigger_value: '2026-02-26 19:15:40+05:30',
        days_since_trigger: 3,
      },
    ]);
    expect(await sample(null)).toEqual([
      {
        ...ann,
        scheduled_time: '2026-03-01T13:30:00.000Z',
        trigger_column: null,
        trigger_value: '2026-02-27T13:30:59.000Z',
        days_since_trigger: 2,
      },
    ]);
  });

  it('has all hours of the window, of which the first and the last are parts of one', async () => {
    const hours = async (time: string) =>
      (await run(unstored(1, {}), new Date(`2026-03-01T${time}Z`))).hourly_summary.map(({ hour }) => hour);
    const whole = await hours('12:00:59');
    expect([whole.length, whole[0], whole.at(-1)]).toEqual([
      24,
      '2026-03-01T12:00:00.000Z',
      '2026-03-02T11:00:00.000Z',
    ]);
    const parts = await hours('12:01:00');
    expect([parts.length, parts.at(-1)]).toEqual([25, '2026-03-02T12:00:00.000Z']);
  });

  it('counts whom it leaves out: without a date, with one that cannot be read, and rows that lead to nobody', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.Found];
    const date = '2026-02-20T15:00:00Z';
    await listMember.upsertAll({ table, now: noon }, of, [
      { email: 'ann@example.com', starts: date },
      { email: 'ben@example.com' },
      { email: 'cleo@example.com' },
      { email: 'dan@example.com', starts: date },
      { email: 'eve@example.com', is_subscribed: false, starts: date },
    ]);
    await setSubscribed(table, of, 4);
    const key = (email: string) => ({
      PK: `R#${of.organization_id}#${recipient.hashOf(email)}`,
      SK: `IN#${of.id}`,
    });
    const corrupt = async (email: string, metadata: object) => {
      const [before] = await recipient.memberships(
        table,
        [recipient.keyOf(of.organization_id, email)],
        of.id,
      );
      await batchWrite(table, { puts: [{ ...before, ...key(email), metadata }] });
    };
    await corrupt('cleo@example.com', { starts: '2026-02-30T15:00:00Z' });
    // Its row is still there.
    await corrupt('dan@example.com', { starts: { text: 'soon' } });
    const row = (SK: string) => ({ PK: `TRG#${of.id}#starts`, SK });
    const hash = recipient.hashOf('nobody@example.com');
    const left = recipient.hashOf('eve@example.com');
    await batchWrite(table, {
      puts: [
        row(`0900#2026-02-20#${hash}`),
        row(`0900#2026-02-20#${left}`),
        row(`0900#2026-13-45#${hash}`),
        row(`0900#yesterday#${hash}`),
        row(`0900#2026-02-20#`),
        row('0900'),
        row('0900#'),
      ],
    });
    const automation = unstored(of.organization_id, { email_list_ids: [of.id], metadata_trigger: 'starts' });
    const simulation = await run(automation);
    expect(simulation).toMatchObject({ total_count: 1, count: 1, limited: false, left_out: 3 });
    expect(simulation.sample_emails.map(({ email }) => email)).toEqual(['ann@example.com']);
    expect(simulation.hourly_summary.filter(({ count }) => count > 0)).toEqual([
      { hour: '2026-03-01T15:00:00.000Z', count: 1 },
    ]);
  });

  it('does not mail again today who was due earlier today in another list, where that was sent', async () => {
    const [a, b] = (await newLists(table, noon, ['A', 'B'])) as [list.Found, list.Found];
    const added = (of: list.Found, time: string) =>
      addMember(table, of, {
        email: 'ann@example.com',
        date: new Date(`2026-02-20T${time}Z`),
        state: 'subscribed',
      });
    await added(a, '06:00:00');
    await added(b, '15:00:00');
    const times = async (fields: Partial<StoredAutomation>) => {
      const automation = unstored(a.organization_id, { email_list_ids: [a.id, b.id], ...fields });
      return (await run(automation)).sample_emails.map(({ scheduled_time }) => scheduled_time.slice(0, 16));
    };
    expect(await times({})).toEqual(['2026-03-02T06:00']);
    const both = ['2026-03-01T15:00', '2026-03-02T06:00'];
    expect(await times({ active_since: '2026-03-01T06:01:00.000Z' })).toEqual(both);
    expect(await times({ active: false })).toEqual(both);
    expect(await times({ email_list_ids: [b.id] })).toEqual(['2026-03-01T15:00']);
  });

  it('of a list that was deleted, or of none, finds nothing, and reads each row once', async () => {
    const [a, b] = (await newLists(table, noon, ['A', 'B'])) as [list.Found, list.Found];
    for (const of of [a, b]) {
      const date = new Date('2026-02-20T12:00:00Z');
      await addMember(table, of, { email: 'ann@example.com', date, state: 'subscribed' });
    }
    const automation = unstored(a.organization_id, { email_list_ids: [a.id, b.id] });
    const { on, pages } = inSmallPages(table, 10_000);
    // On both lists at the same minute: it is one email, of the list with the lowest id.
    expect(await run(automation, noon, on)).toMatchObject({
      total_count: 1,
      sample_emails: [{ list_name: a.name }],
    });
    expect(pages()).toBe(4);
    await list.remove({ table, now: noon }, await found(table, a.organization_id, a.id));
    expect(await run(automation)).toMatchObject({ total_count: 1, sample_emails: [{ list_name: b.name }] });
    const nothing = { total_count: 0, count: 0, limited: false, left_out: 0, inactive_lists: [] };
    expect(await run({ ...automation, email_list_ids: [a.id] })).toMatchObject(nothing);
    expect(await run({ ...automation, email_list_ids: [] })).toMatchObject(nothing);
  });
});
