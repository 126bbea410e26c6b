import { describe, expect, it } from 'vitest';
import * as sequences from '#core/automation/sequence.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import { explain } from '#core/person/explanation.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { countWaiting } from '#core/sending/forecast/audience-count.ts';
import { dryRunOfSequence } from '#core/sending/forecast/dry-run.ts';
import { getAll, queryPartition } from '#core/storage/table.store.ts';
import { BEGINS_NOTHING, UNKNOWN_LIST } from '#shared/automation.ts';
import { NewImport } from '#shared/member-import.ts';
import { NewSequence, type Sequence, SequenceChange } from '#shared/sequence.ts';
import { courses, daysAfter, emailOf } from '#test/support/courses.ts';
import {
  deliveries,
  HOUR,
  MINUTE,
  memberOf,
  type Sender,
  start,
  timeAfter,
} from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';

const { table, shown, changeMember, storedAutomation } = deliveries();
const { stored, change, members, create } = courses(table);

const DAY = 24 * HOUR;
const stepsOf = ({ steps }: Sequence, ...others: object[]) => [
  ...steps.map(({ automation_id, active }) => ({ automation_id, active })),
  ...others,
];

/** So often that their journal has more entries than one page. */
async function leavesAndReturns(sender: Sender, list: List, name: string) {
  for (let nth = 0; nth < 20; nth++)
    await changeMember(sender, list, { is_subscribed: nth % 2 === 1 }, { email: emailOf(name) });
}

/** Each half day, what happens then, and a sweep right after it. */
async function live(sender: Sender, until: number, events: [day: number, event: () => unknown][] = []) {
  for (let day = 0; day <= until; day += 0.5) {
    sender.at(daysAfter(day));
    for (const [on, event] of events) if (on === day) await event();
    sender.at(new Date(daysAfter(day).getTime() + 2 * MINUTE));
    await sender.sweep();
    await sender.deliverAll();
  }
}

/** `1@0 2@2`: the first email at once, the second one after two days. */
async function courseOf(sender: Sender): Promise<Record<string, string>> {
  const rows = (await shown(sender, { per_page: 100 })).filter(({ status }) => status === 'sent');
  const dayOf = (at: string) => Math.floor(((Date.parse(at) - start.getTime() + HOUR) / DAY) * 2) / 2;
  const byPerson = Map.groupBy(rows.reverse(), ({ recipient_email }) => recipient_email.split('@')[0] ?? '');
  return Object.fromEntries(
    [...byPerson].map(([name, emails]) => [
      name,
      emails.map(({ automation_name, sent_at }) => `${automation_name.at(-1)}@${dayOf(sent_at)}`).join(' '),
    ]),
  );
}

type List = Awaited<ReturnType<typeof members>>['lists']['a'];
type World = Awaited<ReturnType<typeof members>> & {
  of: Sequence;
  to: (fields: object) => Promise<Sequence>;
};
type Case = {
  people: Record<string, number>;
  ends?: Record<string, string>;
  fields?: { on?: 'ab'; steps?: object[]; metadata_trigger?: string };
  meanwhile?: (world: World) => [day: number, event: () => unknown][];
  gets: Record<string, string>;
};
const [OFF, ON, AGAIN] = [{ active: false }, { active: true }, { active: true, include_existing: true }];
const ALL = '1@0 2@2 3@4';
const delays = (...days: number[]) => days.map(delay_days => ({ delay_days }));

