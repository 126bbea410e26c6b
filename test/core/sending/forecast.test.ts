import { expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { dryRun, withSendingKey } from '#core/sending/forecast/dry-run.ts';
import * as forecast from '#core/sending/forecast/forecast.ts';
import { sampledFrom } from '#core/sending/forecast/predict.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import type { NewAutomation } from '#shared/automation.ts';
import { randomFrom } from '#test/simulation/random.ts';
import { inSmallPages, stored } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { newSender } from '#test/support/sending.ts';

// That the numbers are those of the log is the simulation's to prove; here is what a reader of them may expect.

const table = freshTable();
const noon = new Date('2026-03-01T12:00:00Z');
const always = () => true;

async function newScene(dates: string[], fields: Partial<NewAutomation> = {}) {
  const sender = await newSender(table, new Date('2026-02-01T00:00:00Z'));
  const of = await sender.newList();
  for (const [at, starts] of dates.entries()) await sender.add(of, `reader${at}@example.com`, { starts });
  const automation = async (more: Partial<NewAutomation> = {}) => {
    const name = `automation_${Math.random().toString(36).slice(2)}`;
    const { id } = await sender.newAutomation({
      name,
      email_list_ids: [of.id],
      metadata_trigger: 'starts',
      ...fields,
      ...more,
    });
    return stored(table, sender.organization, id);
  };
  const first = await automation();
  await sender.newTemplate([first.id]);
  const needs = (now = noon, on: Table = table, hasTimeLeft: (reserveMs?: number) => boolean = always) => ({
    table: on,
    now,
    hasTimeLeft,
  });
  const shown = ({ days }: Awaited<ReturnType<typeof forecast.ofAutomation>>) =>
    days.flatMap(({ date, count, skipped }) =>
      count + skipped > 0 ? [`${date.slice(5)}: ${count}, ${skipped} not`] : [],
    );
  return {
    sender,
    of,
    automation,
    first,
    needs,
    organization: sender.organization,
    alone: async (of = first, now = noon) => shown(await forecast.ofAutomation(needs(now), of)),
    all: async () => shown(await forecast.ofOrganization(needs(), sender.organization)),
    simulated: (of = first, now = noon) => simulate(needs(now), of),
  };
}

it('counts the emails of thirty days by day, in UTC', async () => {
  const { alone, all } = await newScene(
    ['2026-03-01T11:59:00Z', '2026-03-01T12:00:00Z', '2026-03-31T00:00:00Z'],
    { every_x_days: 14 },
  );
  expect(await alone()).toEqual(['03-01: 1, 0 not', '03-15: 2, 0 not', '03-29: 2, 0 not']);
  expect(await all()).toEqual(await alone());
});

it('counts what the safeguards hold back, in the simulation with the automation that takes its place', async () => {
  const { alone, all, automation, simulated, first } = await newScene(['2026-03-01T15:00:00Z'], {
    stop_after_days: 0,
  });
  const second = await automation();
  const [wins, loses] = [first, second].sort((a, b) => (a.id < b.id ? -1 : 1)) as [
    typeof first,
    typeof first,
  ];
  // It has no content, so the first one has the place for itself.
  expect(await simulated(second)).toMatchObject({ total_count: 1, will_send: 0 });
  expect(await all()).toEqual(['03-01: 1, 1 not']);
  await batchWrite(table, {
    puts: [
      {
        PK: `ORG#${first.organization_id}#CONTENT`,
        SK: `LINKED#${second.id}`,
        template: new Set(['template0000']),
      },
    ],
  });
  expect(await simulated(wins)).toMatchObject({ total_count: 1, will_send: 1, skipped: {}, instead_of: [] });
  expect(await simulated(loses)).toMatchObject({
    total_count: 1,
    will_send: 0,
    skipped: { 'capped:max_emails_5_minutes': 1 },
    instead_of: [{ id: wins.id, name: wins.name, count: 1 }],
    sampled: null,
  });
  expect(await alone(loses)).toEqual(['03-01: 0, 1 not']);
  expect(await all()).toEqual(['03-01: 1, 1 not']);
  await safeguards.change({ table, now: noon }, first.organization_id, { enabled: false });
  expect(await all()).toEqual(['03-01: 2, 0 not']);
});

it('counts what was sent before against the safeguards, and second emails', async () => {
  const { sender, simulated, organization } = await newScene(['2026-03-01T11:00:00Z'], {
    double_send_first: true,
    stop_after_days: 0,
  });
  await safeguards.change({ table, now: noon }, organization, { max_emails_24_hours: 1 });
  expect(await simulated(undefined, new Date('2026-03-01T10:00:00Z'))).toMatchObject({
    total_count: 1,
    first_emails: 1,
    will_send: 1,
    skipped: { 'capped:max_emails_24_hours': 1 },
  });
  sender.at(new Date('2026-03-01T11:00:00Z'));
  await sender.sweep();
  sender.at(new Date('2026-03-01T11:01:10Z'));
  await sender.sweep();
  await sender.deliverAll();
  expect(sender.posts).toHaveLength(1);
  const now = new Date('2026-03-01T12:00:00Z');
  expect(await simulated(undefined, now)).toMatchObject({
    // The specification's number leaves second emails out.
    total_count: 0,
    will_send: 0,
    skipped: { 'capped:max_emails_24_hours': 1 },
  });
  await safeguards.change({ table, now }, organization, { max_emails_24_hours: 2 });
  expect(await simulated(undefined, now)).toMatchObject({ total_count: 0, first_emails: 0, will_send: 1 });
});

it('of what the safeguards hold back it names the other automations within that window, and none from before', async () => {
  const { of, first, automation, simulated, organization } = await newScene(['2026-03-01T15:00:00Z'], {
    stop_after_days: 0,
  });
  const [before, within] = [await automation(), await automation()];
  const sent = [
    { id: before.id, at: '2026-02-28T14:59:00.000Z' },
    { id: within.id, at: '2026-02-28T15:01:00.000Z' },
    { id: first.id, at: '2026-03-01T11:00:00.000Z' },
  ];
  const PK = `R#${organization}#${recipientKey.hashOf('reader0@example.com')}`;
  const puts = sent.map(({ id, at }, nth) => ({
    PK,
    SK: `J#${9_999_999_998 - nth}`,
    seq: nth + 1,
    type: 'send',
    at,
    list_id: of.id,
    automation_id: id,
    key: `${id}#${at.slice(0, 8)}#1`,
    batch: `earlier#${nth}`,
    combination: 'template0000',
  }));
  await batchWrite(table, { puts });
  await safeguards.change({ table, now: noon }, organization, { max_emails_24_hours: 2 });
  expect(await simulated()).toMatchObject({
    skipped: { 'capped:max_emails_24_hours': 1 },
    instead_of: [{ id: within.id, count: 1 }],
  });
});

it('leaves out who does not match the conditions, without counting them as skipped, and samples the others', async () => {
  const dates = Array.from({ length: 40 }, (_, at) => `2026-03-01T${13 + (at % 4)}:00:00Z`);
  const { sender, of, first, automation, alone, needs } = await newScene(dates, { stop_after_days: 0 });
  const other = await sender.newList({ name: 'Others' });
  // Two of them match in another list alone, where they are due later.
  for (const at of [0, 4])
    await sender.add(other, `reader${at}@example.com`, { plan: 'pro', starts: '2026-03-01T20:00:00Z' });
  for (const at of [1, 2, 3]) {
    const id = recipientKey.memberId(of.id, recipientKey.hashOf(`reader${at}@example.com`));
    const member = await listMember.find({ table }, sender.organization, id);
    await listMember.change({ table, now: noon }, member, { metadata: { plan: 'pro' } });
  }
  const pro = await automation({
    email_list_ids: [of.id, other.id],
    audience: { all: [{ field: 'plan', op: 'is', value: 'pro' }] },
  });
  await sender.newTemplate([pro.id]);
  await safeguards.change({ table, now: noon }, sender.organization, { enabled: false });
  const simulation = await simulate(needs(), pro);
  expect(simulation).toMatchObject({ total_count: 5, will_send: 5, skipped: {}, count: 5, sampled: null });
  expect(
    simulation.hourly_summary.flatMap(({ count, will_send }) => (count ? [[count, will_send]] : [])),
  ).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [2, 2],
  ]);
  expect(await alone(pro)).toEqual(['03-01: 5, 0 not']);
  // Whom one automation leaves out counts for another.
  expect(await simulate(needs(), first)).toMatchObject({ total_count: 40, will_send: 40 });
  const some = await simulate({ ...needs(), mostPeople: 20 }, pro);
  expect(some.sampled).toMatchObject({ people: 20, of: 40 });
  expect(some.total_count).toBe(some.will_send);
  // Nobody else matches, whether they were looked at or not.
  const shown = ({ sample_emails }: typeof some) => sample_emails.map(({ email }) => email);
  expect(shown(simulation)).toEqual(expect.arrayContaining(shown(some)));
});

