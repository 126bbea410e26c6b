import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '../../functions/core/list/list.ts';
import { type Change, project, type Unsubscribed } from '../../functions/core/projection/projection.ts';
import { list as itemsOf, type Table } from '../../functions/core/table.store.ts';
import { through } from '../support/between.ts';
import { found, newList } from '../support/core-list.ts';
import { Died, dying } from '../support/cut.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

let readers: list.Found;
let shard: string;
let told: Unsubscribed[];
let sequence = 100;
beforeEach(async () => {
  readers = await newList(table, now);
  shard = `shard-${readers.id}`;
  told = [];
});

const image = (status: string, metadata: Record<string, string> = {}) => ({
  email: 'ann@example.com',
  status,
  metadata,
  updated_at: now.toISOString(),
  revision: `r${sequence}`,
  by: 'app',
});
const change = (before: Change['before'], after: Change['after'], of = readers.id): Change => ({
  sequence: String(sequence++),
  organization: readers.organization_id,
  hash: 'hash',
  list: of,
  before,
  after,
});
const entering = (count: number) =>
  Array.from({ length: count }, () => change(undefined, image('subscribed')));
const dates = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, '2030-01-05']));

const run = (changes: Change[], on: Table = table) =>
  project({ table: on, now, publish: async events => void told.push(...events) }, shard, changes);
const counts = async () => {
  const { counts } = await found(table, readers.organization_id, readers.id);
  return [counts.total, counts.subscribed];
};
const stats = async () => (await list.datetimeColumns({ table }, readers)).stats;

describe('a shard', () => {
  it('counts a record once, however often and in whatever batches it is delivered', async () => {
    const changes = entering(10);
    await run(changes.slice(0, 4));
    await run(changes.slice(2, 7));
    await run(changes);
    await run(changes);
    expect(await counts()).toEqual([10, 10]);
  });

  it('counts once where two runs take the same records at once', async () => {
    const changes = entering(10);
    await Promise.all([run(changes), run(changes), run(changes.slice(0, 3))]);
    await run(changes);
    expect(await counts()).toEqual([10, 10]);
  });

  it('has numbers of any length, which it does not compare as texts', async () => {
    const numbered = (number: string) => ({ ...change(undefined, image('subscribed')), sequence: number });
    await run([numbered('9'), numbered('10'), numbered('900000000000000000000000001')]);
    await run([numbered('900000000000000000000000002')]);
    expect(await counts()).toEqual([4, 4]);
  });

  it('keeps its position apart from that of another one', async () => {
    const changes = entering(2);
    await run(changes);
    shard = `${shard}-other`;
    await run(changes);
    expect(await counts()).toEqual([4, 4]);
  });

  it('writes nothing for what changes no count', async () => {
    await run([change(image('subscribed'), image('subscribed', { plan: 'basic' }))]);
    expect(await itemsOf(table, `CHECKPOINT#${shard}`)).toEqual([]);
  });
});

describe('a record of more counters than a transaction takes', () => {
  const many = () =>
    change(
      image('subscribed', dates('was', 50)),
      image('unsubscribed', { ...dates('is', 49), was0: '2030-01-05' }),
    );

  it.each([1, 2, 3])('counts once wherever it dies: at write %i', async at => {
    await run([change(undefined, image('subscribed', dates('was', 50)))]);
    const changes = [many(), ...entering(1)];
    for (const how of ['before', 'after'] as const) {
      await run(changes, dying(table, { at, how })).catch(error => expect(error).toBeInstanceOf(Died));
    }
    await run(changes);
    expect(await counts()).toEqual([2, 1]);
    expect(await stats()).toEqual({ ...dates1('is', 49), was0: 1 });
  });

  it('keeps no part of the next record from counting where it was given up half way', async () => {
    await run([change(undefined, image('subscribed', dates('was', 50)))]);
    await run([many()], dying(table, { at: 2, how: 'before' })).catch(error =>
      expect(error).toBeInstanceOf(Died),
    );
    await run([change(undefined, image('subscribed', { signed_up: '2030-01-05' }))]);
    expect((await counts())[0]).toBe(2);
    expect((await stats()).signed_up).toBe(1);
  });

  it('goes on where it stopped, though the batch begins with records that are counted', async () => {
    const changes = [change(undefined, image('subscribed', dates('was', 50))), many()];
    await run(changes, dying(table, { at: 2, how: 'after' })).catch(error =>
      expect(error).toBeInstanceOf(Died),
    );
    await run(changes);
    expect(await counts()).toEqual([1, 0]);
    expect(await stats()).toEqual({ ...dates1('is', 49), was0: 1 });
  });

  const dates1 = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
});

