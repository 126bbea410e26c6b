import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredAutomation } from '../../../functions/core/automation/automation/automation.ts';
import * as forecast from '../../../functions/core/automation/forecast/forecast.ts';
import { newId } from '../../../functions/core/id.ts';
import * as list from '../../../functions/core/list/list/list.ts';
import * as safeguards from '../../../functions/core/organization/safeguards/safeguards.ts';
import { hashOf } from '../../../functions/core/recipient/recipient/recipient.ts';
import { batchWrite, type Table } from '../../../functions/core/storage/table.store.ts';
import { type Safeguards, WINDOWS } from '../../../shared/safeguards.ts';
import {
  addMember,
  inSmallPages,
  type Member,
  newLists,
  setSubscribed,
} from '../../support/core-automation.ts';
import { found } from '../../support/core-list.ts';
import { dueByQuickModel } from '../../support/due-model.ts';
import { freshTable } from '../../support/engine.ts';
import { unstored } from '../../support/unstored.ts';

const table = freshTable();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = new Date('2026-03-01T12:00:00Z');
const OFF: Partial<Safeguards> = { enabled: false };

type On = { of: list.CountedList; member: Member };
const needs = (now: Date, on: Table = table, hasTime: (besides?: number) => boolean = () => true) => ({
  table: on,
  now,
  hasTime,
});

/** Stores automations of an organization, which have content unless they are named otherwise. */
const store = (automations: StoredAutomation[], hasContent = true) =>
  batchWrite(table, {
    puts: automations.flatMap(({ organization_id, ...automation }) => [
      { PK: `ORG#${organization_id}`, SK: `AUTO#${automation.id}`, organization_id, ...automation },
      {
        PK: `ORG#${organization_id}#CONTENT`,
        SK: `LINKED#${automation.id}`,
        ...(hasContent && { template: new Set(['template0000']) }),
      },
    ]),
  });

/** Per day what is sent and what the safeguards skip, by walking over the time since a week before. */
function model(automations: StoredAutomation[], members: On[], now: Date, limits: Safeguards | undefined) {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const until = new Date(today + 30 * DAY);
  const since = new Date(today - 7 * DAY);
  const days = new Map<string, { count: number; skipped: number }>();
  const people = Map.groupBy(members, ({ member }) => member.email);
  for (const ofPerson of people.values()) {
    const due = ofPerson
      .filter(({ of, member }) => of.active && member.state === 'subscribed')
      .flatMap(({ of, member }) =>
        automations
          .filter(({ email_list_ids }) => email_list_ids.includes(of.id))
          .flatMap(automation => dueByQuickModel(member.date, automation, since, until))
          .map(email => ({ ...email, list: of.id })),
      )
      .sort(
        (a, b) =>
          a.at.getTime() - b.at.getTime() || a.key.localeCompare(b.key, 'en') || (a.list < b.list ? -1 : 1),
      );
    const sent: { key: string; at: number }[] = [];
    for (const { key, copy, at } of due) {
      const isSent = (other: string) => sent.some(email => email.key === other);
      if (isSent(key) || (copy > 1 && !isSent(`${key.slice(0, -1)}1`))) continue;
      const isFull = WINDOWS.some(({ field, length }) => {
        const within = sent.filter(email => at.getTime() - email.at < length);
        return limits?.enabled && within.length >= limits[field];
      });
      if (!isFull) sent.push({ key, at: at.getTime() });
      if (at.getTime() < Math.floor(now.getTime() / MINUTE) * MINUTE) continue;
      const date = at.toISOString().slice(0, 10);
      const day = days.get(date) ?? { count: 0, skipped: 0 };
      days.set(date, day);
      if (isFull) day.skipped++;
      else day.count++;
    }
  }
  return [...days].map(([date, day]) => ({ date, ...day })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

const daysOf = ({ days, total_count }: Awaited<ReturnType<typeof forecast.ofOrganization>>) => {
  expect(days).toHaveLength(30);
  expect(total_count).toBe(days.reduce((sum, { count }) => sum + count, 0));
  return days.filter(({ count, skipped }) => count + skipped > 0);
};

const flag = fc.constantFrom(false, false, true);
const schedule = fc.record({
  every_x_days: fc.constantFrom(1, 2, 7),
  delay_days: fc.integer({ min: 0, max: 3 }),
  stop_after_days: fc.constantFrom(null, 3, 20),
  double_send_first: flag,
  triple_send_second: flag,
  double_send_third: flag,
  lists: fc.constantFrom([0], [1], [0, 1], [0, 1]),
  metadata_trigger: fc.constantFrom(null, 'starts'),
  /** Hours before now. */
  since: fc.constantFrom(0, 3, 9, 200, 900),
});
const member = fc.record({
  person: fc.integer({ min: 0, max: 3 }),
  list: fc.constantFrom(0, 1),
  days: fc.integer({ min: -10, max: 10 }),
  // Few, so that windows are reached, also to the minute.
  minutes: fc.constantFrom(-720, -360, -5, -4, 0, 4, 5, 55, 60, 355, 360, 719),
});
const limits = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  max_emails_5_minutes: fc.integer({ min: 1, max: 2 }),
  max_emails_1_hour: fc.integer({ min: 1, max: 3 }),
  max_emails_24_hours: fc.integer({ min: 1, max: 3 }),
  max_emails_1_week: fc.constantFrom(3, 7, 20),
});
const scenario = fc.record({
  now: fc.constantFrom('2026-03-01T12:00:30.000Z', '2028-02-29T00:00:00.000Z').map(text => new Date(text)),
  schedules: fc.array(schedule, { minLength: 1, maxLength: 3 }),
  members: fc.uniqueArray(member, { minLength: 3, maxLength: 6, selector: of => `${of.person} ${of.list}` }),
  limits,
  isSecondActive: fc.constantFrom(true, true, false),
});