const CASES: Record<string, Case> = {
  'everybody who was there begins now, and who is added later begins then': {
    people: { 'a.old': 400, 'a.mid': 1 },
    meanwhile: ({ sender, lists }) => [[0.5, () => sender.add(lists.a, emailOf('new'))]],
    gets: { old: ALL, mid: ALL, new: '1@0.5 2@2.5 3@4.5' },
  },
  'what falls into a pause is not sent later, and the rest goes on': {
    people: { 'a.old': 400 },
    meanwhile: ({ to }) => [
      [1, () => to(OFF)],
      [3, () => to(ON)],
    ],
    gets: { old: '1@0 3@4' },
  },
  'who was to begin when it was switched off begins with the next email when it is on again': {
    people: { 'a.old': 400 },
    meanwhile: ({ to }) => [
      [0, () => to(OFF)],
      [1, () => to(ON)],
    ],
    gets: { old: '2@2 3@4' },
  },
  'who is included again, after a pause, gets what they have not got': {
    people: { 'a.old': 400 },
    meanwhile: ({ to }) => [
      [2.5, () => to(OFF)],
      [3, () => to(AGAIN)],
      [7.5, () => to(OFF)],
      [8, () => to(AGAIN)],
    ],
    gets: { old: '1@0 2@2 3@7' },
  },
  'of two lists that begin at once, everybody gets one course': {
    people: { 'a.both': 400, 'b.both': 300, 'b.other': 2 },
    fields: { on: 'ab' },
    gets: { both: ALL, other: ALL },
  },
  'a list that is added later begins for those who are on no other': {
    people: { 'a.both': 400, 'b.both': 300, 'a.late': 3, 'b.other': 2 },
    meanwhile: ({ sender, lists: { a, b }, to }) => [
      [0.5, () => sender.add(b, emailOf('late'))],
      [1, () => to({ email_list_ids: [a.id, b.id], include_existing: true })],
    ],
    gets: { both: ALL, late: ALL, other: '1@1 2@3 3@5' },
  },
  'who is on a list that left is not begun again when it returns, nor owed a step that is added': {
    people: { 'a.stays': 400, 'b.left': 400 },
    fields: { on: 'ab' },
    meanwhile: ({ lists: { a, b }, of, to }) => [
      [0.5, () => to({ email_list_ids: [a.id] })],
      [1, () => to({ email_list_ids: [a.id, b.id] })],
      [1.5, () => to({ steps: stepsOf(of, { delay_days: 5 }) })],
    ],
    gets: { stays: `${ALL} 4@5`, left: '1@0' },
  },
  'who is on the way by one list goes on by that': {
    people: { 'a.soon': 1, 'b.soon': 400, 'b.old': 400 },
    fields: { on: 'ab', steps: delays(3, 4, 6) },
    gets: { soon: '1@2 2@3 3@5', old: '1@0 2@4 3@6' },
  },
  'a step that is added is owed to them where it is still to come': {
    people: { 'a.old': 400 },
    meanwhile: ({ of, to }) => {
      const [one, two, three] = stepsOf(of);
      const [past, next] = [{ delay_days: 0, delay_minutes: 60 }, { delay_days: 3 }];
      return [[1, () => to({ steps: [one, past, two, next, three] })]];
    },
    gets: { old: '1@0 2@2 5@3 3@4' },
  },
  'a step that is moved goes at its new time, and is not sent later where that is past': {
    people: { 'a.old': 400 },
    meanwhile: ({ of, to }) => {
      const [one, two, three] = stepsOf(of);
      const moved = (second: number, third: number) =>
        to({ steps: [one, { ...two, delay_days: second }, { ...three, delay_days: third }] });
      return [
        [1, () => moved(3, 6)],
        [5, () => moved(3, 4)],
        [6.5, () => moved(3, 7)],
      ];
    },
    gets: { old: '1@0 2@3 3@7' },
  },
  'a step that is moved is not sent again, also where it was sent more than a week before': {
    people: {},
    meanwhile: ({ sender, lists, of, to }) => {
      const [one, two, three] = stepsOf(of);
      const later = { steps: [one, { ...two, delay_days: 11 }, { ...three, delay_days: 12 }] };
      return [
        [0.5, () => sender.add(lists.a, emailOf('new'))],
        [3, () => to(later)],
        [4, () => leavesAndReturns(sender, lists.a, 'new')],
      ];
    },
    gets: { new: '1@0.5 2@2.5 3@12.5' },
  },
  'without its first step the course goes on, and who comes later begins with the next one': {
    people: { 'a.old': 400 },
    meanwhile: ({ sender, lists, of, to }) => [
      [0.5, () => to({ steps: stepsOf(of).slice(1) })],
      [1, () => sender.add(lists.a, emailOf('new'))],
    ],
    // Its automation is deleted.
    gets: { old: 'd@0 2@2 3@4', new: '2@3 3@5' },
  },
  'it begins with the first step that is on; one before that is not sent later': {
    people: { 'a.old': 400, 'a.mid': 1 },
    fields: { steps: [{ active: false }, { delay_days: 2 }, { delay_days: 4 }] },
    meanwhile: ({ of, to }) => [
      [1, () => to({ steps: stepsOf(of).map(step => ({ ...step, active: true })) })],
    ],
    gets: { old: '2@0 3@4', mid: '2@1 3@3' },
  },
  'who begins by a date of their own on that day does that': {
    people: { 'a.past': 400, 'a.tonight': 400, 'a.none': 400 },
    ends: { past: '2029-12-01', tonight: '2030-01-01T20:00:00Z' },
    fields: { metadata_trigger: 'ends' },
    gets: { past: ALL, tonight: '1@0.5 2@2.5 3@4.5' },
  },
};

