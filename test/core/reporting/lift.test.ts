import { beforeEach, describe, expect, it } from 'vitest';
import * as sequences from '#core/automation/sequence.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organizations from '#core/organization/organization.ts';
import { writeClick } from '#core/recipient/journal.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import {
  liftCounters,
  liftOf,
  liftOfAutomation,
  liftOfOrganization,
  sumsOf,
  unitsOf,
} from '#core/reporting/lift.ts';
import { post } from '#core/reporting/value.ts';
import { batchWrite, type Key, queryPartition } from '#core/storage/table.store.ts';
import { NewSequence } from '#shared/sequence.ts';
import { NewValue, UNKNOWN_PERSON } from '#shared/value.ts';
import { deliveries, MINUTE, type Sender, timeAfter } from '#test/support/deliveries.ts';
import { claims, looks } from '#test/support/held-out.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { extent } from '#test/support/prove.ts';

describe('the range of a lift', () => {
  const RUNS = extent(40, 400);

  it('claims a difference where there is none in at most 5% of cases, looked at each day, though some do it again and again', () => {
    const world = { people: 1_000, days: 40, rate: 0.02 };
    expect(claims(RUNS, { ...world, percent: 10 })).toBeLessThanOrEqual(RUNS * 0.05);
    expect(claims(RUNS, { ...world, percent: 50 })).toBeLessThanOrEqual(RUNS * 0.05);
  });

  it('does so of amounts of which a few are very large', () => {
    const world = { people: 1_000, percent: 20, days: 30, rate: 0.02, amounts: 1.5 };
    expect(claims(RUNS, world)).toBeLessThanOrEqual(RUNS * 0.05);
  });

  it('finds half as much again of 4,000 people within two months, and covers it', () => {
    const world = { people: 4_000, percent: 20, days: 60, rate: 0.01, effect: 1.5 };
    const found = Array.from({ length: 10 }, (_, seed) => looks({ ...world, seed }).at(-1));
    expect(found.filter(lift => lift && lift.from > 0).length).toBeGreaterThanOrEqual(8);
    expect(found.every(lift => lift && lift.from < 0.5 && lift.to > 0.5)).toBe(true);
  });

  it('is not told of few', () => {
    const parts = (count: number) => sumsOf(Array<number>(10).fill(count));
    expect(liftOf(parts(1), parts(40), 10)).toMatchObject({ lift: null, known: 10 });
    expect(liftOf(parts(0), parts(40), 10)).toMatchObject({ lift: null, known: 0 });
    expect(liftOf(parts(4), parts(54), 10).lift?.estimate).toBeCloseTo(0.5, 3);
  });
});

const { table, follow, ready, storedAutomation, changeAutomation, changeMember } = deliveries();
const NAMES = Array.from({ length: 40 }, (_, nth) => `reader${nth}@example.com`);

let sender: Sender;
let readers: { id: string };
let automation: string;
let [held, others]: string[][] = [];
beforeEach(async () => {
  ({ sender, readers, automation } = await ready(NAMES, { holdout_percent: 30 }));
  held = NAMES.filter(name => holdout.isHeldOut(hashOf(name), automation, 30));
  others = NAMES.filter(name => !held?.includes(name));
});

let orders = 0;
const buys = (email: string, value: number) =>
  post(
    { table, now: sender.now },
    sender.organization,
    NewValue.parse({ email, value, eventId: `order ${++orders}` }),
  );
const report = async () => {
  await follow(sender.now);
  const stored = await storedAutomation(sender, automation);
  return liftOfAutomation({ table, now: sender.now, hasTimeLeft: () => true }, stored);
};

it('conversions that name the person count for their group, with people and value', async () => {
  for (const name of held ?? []) await buys(name, 10);
  for (const name of others ?? []) for (const value of [10, 30]) await buys(name, value);
  const [few = 0, many = 0] = [held?.length, others?.length];
  const { conversions, value, ...of } = await report();
  expect(of).toMatchObject({ percent: 30, people: { held_out: few, others: many } });
  expect(conversions).toMatchObject({ held_out: few, others: 2 * many, others_per_person: 2, lift: null });
  expect(value).toMatchObject({ held_out: 10 * few, others: 40 * many, held_out_per_person: 10 });
  expect(conversions.people_needed).toBeGreaterThan(0);
  // Of another percent, the groups are other ones.
  await changeAutomation(sender, automation, { holdout_percent: 20 });
  expect((await report()).conversions).toMatchObject({
    held_out: 0,
    others: 0,
    lift: null,
    people_needed: null,
  });
});

it('a conversion is counted once, however often it is posted; one of an unknown person is refused and stores nothing', async () => {
  const order = { email: NAMES[0] ?? '', eventId: 'same', value: 5 };
  const once = () => post({ table, now: sender.now }, sender.organization, order);
  const [one, other] = await Promise.all([once(), once()]);
  expect([one.is_repeated, other.is_repeated].sort()).toEqual([false, true]);
  expect(one.emailTemplateCombinationId).toBe('');
  await expect(buys('nobody@example.com', 1)).rejects.toMatchObject({
    reason: 'invalid',
    errors: { email: [UNKNOWN_PERSON] },
  });
  const { conversions } = await report();
  expect(conversions.held_out + conversions.others).toBe(1);
  expect(await queryPartition(table, `ORG#${sender.organization}#VALUE`)).toHaveLength(1);
});