it('counts by day what a walk over the weeks sends and skips', { timeout: 60_000 }, async () => {
  const seen = { count: 0, skipped: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ now, schedules, members, limits, isSecondActive }) => {
      const lists = await newLists(table, now, ['A', 'B']);
      const [a, b] = lists as [list.CountedList, list.CountedList];
      await list.change({ table, now }, b, { active: isSecondActive });
      const there: On[] = members.map(({ person, list, days, minutes }) => ({
        of: list === 0 ? a : { ...b, active: isSecondActive },
        member: {
          email: `person${person}@example.com`,
          date: new Date(now.getTime() + days * DAY + minutes * MINUTE),
          state: 'subscribed',
        },
      }));
      for (const { of, member } of there) await addMember(table, of, member);
      const automations = schedules.map(({ lists: which, since, ...fields }) =>
        unstored(a.organization_id, {
          ...fields,
          email_list_ids: which.map(index => lists[index]?.id ?? ''),
          active_since: new Date(now.getTime() - since * HOUR).toISOString(),
        }),
      );
      await store(automations);
      await safeguards.change({ table, now }, a.organization_id, limits);
      const expected = model(automations, there, now, limits);
      for (const { count, skipped } of expected) {
        seen.count += count;
        seen.skipped += skipped;
      }
      expect(daysOf(await forecast.ofOrganization(needs(now), a.organization_id))).toEqual(expected);
      const [first] = automations as [StoredAutomation];
      const alone = daysOf(await forecast.ofAutomation(needs(now), first));
      expect(alone).toEqual(model([first], there, now, undefined));
    }),
    { seed: 13, numRuns: 12 },
  );
  // Otherwise the two might agree because nothing is sent, or skipped.
  expect(seen.count).toBeGreaterThan(200);
  expect(seen.skipped).toBeGreaterThan(60);
});

async function organizationWith(members: { date: string }[], fields: Partial<StoredAutomation>) {
  const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
  for (const [i, { date }] of members.entries()) {
    await addMember(table, of, {
      email: `reader${i}@example.com`,
      date: new Date(date),
      state: 'subscribed',
    });
  }
  const automation = unstored(of.organization_id, { email_list_ids: [of.id], ...fields });
  await store([automation]);
  return { of, automation, id: of.organization_id };
}