const world = async (people: Record<string, number>, ends: Record<string, string> = {}) => {
  const named = (name: string): Record<string, string> => (ends[name] ? { ends: ends[name] } : {});
  return members(people, named);
};

describe('of a sequence that begins for people who are there', () => {
  it.each(Object.entries(CASES))('%s', async (_, { people, ends, fields = {}, meanwhile, gets }) => {
    const { sender, lists } = await world(people, ends);
    const { on = 'a', ...own } = fields;
    const email_list_ids = on === 'ab' ? [lists.a.id, lists.b.id] : [lists.a.id];
    const of = await create(sender, { email_list_ids, include_existing: true, ...own });
    const to = (fields: object) => change(sender, of, fields);
    await live(sender, 13, meanwhile?.({ sender, lists, of, to }));
    expect(await courseOf(sender)).toEqual(gets);
  });
});

async function importWithoutStart({ now, organization }: Sender, to: List, name: string) {
  const file = NewImport.parse({
    file_name: 'people.csv',
    size: 100,
    fingerprint: 'f'.repeat(64),
    total_rows: 1,
    columns: [{ position: 0, name: 'email', to: 'email' }],
    consent: { source: 'Sign-up form' },
    start_nothing: true,
  });
  const needs = { table, now, organization, user: 'u', role: 'OWNER' as const, hasTimeLeft: () => true };
  const { id } = await memberImport.create(needs, to, file);
  const stored = await getAll(table, memberImport.keysOf(organization, id, { list: to.id }));
  await memberImport.addRows(needs, to, memberImport.found(id, stored), { from: 1, rows: [[emailOf(name)]] });
}

it('who was imported into another list and starts nothing there begins at once', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  sender.at(daysAfter(-1));
  await importWithoutStart(sender, lists.b, 'old');
  sender.at(start);
  const both = { email_list_ids: [lists.a.id, lists.b.id], steps: delays(3, 4, 6) };
  await create(sender, { ...both, include_existing: true });
  await live(sender, 7);
  expect(await courseOf(sender)).toEqual({ old: '1@0 2@4 3@6' });
});

it('who has a date on another list that is still to come begins at once by that of the first one', async () => {
  const { sender, lists } = await world({ 'a.old': 400 }, { old: '2029-12-01' });
  await sender.add(lists.b, emailOf('old'), { ends: '2030-01-02T12:00:00Z' });
  const both = { email_list_ids: [lists.a.id, lists.b.id], metadata_trigger: 'ends' };
  await create(sender, { ...both, include_existing: true });
  await live(sender, 1);
  expect(await courseOf(sender)).toEqual({ old: '1@0' });
});

