import { beforeEach, describe, expect, it } from 'vitest';
import { rebuild } from '#core/operations/rebuild.ts';
import * as organization from '#core/organization/organization.ts';
import { markClaim } from '#core/recipient/claim.ts';
import { automationHash, bucketOf, countsIn } from '#core/sending/rollup.ts';
import { KINDS, kindsOf } from '#core/storage/items/items.ts';
import { project } from '#core/storage/projection.ts';
import {
  batchWrite,
  deleteAll,
  get,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { newSent } from '#test/support/sent.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable();
const written = streamOf(table);
const start = new Date('2030-01-31T23:58:30Z');
const OTHER = 'ffffffffffff';
const BOUNCED = `2030-01-31T10:00:00.000Z#abcdefghijklmnopqrstuv-1#list.automation#${OTHER}`;

type Sent = Awaited<ReturnType<typeof newSent>>;
let ann: Sent;
let id: number;
beforeEach(async () => {
  ann = await newSent(table, start, { metadata: { born: '2000-05-01' } });
  id = ann.sender.organization;
  await ann.sender.add(ann.list, 'ben@example.com', { born: '2000-06-01' });
  await ann.sender.run(new Date('2030-02-01T00:03:00Z'));
  await ann.sender.add(ann.list, 'cleo@example.com', { born: 'unknown' });
  await countAll();
});

const countAll = async () => {
  for (const { shard, records } of await written()) {
    const needs = { ...projecting, table, now: start };
    await project(
      needs,
      shard,
      records.map(record => contributionOf(record)),
    );
  }
};
const click = () => markClaim(table, ann.key, { seq: 1, as: 'first_clicked_at', at: start.toISOString() });
const clicked = () => queryPartition(table, `ORG#${id}#LOG#clicked`);
const open = () => markClaim(table, ann.key, { seq: 1, as: 'opened_at', at: start.toISOString() });

const counts = () => ({ PK: `LIST#${ann.list.id}`, SK: 'COUNTS' });
const column = () => ({ PK: `LIST#${ann.list.id}`, SK: 'COLUMN#born' });
const rollups = () => queryPartition(table, `ORG#${id}#REPORT`);
const add = (key: Key, numbers: Item) => updateItem(table, key, { add: numbers });
const stored = async () => [await get(table, counts()), await get(table, column()), await rollups()];

/** Of what was found last. */
let kinds: Set<string>;

type Options = { on?: Table; fix?: boolean; pause?: () => Promise<unknown> };
async function found({ on = table, fix = false, pause = async () => {} }: Options = {}) {
  const all = [];
  const needs = { table: on, pause: async () => void (await pause()), progress: () => {} };
  for await (const one of rebuild(needs, id, { fix })) all.push(one);
  kinds = new Set(all.flatMap(({ key }) => kindsOf(key)));
  return all.map(({ key, name, stored, counted, state }) => [`${key.SK} ${name}`, stored, counted, state]);
}

/** What an operator finds after an accident. */
async function spoil() {
  const { combination, automation_id } = (await ann.claim()) ?? {};
  const sent = `s${combination}${automationHash(String(automation_id))}`;
  const day = (date: string, of = String(combination)) => ({
    PK: `ORG#${id}#REPORT`,
    SK: `${date}#${bucketOf(of)}`,
  });
  await add(counts(), { total: 3, subscribed: -1 });
  await add(column(), { members: -5 });
  await add({ PK: `LIST#${ann.list.id}`, SK: 'COLUMN#gone' }, { members: 2 });
  await add(day('2030-01-31'), { [sent]: 10, [`o${combination}`]: 1 });
  await batchWrite(table, { deletes: [day('2030-02-01')] });
  await add(day('2029-11-01', OTHER), { [`s${OTHER}`]: 1 });
  await add({ PK: `ORG#${id}#LOG#bounced`, SK: BOUNCED }, { emails: 1 });
  return { combination: String(combination), sent };
}

const SPOILED = ({ combination, sent }: Awaited<ReturnType<typeof spoil>>, state: string) => [
  ['COLUMN#born members', -3, 2, state],
  ['COLUMN#gone members', 2, 0, state],
  ['COUNTS subscribed', 2, 3, state],
  ['COUNTS total', 6, 3, state],
  [`2029-11-01#${bucketOf(OTHER)} s${OTHER}`, 1, 0, state],
  [`2030-01-31#${bucketOf(combination)} o${combination}`, 1, 0, state],
  [`2030-01-31#${bucketOf(combination)} ${sent}`, 11, 1, state],
  [`${BOUNCED} emails`, 1, 0, state],
  [`2030-02-01#${bucketOf(combination)} ${sent}`, undefined, 1, state],
];

it('what the projector and the sender have counted is found to be right', async () => {
  await open();
  await markClaim(table, ann.key, { seq: 1, as: 'machine_opened_at', at: start.toISOString() });
  await countAll();
  expect(await found()).toEqual([]);
  const counts = (await rollups()).map(countsIn).map(({ day, counts }) => [day, ...counts.values()]);
  expect(counts).toEqual([
    ['2030-01-31', { sent: 1, opened: 1, machine_opened: 1 }],
    ['2030-02-01', { sent: 1 }],
  ]);
});

it('what was clicked has an entry in the log, which is written anew where it is missing', async () => {
  await click();
  await countAll();
  const [entry] = await clicked();
  expect(entry).toMatchObject({
    emails: 1,
    SK: expect.stringContaining(`#${ann.key.hash}-1#${ann.list.id}.`),
  });
  await deleteAll(table, [entry as Item & Key]);
  expect(await found({ fix: true })).toEqual([[`${entry?.SK} emails`, undefined, 1, 'fixed']]);
  expect(await clicked()).toEqual([entry]);
});

it('what is wrong is reported and left alone', async () => {
  // The hours of the guard and the batches that failed are not counted anew.
  for (const as of ['complained_at', 'rejected_at'] as const)
    await markClaim(table, ann.key, { seq: 1, as, at: start.toISOString(), with: { provider: 'mailgun' } });
  await countAll();
  const spoiled = await spoil();
  const before = await stored();
  expect(await found()).toEqual(SPOILED(spoiled, 'differs'));
  expect([...kinds].sort()).toEqual(KINDS.flatMap(([name, { rebuilt }]) => (rebuilt ? [name] : [])).sort());
  expect(await stored()).toEqual(before);
});

it('what is wrong is changed where that is asked for, and right from then on', async () => {
  const spoiled = await spoil();
  expect(await found({ fix: true })).toEqual(SPOILED(spoiled, 'fixed'));
  expect(await get(table, counts())).toMatchObject({ total: 3, subscribed: 3 });
  expect(await get(table, column())).toMatchObject({ members: 2 });
  expect(await found({ fix: true })).toEqual([]);
});

it('what was counted without its automation is counted for that one', async () => {
  const [before] = await rollups();
  const { combination } = (await ann.claim()) ?? {};
  const { PK, SK } = before as Item & Key;
  const short = `s${combination}`;
  const [long] = Object.keys(before ?? {}).filter(name => name.startsWith(short));
  await batchWrite(table, { puts: [{ PK, SK, [short]: 1 }] });
  expect(await found({ fix: true })).toEqual([
    [`${SK} ${short}`, 1, 0, 'fixed'],
    [`${SK} ${long}`, undefined, 1, 'fixed'],
  ]);
  expect((await rollups())[0]).toEqual({ ...before, [short]: 0 });
});

it('a day with a count of everything of many combinations is written anew', async () => {
  await spoil();
  const many = Array.from({ length: 30 }, (_, n) => String(n).padStart(12, '0'));
  const all = Object.fromEntries([...'soclubx'].flatMap(letter => many.map(of => [`${letter}${of}`, 7])));
  const SK = `2030-01-05#${bucketOf(OTHER)}`;
  await batchWrite(table, { puts: [{ PK: `ORG#${id}#REPORT`, SK, ...all }] });
  expect((await found({ fix: true })).filter(([what]) => String(what).startsWith(SK))).toHaveLength(210);
  expect(await found()).toEqual([]);
});

describe('while the product runs', () => {
  it('what is about to be counted is no difference', async () => {
    await open();
    await ann.sender.add(ann.list, 'dora@example.com');
    expect(await found({ fix: true, pause: countAll })).toEqual([]);
    expect(await get(table, counts())).toMatchObject({ total: 4, subscribed: 4 });
  });

  it('what changes from look to look is reported as changing, and not touched', async () => {
    await add(counts(), { total: 3 });
    let total = 6;
    const pause = () => add(counts(), { total: 1 }).then(() => total++);
    expect(await found({ fix: true, pause })).toEqual([['COUNTS total', total, 3, 'changing']]);
    expect(await get(table, counts())).toMatchObject({ total });
  });

  it('what is counted just before it is changed is looked at again', async () => {
    await add(counts(), { total: 3 });
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', async () => {
      await ann.sender.add(ann.list, 'dora@example.com');
      await countAll();
    });
    const result = await found({ on: meanwhile, fix: true });
    expect(result).toEqual([['COUNTS total', 7, 4, 'fixed']]);
    expect(await found()).toEqual([]);
  });

  it('two that change the same at once change it once', async () => {
    await spoil();
    await Promise.all([found({ fix: true }), found({ fix: true })]);
    expect(await found()).toEqual([]);
  });

  it('dies at each write, and is right when it is repeated', async () => {
    await crashingAtEachWrite(table, spoil, on => found({ on, fix: true }));
    await found({ fix: true });
    expect(await found()).toEqual([]);
  });
});