it('an automation that is off is taken as switched on now', async () => {
  const { alone, all, automation } = await newScene(['2026-02-20T12:00:30Z']);
  const off = await automation({ active: false, stop_after_days: 10 });
  expect((await alone(off, new Date('2026-03-01T12:00:59Z')))[0]).toBe('03-01: 0, 1 not');
  expect((await alone(off, new Date('2026-03-01T12:01:00Z')))[0]).toBe('03-02: 0, 1 not');
  expect(await all()).toHaveLength(30);
});

it.each([
  ['a key', 'no_key'],
  ['a key that the provider takes', 'key_refused'],
  ['content', 'no_content'],
])('without %s nothing is sent, and it says so', async (_, reason) => {
  const { of, simulated, first, organization } = await newScene(['2026-03-01T15:00:00Z']);
  const key = { PK: `ORG#${organization}`, SK: `LIST#${of.id}` };
  const current = { ...key, ...of };
  const { sending_key, counts: _counts, ...without } = current;
  const connection = { tested_at: noon.toISOString(), valid: false };
  if (reason === 'no_key') await batchWrite(table, { puts: [without] });
  if (reason === 'key_refused') await batchWrite(table, { puts: [{ ...without, sending_key, connection }] });
  if (reason === 'no_content') {
    await batchWrite(table, { puts: [{ PK: `ORG#${organization}#CONTENT`, SK: `LINKED#${first.id}` }] });
  }
  expect(await simulated()).toMatchObject({ total_count: 1, will_send: 0, skipped: { [reason]: 1 } });
});