it('who joins another list in the minute in which they are to begin at once goes on by that', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  const both = { email_list_ids: [lists.a.id, lists.b.id], steps: delays(3, 4, 6) };
  await create(sender, { ...both, include_existing: true });
  sender.at(timeAfter(40_000));
  const PK = `R#${sender.organization}#${hashOf(emailOf('old'))}`;
  const Items = (await queryPartition(table, PK)).filter(({ SK }) => String(SK) < 'K');
  await sender.add(lists.b, emailOf('old'));
  sender.at(timeAfter(55_000));
  await sender.sweep();
  // What is read eventually consistently has not seen that list.
  const lagging = intercepted(table, async (send, { constructor: { name }, input }) => {
    const { ConsistentRead, ExpressionAttributeValues: values } = input as {
      ConsistentRead?: boolean;
      ExpressionAttributeValues?: { ':pk'?: string };
    };
    return name === 'QueryCommand' && !ConsistentRead && values?.[':pk'] === PK ? { Items } : send();
  });
  for (const { pack } of sender.queue.splice(0)) await deliver({ ...sender.needs, table: lagging }, pack);
  await live(sender, 7);
  expect(await courseOf(sender)).toEqual({ old: '1@3 2@4 3@6' });
});

const tried = async (sender: Sender, of: Sequence, fields: object) => {
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  return dryRunOfSequence(needs, sender.organization, await stored(sender, of), SequenceChange.parse(fields));
};

it('who has had it by one list is not counted for another, however long ago that was', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  const of = await create(sender, { email_list_ids: [lists.a.id], include_existing: true });
  await live(sender, 4);
  sender.at(daysAfter(10));
  await leavesAndReturns(sender, lists.a, 'old');
  await changeMember(sender, lists.a, { is_subscribed: false }, { email: emailOf('old') });
  sender.at(daysAfter(30));
  for (const name of ['old', 'new']) await sender.add(lists.b, emailOf(name));
  sender.at(daysAfter(31));
  const added = { email_list_ids: [lists.a.id, lists.b.id], include_existing: true };
  expect(await tried(sender, of, added)).toMatchObject({
    existing: 1,
    next_7_days: { emails: 3, people_more: 1 },
  });
});

it('says how many it would begin for, before it does; then that it mails them, until they are queued', async () => {
  const { sender, lists } = await world({ 'a.old': 400, 'a.mid': 1, 'b.other': 2 });
  const of = await create(sender, { email_list_ids: [lists.a.id], active: false });
  const both = [lists.a.id, lists.b.id];
  // By their own dates, one of them has two emails to come.
  expect(await tried(sender, of, ON)).toMatchObject({
    existing: 2,
    next_7_days: { emails: 2, people_more: 1 },
  });
  const next_7_days = { emails: 3 * 3, people_more: 3, people_fewer: 0 };
  const asked = await tried(sender, of, { ...AGAIN, email_list_ids: both });
  expect(asked).toMatchObject({ existing: 3, next_7_days, next_24_hours: { emails: 3 } });
  expect(await change(sender, of, { ...AGAIN, email_list_ids: both })).toMatchObject({
    mails_existing: true,
  });
  await live(sender, 1);
  expect(await tried(sender, of, { email_list_ids: [] })).toMatchObject({
    existing: 0,
    next_7_days: { emails: -6 },
  });
  expect(await tried(sender, of, { steps: stepsOf(of).slice(0, 2) })).toMatchObject({
    next_7_days: { emails: -3, people_fewer: 3 },
  });
  const shownNow = await sequences.detail({ table }, await stored(sender, of));
  expect(Object.keys(shownNow)).not.toEqual(expect.arrayContaining(['begun']));
  expect(shownNow.mails_existing).toBeUndefined();
  const people = async () =>
    (
      await countWaiting({ table, now: sender.now, hasTimeLeft: () => true }, await stored(sender, of))
    ).steps.map(({ people }) => people);
  expect(await people()).toEqual([0, 3, 0]);
  // Those whom this one mails are nobody for whom another one begins.
  const audience = { all: [{ field: '@email', op: 'contains', value: 'old' }] };
  const another = await create(sender, { name: 'Another', email_list_ids: both, active: false, audience });
  expect(await tried(sender, another, AGAIN)).toMatchObject({ existing: 1 });
  await live(sender, 5);
  expect(await courseOf(sender)).toEqual({ old: ALL, mid: ALL, other: ALL });
  sender.at(daysAfter(2));
  const second = await people();
  sender.at(new Date(daysAfter(2).getTime() + MINUTE));
  expect([second, await people()]).toEqual([
    [0, 3, 0],
    [0, 0, 3],
  ]);
});