it('clicks in the emails of its steps are not those of a sequence', async () => {
  const needs = { table, now: sender.now };
  const steps = [{}, { delay_minutes: 5 }];
  const parsed = NewSequence.parse({
    name: 'Course',
    active: true,
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    holdout_percent: 30,
    steps: steps.map(step => ({ delay_days: 2, ...step })),
  });
  const sequence = await sequences.create(needs, sender.organization, parsed);
  const ids = sequence.steps.map(({ automation_id }) => automation_id);
  await sender.newTemplate(ids);
  await sender.run(timeAfter(14 * MINUTE));
  const clicked = { at: sender.now.toISOString(), url: 'https://shop.example.com', by: 'person' } as const;
  let clicks = 0;
  for (const hash of NAMES.map(hashOf)) {
    const key = { organization: sender.organization, hash };
    for (const { seq, automation_id } of await queryPartition(table, `R#${key.organization}#${hash}`, 'J#')) {
      if (!ids.includes(String(automation_id))) continue;
      await writeClick(table, key, { ...clicked, seq: Number(seq), part: 'cta_url' });
      clicks++;
    }
  }
  expect(clicks).toBeGreaterThan(20);
  [automation = ''] = ids;
  expect((await report()).clicks).toMatchObject({ held_out: 0, others: 0 });
});

it('clicks count in emails of others alone, and who unsubscribes counts', async () => {
  const fields = {
    name: 'other',
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    delay_days: 2,
  };
  const other = await sender.newAutomation({ ...fields, every_x_days: 7, delay_minutes: 10 });
  await sender.newTemplate([other.id]);
  await sender.run(timeAfter(14 * MINUTE));
  const clicked = { at: sender.now.toISOString(), url: 'https://shop.example.com', by: 'person' } as const;
  for (const hash of NAMES.map(hashOf)) {
    const key = { organization: sender.organization, hash };
    for (const { seq, type } of await queryPartition(table, `R#${key.organization}#${hash}`, 'J#'))
      if (type === 'send') await writeClick(table, key, { ...clicked, seq: Number(seq), part: 'cta_url' });
  }
  await changeMember(sender, readers, { is_subscribed: false }, { email: others?.[0] ?? '' });
  expect(sender.mails()).toHaveLength(NAMES.length + (others?.length ?? 0));
  const { clicks, unsubscribes } = await report();
  expect(clicks).toMatchObject({ held_out: held?.length, others: others?.length });
  expect(unsubscribes).toMatchObject({ held_out: 0, others: 1 });
  // Who has unsubscribed may be changed, or come so.
  await changeMember(sender, readers, { metadata: { plan: 'pro' } }, { email: others?.[0] ?? '' });
  await listMember.add({ table, now: sender.now }, sender.organization, {
    email_list_id: readers.id,
    email: 'late@example.com',
    is_subscribed: false,
    metadata: {},
  });
  expect((await report()).unsubscribes).toMatchObject({ held_out: 0, others: 1 });
});

it('of enough conversions, the lift of their value is told too', async () => {
  const units = await unitsOf({ table, now: sender.now }, sender.organization);
  const order = { organization: sender.organization, lists: [readers.id] };
  const counters = Array.from({ length: 400 }, (_, nth) =>
    liftCounters(units, {
      ...order,
      counted: 'conversions',
      hash: hashOf(`buyer${nth}@example.com`),
      units: 100_000,
    }),
  ).flat();
  const counts: Record<string, number> = {};
  for (const [field, count] of counters.flatMap(({ add }) => Object.entries(add)))
    counts[field] = (counts[field] ?? 0) + Number(count);
  await batchWrite(table, { puts: [{ ...(counters[0]?.key as Key), ...counts }] });
  const { conversions, value } = await report();
  expect(conversions.lift).not.toBeNull();
  expect(value.lift?.estimate).toBeCloseTo(conversions.lift?.estimate ?? Number.NaN, 6);
});

it('holdouts are read once a minute, however much happens in an organization; a new one counts within that minute', async () => {
  let requests = 0;
  const counting = intercepted(table, send => {
    requests++;
    return send();
  });
  const at = (milliseconds: number) => new Date(sender.now.getTime() + milliseconds);
  const units = (now: Date) => unitsOf({ table: counting, now }, sender.organization);
  for (let batch = 0; batch < 20; batch++) expect(await units(at(batch))).toMatchObject([{ percent: 30 }]);
  expect(requests).toBe(2);
  await changeAutomation(sender, automation, { holdout_percent: 20 });
  expect(await units(at(MINUTE - 1))).toMatchObject([{ percent: 30 }]);
  expect(await units(at(MINUTE))).toMatchObject([{ percent: 20 }]);
  expect(requests).toBe(4);
});

it('of an organization, conversions count by its own groups, on all lists; clicks and who unsubscribes do not', async () => {
  const known = await organizations.findLiving({ table }, sender.organization);
  await holdout.change({ table, now: sender.now }, known, { percent: 40 });
  const whole = { ...known, holdout_percent: 40 };
  const out = NAMES.filter(name => holdout.isHeldOut(hashOf(name), holdout.idOf(whole), 40));
  for (const name of NAMES) await buys(name, out.includes(name) ? 10 : 30);
  await changeMember(sender, readers, { is_subscribed: false }, { email: NAMES[0] ?? '' });
  const { conversions } = await report();
  const of = await liftOfOrganization({ table, now: sender.now, hasTimeLeft: () => true }, whole);
  const [few, many] = [out.length, NAMES.length - out.length];
  expect(of).toMatchObject({
    percent: 40,
    conversions: { held_out: few, others: many },
    value: { held_out: 10 * few, others: 30 * many },
  });
  expect(of.people.held_out + of.people.others).toBe(NAMES.length - 1);
  expect(Object.keys(of)).not.toContain('clicks');
  const stored = await queryPartition(table, `ORG#${sender.organization}#CONTENT`, 'LIFT#organization');
  expect(stored.flatMap(Object.keys).filter(field => /^[uc][ho]/.test(field))).toEqual([]);
  expect(conversions.held_out).toBe(held?.length);
});