it('a copy does not go where the safeguards skipped its first email, nor where that was due before the activation', async () => {
  const fields = { triple_send_first: true, stop_after_days: 0 };
  const { id, automation } = await organizationWith([{ date: '2026-03-02T10:00:00Z' }], fields);
  const total = async () => (await forecast.ofOrganization(needs(noon), id)).total_count;
  await safeguards.change({ table, now: noon }, id, OFF);
  expect(await total()).toBe(3);
  await store([{ ...automation, active_since: '2026-03-02T10:00:59.000Z' }]);
  expect(await total()).toBe(3);
  await store([{ ...automation, active_since: '2026-03-02T10:01:00.000Z' }]);
  expect(await total()).toBe(0);
  const other = unstored(id, { ...automation, ...fields, id: '000000000000', triple_send_first: false });
  await store([automation, other]);
  expect(await total()).toBe(4);
  await safeguards.change({ table, now: noon }, id, { enabled: true });
  expect(await forecast.ofOrganization(needs(noon), id)).toMatchObject({
    total_count: 1,
    days: [{ skipped: 0 }, { date: '2026-03-02', count: 1, skipped: 1 }, ...Array(28).fill({ skipped: 0 })],
  });
});

it('a copy of the night goes where its first email went in the evening, to a list that was active then', async () => {
  const { of, automation } = await organizationWith([{ date: '2026-03-01T19:30:00Z' }], {
    double_send_first: true,
    stop_after_days: 0,
  });
  const night = new Date('2026-03-02T01:00:00Z');
  const total = async () => (await forecast.ofAutomation(needs(night), automation)).total_count;
  expect(await total()).toBe(1);
  const switchOn = async (at: string) => {
    await list.change({ table, now: noon }, of, { active: false });
    const off = await found(table, of.organization_id, of.id);
    await list.change({ table, now: new Date(at) }, off, { active: true });
  };
  await switchOn('2026-03-01T19:30:59Z');
  expect(await total()).toBe(1);
  await switchOn('2026-03-01T19:31:00Z');
  expect(await total()).toBe(0);
});

it('one automation is forecast as if it were switched on and had content, without safeguards', async () => {
  const { id, automation } = await organizationWith([{ date: '2026-02-20T12:00:00Z' }], {
    active: false,
    active_since: '2026-02-01T00:00:00.000Z',
    double_send_first: true,
  });
  const daily = async (now: string) => (await forecast.ofAutomation(needs(new Date(now)), automation)).days;
  expect((await daily('2026-03-01T12:00:59Z')).map(({ count }) => count)).toEqual(Array(30).fill(1));
  const tomorrow = await daily('2026-03-01T12:01:00Z');
  expect(tomorrow.map(({ count }) => count)).toEqual([0, ...Array(29).fill(1)]);
  // In the hours after its first email nothing is due: while that was, the automation was off.
  expect((await daily('2026-02-20T15:00:00Z'))[0]).toEqual({ date: '2026-02-20', count: 0, skipped: 0 });
  const of = () => forecast.ofOrganization(needs(noon), id);
  expect((await of()).total_count).toBe(0);
  await store([{ ...automation, active: true }], false);
  expect((await of()).total_count).toBe(0);
  await store([{ ...automation, active: true }]);
  expect((await of()).total_count).toBe(30);
});

const PEOPLE = 700;
/** Trigger rows of two columns of a list, of people with a date each. */
async function crowd(of: list.CountedList, dates: (person: number) => Date) {
  const puts = Array.from({ length: PEOPLE }, (_, person) => {
    const at = dates(person);
    const minute = String(at.getUTCHours() * 60 + at.getUTCMinutes()).padStart(4, '0');
    const SK = `${minute}#${at.toISOString().slice(0, 10)}#${hashOf(`reader${person}@example.com`)}`;
    return [
      { PK: `TRG#${of.id}#starts`, SK },
      { PK: `TRG#${of.id}#`, SK },
    ];
  });
  await batchWrite(table, { puts: puts.flat() });
}