it('with a key in place of one that is refused, all is sent', async () => {
  const { of, organization, needs } = await newScene(['2026-03-01T15:00:00Z'], { stop_after_days: 30 });
  const list = { ...of, sending_key: 'refused', connection: { tested_at: noon.toISOString(), valid: false } };
  const { counts: _, ...refused } = list;
  await batchWrite(table, { puts: [{ PK: `ORG#${organization}`, SK: `LIST#${of.id}`, ...refused }] });
  const change = await withSendingKey(table, list, { mailgun_sending_key: 'key-2' });
  expect((await dryRun(needs(), organization, change)).next_24_hours.emails).toBe(1);
});

it('of more people than can be looked at in time, some stand for all, and the answer says how far off that may be', {
  timeout: 600_000,
}, async () => {
  const dates = Array.from({ length: 40 }, (_, at) => `2026-03-0${at % 2 ? 1 : 5}T15:00:00Z`);
  const { first, organization, needs } = await newScene(dates, { stop_after_days: 0 });
  const exact = await forecast.ofAutomation(needs(), first);
  expect(exact).toMatchObject({ total_count: 40, sampled: null, counted_share: 1 });
  const lookingAt = (people: number) => {
    let left = people;
    return forecast.ofOrganization(
      needs(noon, table, (reserveMs = 0) => reserveMs > 0 || --left >= 0),
      organization,
    );
  };
  // Each gets one email: no sample is wrong.
  expect(await lookingAt(20)).toMatchObject({ total_count: 40, sampled: { people: 20, of: 40, margin: 0 } });
  expect(await lookingAt(0)).toMatchObject({ total_count: 0, sampled: { people: 0, of: 40 } });
  let left = 10;
  const day = await simulate(
    needs(noon, table, (reserveMs = 0) => reserveMs > 0 || --left >= 0),
    first,
  );
  expect(day).toMatchObject({ total_count: 20, will_send: 20, sampled: { people: 10, of: 20, margin: 0 } });
});