describe('what is deleted', () => {
  it('has nothing to be counted: an organization', async () => {
    const owner = await newUser(table, start);
    id = (await organization.create({ table, now: start }, owner.id, 'Post office')).id;
    await organization.remove({ table, now: start }, await actingIn(table, owner.id, id));
    await expect(found()).rejects.toThrow(`There is no organization ${id}.`);
  });

  it('gets no rollup again, where it is deleted meanwhile', async () => {
    const [january] = await rollups();
    const key = { PK: String(january?.PK), SK: String(january?.SK) };
    await batchWrite(table, { deletes: [key] });
    const meta = { PK: `ORG#${id}`, SK: 'META' };
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      updateItem(table, meta, { set: { deleted_at: start.toISOString() } }),
    );
    const [[, , , state] = []] = await found({ on: meanwhile, fix: true });
    expect(state).toBe('changing');
    expect(await get(table, key)).toBeUndefined();
  });

  it('gets no counts again: a list', async () => {
    await add(column(), { members: 1 });
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      batchWrite(table, { deletes: [counts()] }),
    );
    expect(await found({ on: meanwhile, fix: true })).toEqual([]);
    expect(await get(table, counts())).toBeUndefined();
    expect(await get(table, column())).toMatchObject({ members: 3 });
  });
});