it('people with the same dates are counted together, however many; of others, some stand for all', {
  timeout: 30_000,
}, async () => {
  const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
  const id = of.organization_id;
  await crowd(of, person => new Date(Date.UTC(2026, 1, 1 + (person % 7), 0, person)));
  // The list says that it has more, as if these were a part of them.
  await setSubscribed(table, of, 100_000);
  const weekly = { email_list_ids: [of.id], every_x_days: 7 };
  const one = unstored(id, { ...weekly, metadata_trigger: 'starts' });
  const exact = await forecast.ofAutomation(needs(noon), one);
  expect(exact).toMatchObject({ estimated: false, counted_share: 1 });
  const all = exact.days.slice(1, 29).map(({ count }) => count);
  expect(all.reduce((sum, count) => sum + count)).toBe(4 * PEOPLE);

  await store([one, unstored(id, { ...weekly, id: newId() })]);
  await safeguards.change({ table, now: noon }, id, OFF);
  const some = await forecast.ofOrganization(needs(noon), id);
  expect(some).toMatchObject({ estimated: true, counted_share: 1 });
  // Of a day's 200 emails one in five is counted: within four standard errors.
  for (const [day, count] of some.days.slice(1, 29).map(({ count }, day) => [day, count] as const)) {
    const expected = 2 * (all[day] ?? 0);
    expect(Math.abs(count - expected)).toBeLessThan(4 * 2 * 5 * Math.sqrt(PEOPLE / 7 / 5));
  }
  const total = some.days.slice(1, 29).reduce((sum, { count }) => sum + count, 0);
  expect(Math.abs(total - 8 * PEOPLE)).toBeLessThan(0.2 * 8 * PEOPLE);
});

it('looks at fewer people where each of them gets many emails, whatever the safeguards', {
  timeout: 30_000,
}, async () => {
  const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
  const id = of.organization_id;
  await crowd(of, person => new Date(Date.UTC(2026, 1, 1 + (person % 7), 0, person)));
  const daily = { email_list_ids: [of.id], metadata_trigger: 'starts', every_x_days: 1 };
  await store(Array.from({ length: 100 }, () => unstored(id, { ...daily, id: newId() })));
  const most = 100_000;
  await safeguards.change({ table, now: noon }, id, {
    ...{ max_emails_5_minutes: most, max_emails_1_hour: most, max_emails_24_hours: most },
    max_emails_1_week: most,
  });
  let counted = 0;
  const hasTime = (besides = 0) => {
    if (besides === 0) counted++;
    return true;
  };
  const { estimated, counted_share, days } = await forecast.ofOrganization(needs(noon, table, hasTime), id);
  expect({ estimated, counted_share }).toEqual({ estimated: true, counted_share: 1 });
  expect(counted).toBeLessThan(1_000_000 / (100 * 30));
  for (const { count } of days.slice(1)) expect(count).toBe(100 * PEOPLE);
});

it('says which share it has counted where the time of the call runs out, while it reads or while it counts', async () => {
  const dates = Array.from({ length: 8 }, (_, i) => ({ date: `2026-02-20T${10 + i}:00:00Z` }));
  const { automation } = await organizationWith(dates, { every_x_days: 30 });
  /** With time for so many looks at the clock: for reading, some is kept for counting. */
  async function whileIt(work: 'reads' | 'counts', calls: number) {
    let left = calls;
    const hasTime = (besides = 0) => (besides > 0 ? 'reads' : 'counts') !== work || --left >= 0;
    const { on } = inSmallPages(table, 2);
    return forecast.ofAutomation(needs(noon, on, hasTime), automation);
  }
  for (const work of ['reads', 'counts'] as const) {
    const found: { total_count: number; counted_share: number }[] = [];
    for (let calls = 0; found.at(-1)?.counted_share !== 1; calls++) {
      expect(calls).toBeLessThan(40);
      const { total_count, counted_share } = await whileIt(work, calls);
      found.push({ total_count, counted_share });
    }
    const totals = found.map(({ total_count }) => total_count);
    const shares = found.map(({ counted_share }) => counted_share);
    expect([totals, shares]).toEqual([totals.toSorted((a, b) => a - b), shares.toSorted((a, b) => a - b)]);
    expect(new Set(shares).size).toBeGreaterThan(4);
    expect(totals.at(-1)).toBe(8);
    if (work === 'counts') expect(shares.map(share => share * 8)).toEqual(totals);
  }
});