it('a margin holds the true number in about 19 of 20 samples', () => {
  const population = Array.from({ length: 1_000 }, (_, at) => (at % 10 === 0 ? 5 : at % 3));
  const total = population.reduce((sum, count) => sum + count, 0);
  const random = randomFrom(7);
  let held = 0;
  const samples = 1_000;
  for (let sample = 0; sample < samples; sample++) {
    const some = population
      .map(count => ({ count, order: random.int(1e9) }))
      .sort((a, b) => a.order - b.order)
      .slice(0, 200)
      .map(({ count }) => count);
    const estimated = (some.reduce((sum, count) => sum + count, 0) * population.length) / some.length;
    const { margin } = sampledFrom(some, population.length) ?? { margin: 0 };
    if (Math.abs(estimated - total) <= margin) held++;
  }
  expect(held / samples).toBeGreaterThan(0.93);
  expect(held / samples).toBeLessThan(0.97);
});

it('says which share of the day it has read where the time of the call runs out', async () => {
  const dates = Array.from({ length: 8 }, (_, at) => `2026-03-01T${12 + at}:00:00Z`);
  const { first, needs } = await newScene(dates, { every_x_days: 30 });
  const shares: number[] = [];
  for (let calls = 0; shares.at(-1) !== 1; calls++) {
    expect(calls).toBeLessThan(40);
    let left = calls;
    const { on } = inSmallPages(table, 2);
    const hasTimeLeft = (reserveMs = 0) => reserveMs === 0 || --left >= 0;
    const { total_count, counted_share } = await forecast.ofAutomation(needs(noon, on, hasTimeLeft), first);
    if (counted_share === 1) expect(total_count).toBe(8);
    shares.push(counted_share);
  }
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(new Set(shares).size).toBeGreaterThan(2);
});

it('of the next 24 hours and 7 days it counts what is sent and what is held back, from now on', async () => {
  const { organization, needs } = await newScene([
    '2026-02-28T11:59:00Z',
    '2026-02-28T12:00:00Z',
    '2026-03-06T18:00:00Z',
  ]);
  await safeguards.change({ table, now: noon }, organization, { max_emails_1_week: 6 });
  expect(await forecast.upcoming(needs(), organization)).toEqual({
    // Each of the first two is due at 12:00 or 11:59 of each day.
    next_24_hours: { count: 2, skipped: 0 },
    next_7_days: { count: 14, skipped: 2 },
    next_at: '2026-03-01T12:00:00.000Z',
    automations: [expect.objectContaining({ next_at: '2026-03-01T12:00:00.000Z', count: 14 })],
    sampled: null,
    counted_share: 1,
  });
});

it('of the next days it looks at a part of many people, and reads a part of many dates', async () => {
  const hours = ['13', '14', '15', '16', '17', '18'];
  const { organization, needs } = await newScene(hours.map(hour => `2026-03-01T${hour}:00:00Z`));
  const { on, pages } = inSmallPages(table, 1);
  const upcoming = (most: { mostDates: number; mostPeople: number }) =>
    forecast.upcoming(needs(noon, on), organization, most);
  expect(forecast.MOST_FOR_UPCOMING).toEqual({ mostDates: 20_000, mostPeople: 1_000 });
  expect(await upcoming({ mostDates: 100, mostPeople: 2 })).toMatchObject({
    next_24_hours: { count: 6 },
    next_7_days: { count: 42 },
    next_at: null,
    sampled: { people: 2, of: 6, margin: 0 },
    counted_share: 1,
  });
  const before = pages();
  const some = await upcoming({ mostDates: 3, mostPeople: 100 });
  expect(pages() - before).toBe(3);
  // Until 15:00, which is three hours of 24.
  expect(some).toMatchObject({
    next_24_hours: { count: 3 },
    sampled: null,
    counted_share: 3 / 24,
    next_at: null,
  });
});