describe('records of two lists', () => {
  it.each([98, 99, 100, 101])('count once with %i counters in all', async counters => {
    const other = await newList(table, now);
    const columns = counters - 52;
    await run([
      change(undefined, image('subscribed', dates('d', 50))),
      change(undefined, image('unsubscribed', dates('d', columns)), other.id),
    ]);
    expect(await counts()).toEqual([1, 1]);
    expect(Object.keys(await stats())).toHaveLength(50);
    const { counts: others } = await found(table, other.organization_id, other.id);
    expect([others.total, others.subscribed]).toEqual([1, 0]);
    expect(Object.keys((await list.datetimeColumns({ table }, other)).stats)).toHaveLength(columns);
  });
});

describe('many shards that tell of one list', () => {
  /** As DynamoDB does where transactions meet on one item. */
  function refusingOverlaps(): { busy: Table; met: () => number } {
    let isBusy = false;
    let met = 0;
    const busy = through(table, async (send, { constructor: { name } }) => {
      if (name !== 'TransactWriteCommand') return send();
      if (isBusy) {
        met++;
        const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
        throw Object.assign(new Error('Met'), { name: 'TransactionCanceledException', CancellationReasons });
      }
      isBusy = true;
      try {
        await setTimeout(HELD);
        return await send();
      } finally {
        isBusy = false;
      }
    });
    return { busy, met: () => met };
  }
  const HELD = 8;

  it('lose nothing, and none of them fails', async () => {
    const { busy, met } = refusingOverlaps();
    const publish = async () => {};
    const shards = Array.from({ length: 12 }, (_, at) => ({ name: `${shard}-${at}`, changes: entering(6) }));
    await Promise.all(
      shards.map(async ({ name, changes }) => {
        for (const one of changes) await project({ table: busy, now, publish }, name, [one]);
      }),
    );
    expect(met()).toBeGreaterThan(10);
    expect(await counts()).toEqual([72, 72]);
  });
});

describe('a deleted list', () => {
  it('counts no more, keeps no other list from counting, and is not written back', async () => {
    const other = await newList(table, now);
    await list.remove({ table, now }, readers);
    await list.endCounts(table, readers.id);
    await run([
      change(undefined, image('subscribed', dates('d', 3))),
      change(undefined, image('subscribed'), other.id),
    ]);
    expect(await itemsOf(table, `LIST#${readers.id}`)).toEqual([]);
    expect((await found(table, other.organization_id, other.id)).counts.total).toBe(1);
  });
});

describe('whoever unsubscribes', () => {
  const leaves = () => change(image('subscribed'), image('unsubscribed'));

  it('is told of once it is delivered, before it is counted', async () => {
    const changes = [...entering(1), leaves(), change(image('unsubscribed'), image('unsubscribed'))];
    await expect(
      project(
        { table, now, publish: async () => Promise.reject(new Error('The bus is down')) },
        shard,
        changes,
      ),
    ).rejects.toThrow('The bus is down');
    expect(await counts()).toEqual([0, 0]);
    await run(changes);
    await run(changes);
    expect(told).toEqual([
      {
        id: expect.stringContaining(readers.id),
        organization_id: readers.organization_id,
        email_list_id: readers.id,
        list_member_id: `${readers.id}-hash`,
        email: 'ann@example.com',
        unsubscribed_at: now.toISOString(),
        source: 'app',
      },
    ]);
    expect(await counts()).toEqual([1, 0]);
  });

  it('keeps the id of the event where it must be told twice', async () => {
    const changes = [leaves()];
    await run(changes, dying(table, { at: 1, how: 'before' })).catch(() => {});
    await run(changes);
    expect(told).toHaveLength(2);
    expect(told[0]).toEqual(told[1]);
  });
});
