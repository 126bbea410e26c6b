import { expect, it } from 'vitest';
import * as sequences from '#core/automation/sequence.ts';
import { countWaiting } from '#core/sending/forecast/audience-count.ts';
import { batchWrite, getAll, queryPartition } from '#core/storage/table.store.ts';
import { NewSequence, SequenceChange } from '#shared/sequence.ts';
import { inSmallPages } from '#test/support/core-automation.ts';
import { deliveries, HOUR, type Sender, start, timeAfter } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, changeMember } = deliveries();
const DAY = 24 * HOUR;
const email = (name: string) => `${name}@example.com`;

const stored = async (sender: Sender, { id }: { id: string }) =>
  sequences.found(await getAll(table, sequences.keysOf(sender.organization, id)));
const change = async (sender: Sender, of: { id: string }, to: object) =>
  sequences.change({ table, now: sender.now }, await stored(sender, of), SequenceChange.parse(to));
type Asked = Partial<Parameters<typeof countWaiting>[0]>;
const count = async (sender: Sender, of: { id: string }, asked: Asked = {}) => {
  const needs = { table, now: sender.now, hasTimeLeft: () => true, ...asked };
  const { steps, ...looked } = await countWaiting(needs, await stored(sender, of));
  return { steps: steps.map(({ people }) => people), ...looked };
};

/** Welcome emails at once, after two days and after five, for lists whose members were added so many days ago. */
async function course(days: Record<string, number>, fields: object = {}) {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  for (const [name, ago] of Object.entries(days)) {
    sender.at(timeAfter(-ago * DAY));
    await sender.add(readers, email(name), { plan: name.startsWith('p') ? 'pro' : 'free' });
  }
  sender.at(start);
  const steps = [{ delay_minutes: 30 }, { delay_days: 2 }, { delay_days: 5 }];
  const parsed = NewSequence.parse({
    name: 'Course',
    active: true,
    email_list_ids: [readers.id],
    steps,
    ...fields,
  });
  const created = await sequences.create({ table, now: start }, sender.organization, parsed);
  return { sender, readers, created };
}

const WHOLE = { sampled: null, counted_share: 1 };

it('each subscribed person who matches waits for the first step that is still to come', async () => {
  const { sender, readers, created } = await course({ ann: 0, ben: 1, cleo: 1.9, dan: 3, eve: 5.1, pia: 1 });
  expect(await count(sender, created)).toEqual({ steps: [1, 3, 1], ...WHOLE });
  sender.at(timeAfter(HOUR));
  expect(await count(sender, created)).toEqual({ steps: [0, 4, 1], ...WHOLE });
  await changeMember(sender, readers, { is_subscribed: false }, { email: email('ben') });
  expect((await count(sender, created)).steps).toEqual([0, 3, 1]);
  await change(sender, created, { audience: { all: [{ field: 'plan', op: 'is', value: 'free' }] } });
  expect((await count(sender, created)).steps).toEqual([0, 2, 1]);
});

it('nobody waits for a step that is off, and of a sequence that is off everybody does as if it were switched on', async () => {
  const { sender, created } = await course({ ann: 0, ben: 1, dan: 3 });
  const [first, second, third] = created.steps;
  const wished = [first, { ...second, active: false }, third].map(step => ({
    automation_id: step?.automation_id,
    active: step?.active,
  }));
  await change(sender, created, { steps: wished });
  expect((await count(sender, created)).steps).toEqual([1, 0, 2]);
  await change(sender, created, { active: false });
  expect((await count(sender, created)).steps).toEqual([1, 0, 2]);
  await change(sender, created, { email_list_ids: [] });
  expect(await count(sender, created)).toEqual({ steps: [0, 0, 0], ...WHOLE });
});

it('estimates from a sample of more people, within its margin', async () => {
  const days = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`m${at}`, at % 3 === 0 ? 1 : 3]));
  const { sender, created } = await course(days);
  const { steps, sampled } = await count(sender, created, { mostPeople: 30 });
  expect(sampled).toMatchObject({ people: 30, of: 60 });
  expect(steps.reduce((sum, people) => sum + people, 0)).toBe(60);
  const [, second = 0] = steps;
  expect(sampled?.margin).toBeGreaterThan(5);
  expect(Math.abs(second - 20)).toBeLessThanOrEqual(2 * (sampled?.margin ?? 0));
});

it('whoever is on two lists counts once for each step, and other automations, or rows that are left behind, for none', async () => {
  const { sender, readers, created } = await course({ ann: 3, ben: 1, cleo: 1 });
  const others = await sender.newList({ name: 'Others' });
  sender.at(timeAfter(-DAY));
  for (const name of ['ann', 'ben', 'dan']) await sender.add(others, email(name));
  sender.at(start);
  await sender.newAutomation({ name: 'daily', email_list_ids: [readers.id] });
  const email_list_ids = [readers.id, others.id];
  await change(sender, created, { email_list_ids });
  const PK = `TRG#${readers.id}#`;
  const rows = await queryPartition(table, PK);
  await changeMember(sender, readers, { is_subscribed: false }, { email: email('cleo') });
  await batchWrite(table, { puts: rows.map(row => ({ ...row, PK, SK: String(row.SK) })) });
  expect(await count(sender, created)).toEqual({ steps: [0, 3, 1], ...WHOLE });
  await change(sender, created, { audience: { all: [{ field: '@list', op: 'on', value: others.id }] } });
  expect((await count(sender, created)).steps).toEqual([0, 3, 1]);
  await change(sender, created, { audience: { all: [{ field: '@list', op: 'not_on', value: others.id }] } });
  expect((await count(sender, created)).steps).toEqual([0, 0, 0]);
});

it('where the time of the call is over it counts nobody more, and says which part it has read', async () => {
  const { sender, created } = await course({ ann: 1, ben: 1.5, cleo: 1.75 });
  const { on } = inSmallPages(table, 1);
  const reading = (pages: number, people = Number.POSITIVE_INFINITY) => {
    let [left, most] = [pages, people];
    return (reserve?: number) => (reserve === undefined ? --most >= 0 : --left >= 0);
  };
  const looked = (pages: number, people?: number) =>
    count(sender, created, { table: on, hasTimeLeft: reading(pages, people) });
  expect(await looked(9)).toEqual({ steps: [0, 3, 0], ...WHOLE });
  const some = await looked(1);
  expect(some.counted_share).toBeGreaterThan(0);
  expect(some.counted_share).toBeLessThan(1);
  expect(await looked(9, 0)).toMatchObject({ steps: [0, 0, 0], sampled: { people: 0, of: 3 } });
});