it('looks for them again only for a later step that goes at another time', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  const of = await create(sender, { email_list_ids: [lists.a.id], include_existing: true });
  await live(sender, 1);
  const [one, two, three] = stepsOf(of);
  const looks = async (fields: object) => (await change(sender, of, fields)).mails_existing ?? false;
  expect(await looks({ name: 'Renamed', steps: [one, two, three] })).toBe(false);
  expect(await looks({ steps: [{ ...one, delay_minutes: 5 }, two, three] })).toBe(false);
  expect(await looks({ steps: [one, two, { ...three, delay_days: 5 }] })).toBe(true);
});

it('why a later step was not sent to them is found, however late its pass came', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  const steps = [{}, { delay_days: 2 }];
  const without = {
    name: 'Course',
    active: true,
    email_list_ids: [lists.a.id],
    steps,
    include_existing: true,
  };
  const needs = { table, now: sender.now };
  const of = await sequences.create(needs, sender.organization, NewSequence.parse(without));
  await live(sender, 3);
  const id = memberOf(lists.a, emailOf('old'));
  const member = await listMember.find({ table }, sender.organization, id);
  const later = await storedAutomation(sender, of.steps[1]?.automation_id ?? '');
  const { past } = await explain({ table, now: sender.now }, member, later);
  expect(past).toMatchObject([{ number: 1, status: 'skipped', reason: 'no_content' }]);
});

it('is refused where it begins nothing, or for the list of another organization, and nothing changes', async () => {
  const { sender, lists } = await world({ 'a.old': 400 });
  const other = await world({});
  const of = await create(sender, { email_list_ids: [lists.a.id] });
  const before = await stored(sender, of);
  const nothing = { errors: { include_existing: [BEGINS_NOTHING] } };
  const refused: [object, object][] = [
    [{ include_existing: true }, nothing],
    [{ include_existing: true, name: 'Other', email_list_ids: [lists.a.id] }, nothing],
    [{ include_existing: true, active: false }, nothing],
    [
      { include_existing: true, email_list_ids: [other.lists.a.id] },
      { errors: { email_list_ids: [UNKNOWN_LIST] } },
    ],
  ];
  for (const [fields, why] of refused) await expect(change(sender, of, fields)).rejects.toMatchObject(why);
  expect(await stored(sender, of)).toEqual(before);
  const off = await create(sender, {
    email_list_ids: [lists.a.id],
    active: false,
    steps: [{ active: false }],
  });
  await expect(change(sender, off, AGAIN)).rejects.toMatchObject(nothing);
  await live(sender, 5);
  expect(await courseOf(sender)).toEqual({});
});

it('a sweep amid the writes of a large change mails nobody, and then loses nobody', async () => {
  const { sender, lists } = await world({ 'a.old': 400, 'b.other': 2 });
  const more = await Promise.all(Array.from({ length: 4 }, (_, at) => sender.newList({ name: `L${at}` })));
  const email_list_ids = [lists.a, lists.b, ...more].map(({ id }) => id);
  const steps = delays(...Array.from({ length: 20 }, (_, at) => at));
  const of = await create(sender, { email_list_ids, active: false, steps });
  let sweeps = 0;
  const on = intercepted(table, async (send, command) => {
    if (/TransactWrite/.test(command.constructor.name)) {
      sweeps++;
      sender.at(timeAfter(sweeps * MINUTE));
      await sender.sweep();
      await sender.deliverAll();
    }
    return send();
  });
  const sequence = await stored(sender, of);
  await sequences.change({ table: on, now: sender.now }, sequence, SequenceChange.parse(AGAIN));
  expect(sweeps).toBeGreaterThan(2);
  expect(sender.mails()).toEqual([]);
  await live(sender, 3);
  expect(await courseOf(sender)).toEqual({ old: '1@0 2@1 3@2 4@3', other: '1@0 2@1 3@2 4@3' });
});
