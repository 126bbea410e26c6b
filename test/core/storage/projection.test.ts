import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import * as countsStore from '#core/list/counts.ts';
import { listCounters } from '#core/list/counts.ts';
import * as list from '#core/list/list.ts';
import { listMemberEvents } from '#core/list/list-member/list-member.ts';
import { aliveCheck } from '#core/organization/organization.store.ts';
import { type Contribution, type Counter, type Event, project } from '#core/storage/projection.ts';
import { batchWrite, queryPartition, type Table, textOf } from '#core/storage/table.store.ts';
import { BATCHED } from '#shared/webhook-events.ts';
import { found, newList } from '#test/support/core-list.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { projecting } from '#test/support/projecting.ts';

const table = freshTable({ anyItems: true });
const now = new Date('2030-01-01T12:00:00Z');
const DAY = 24 * 60 * 60;

let readers: list.CountedList;
let shard: string;
let published: Event[];
let uncounted: string[];
let sequence = 100;
beforeEach(async () => {
  readers = await newList(table, now);
  shard = `shard-${readers.id}`;
  published = [];
  uncounted = [];
});

const image = (status: string, metadata: Record<string, string> = {}) => ({
  email: 'ann@example.com',
  status,
  metadata,
  updated_at: now.toISOString(),
  revision: `r${sequence}`,
  by: 'app',
});
type Image = ReturnType<typeof image> | undefined;
const change = (before: Image, after: Image, list_id = readers.id): Contribution => {
  const change = { organization_id: readers.organization_id, hash: 'hash', list_id, before, after };
  return { sequence: String(sequence++), counters: listCounters(change), events: listMemberEvents(change) };
};
const inserts = (count: number) =>
  Array.from({ length: count }, () => change(undefined, image('subscribed')));
const dates = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, '2030-01-05']));
const unsubscribing = () => change(image('subscribed'), image('unsubscribed'));

const needs = (on: Table) => ({
  table: on,
  now,
  aliveCheck,
  publish: async (events: Event[]) => void published.push(...events),
  uncounted: (what: string) => void uncounted.push(what),
});
const run = (contributions: Contribution[], on: Table = table) => project(needs(on), shard, contributions);
const counts = async () => {
  const { counts } = await found(table, readers.organization_id, readers.id);
  return [counts.total, counts.subscribed];
};
const checkpoint = async () => (await queryPartition(table, `CHECKPOINT#${shard}`))[0];
const columns = async (of = readers.id) =>
  Object.fromEntries(
    (await queryPartition(table, `LIST#${of}`, 'COLUMN#')).map(({ SK, members }) => [
      String(SK).slice('COLUMN#'.length),
      members,
    ]),
  );
const each = (prefix: string, count: number, members: number) =>
  Object.fromEntries(Object.keys(dates(prefix, count)).map(column => [column, members]));

function metered(): { meter: Table; sizes: number[] } {
  const sizes: number[] = [];
  const meter = intercepted(table, (send, { input }) => {
    const { TransactItems } = input as { TransactItems?: object[] };
    if (TransactItems) sizes.push(TransactItems.length);
    return send();
  });
  return { meter, sizes };
}

describe('a shard', () => {
  it('counts a record once, however often and in whatever batches it is delivered', async () => {
    const records = inserts(10);
    await run(records.slice(0, 4));
    await run(records.slice(2, 7));
    await run(records);
    await run(records);
    expect(await counts()).toEqual([10, 10]);
  });

  it.each([
    ['its first records', 0],
    ['later records', 2],
  ])('counts %s once where another run counts them after the position was read', async (_, begun) => {
    const records = inserts(6);
    await run(records.slice(0, begun));
    await run(
      records,
      beforeFirst(table, 'TransactWriteCommand', () => run(records.slice(0, 4))),
    );
    expect(await counts()).toEqual([6, 6]);
    expect(await checkpoint()).toMatchObject({ sequence: records.at(-1)?.sequence });
  });

  it('gives up where another run moves the position before each of its attempts', async () => {
    let attempts = 0;
    const overtaken = intercepted(table, async (send, { constructor: { name } }) => {
      if (name !== 'TransactWriteCommand') return send();
      const position = { PK: `CHECKPOINT#${shard}`, SK: '-', sequence: String(++attempts) };
      await batchWrite(table, { puts: [position] });
      return send();
    });
    await expect(run([...inserts(1), unsubscribing()], overtaken)).rejects.toThrow('counted by another run');
    expect(attempts).toBeGreaterThan(1);
    expect(attempts).toBeLessThan(20);
    expect(published.filter(({ type }) => type !== BATCHED)).toHaveLength(1);
    expect(await counts()).toEqual([0, 0]);
  });

  it.each([
    ['9', '10'],
    ['99999999999999999999', '100000000000000000000'],
    ['900000000000000000000000001', '900000000000000000000000002'],
  ])('compares sequence numbers as numbers: %s comes before %s', async (lower, higher) => {
    const numbered = (number: string) => ({ ...change(undefined, image('subscribed')), sequence: number });
    await run([numbered(lower)]);
    await run([numbered(higher)]);
    expect(await counts()).toEqual([2, 2]);
    await run([numbered(lower)]);
    expect(await counts()).toEqual([2, 2]);
  });

  it('has a position of its own', async () => {
    const records = inserts(2);
    await run(records);
    shard = `${shard}-other`;
    await run(records);
    expect(await counts()).toEqual([4, 4]);
  });

  it('keeps its position for longer than the stream keeps a record', async () => {
    const [record] = inserts(1) as [Contribution];
    await run([record]);
    const { ttl, ...position } = (await checkpoint()) ?? {};
    expect(position).toEqual({ PK: `CHECKPOINT#${shard}`, SK: '-', sequence: record.sequence });
    // In seconds: the same in milliseconds would be centuries ahead.
    expect(ttl).toBeGreaterThan(now.getTime() / 1000 + DAY);
    expect(ttl).toBeLessThan(now.getTime() / 1000 + 30 * DAY);
  });

  it('writes nothing for a record that changes no count', async () => {
    await run([change(image('subscribed'), image('subscribed', { plan: 'basic' }))]);
    expect(await checkpoint()).toBeUndefined();
  });

  it('moves its position past records that add up to zero', async () => {
    const records = [...inserts(1), change(image('subscribed'), undefined)];
    const { meter, sizes } = metered();
    await run(records, meter);
    expect(sizes).toEqual([1]);
    await run(records.slice(0, 1));
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('a member with 40 dates', () => {
  it('has all of them replaced in one transaction', async () => {
    await run([change(undefined, image('subscribed', dates('was', 40)))]);
    const { meter, sizes } = metered();
    await run([change(image('subscribed', dates('was', 40)), image('unsubscribed', dates('is', 40)))], meter);
    expect(sizes).toEqual([82]);
    expect(await counts()).toEqual([1, 0]);
    expect(await columns()).toEqual({ ...each('was', 40, 0), ...each('is', 40, 1) });
  });

  it.each(['before', 'after'] as const)(
    'is counted once where the process dies %s that transaction',
    async how => {
      await run([change(undefined, image('subscribed', dates('was', 40)))]);
      const records = [
        change(
          image('subscribed', dates('was', 40)),
          image('unsubscribed', { ...dates('is', 39), was0: '2030-01-05' }),
        ),
        ...inserts(1),
      ];
      await expect(run(records, crashing(table, { at: 1, how }))).rejects.toThrow(Crashed);
      await run(records);
      expect(await counts()).toEqual([2, 1]);
      expect(await columns()).toEqual({ ...each('was', 40, 0), was0: 1, ...each('is', 39, 1) });
    },
  );
});

describe('a batch', () => {
  const partition = () => `COUNTED#${shard}`;
  function counting(count: number): Contribution {
    const number = String(sequence++);
    const counters = Array.from({ length: count }, (_, at): Counter => {
      return { key: { PK: partition(), SK: `${number}#${at}` }, add: { opens: 1, clicks: 0 } };
    });
    return { sequence: number, counters, events: [] };
  }

  it.each([
    { counters: [50, 49], transactions: [100] },
    { counters: [50, 50], transactions: [51, 51] },
    { counters: [40, 40, 40, 40, 19, 1], transactions: [81, 100, 2] },
    { counters: [0, 99, 0], transactions: [100] },
    { counters: [0, 0], transactions: [] },
  ])('is written with as many whole records in a transaction as fit: $counters', async expected => {
    const { meter, sizes } = metered();
    await run(expected.counters.map(counting), meter);
    expect(sizes).toEqual(expected.transactions);
  });

  it('is written with no more records in a transaction than fit together with the checks of their guards', async () => {
    const guards = [1, 2, 3].map(at => ({ PK: partition(), SK: `guard${at}` }));
    await batchWrite(table, { puts: guards });
    const records = guards.map(guard => {
      const record = counting(33);
      return { ...record, counters: record.counters.map(counter => ({ ...counter, guard })) };
    });
    const { meter, sizes } = metered();
    await run(records, meter);
    expect(sizes).toEqual([69, 35]);
  });

  it.each(
    [1, 2, 3].flatMap(at => [
      { at, how: 'before' as const },
      { at, how: 'after' as const },
    ]),
  )('of three transactions counts once where the process dies $how the write $at', async cut => {
    const records = [60, 60, 60].map(counting);
    await expect(run(records, crashing(table, cut))).rejects.toThrow(Crashed);
    await run(records);
    await run(records);
    const items = await queryPartition(table, partition());
    expect(items).toHaveLength(180);
    expect(items.every(({ opens, clicks }) => opens === 1 && clicks === undefined)).toBe(true);
  });
});

describe('lists that are written in turns', () => {
  const LISTS = 3;
  const TURNS = ['a', 'b', 'c', 'd'];
  /** Each change replaces all dates of a member: three of them are more than a transaction holds. No two lists have the same. */
  async function inTurns(): Promise<{ lists: string[]; records: Contribution[] }> {
    const others = await Promise.all([newList(table, now), newList(table, now)]);
    const lists = [readers, ...others].map(({ id }) => id);
    const imageOf = (nth: number, turn = '') => image('subscribed', dates(`${nth}${turn}`, 40));
    for (const [nth, id] of lists.entries()) await run([change(undefined, imageOf(nth, TURNS[0]), id)]);
    const records = TURNS.slice(1).flatMap((turn, before) =>
      lists.map((id, nth) => change(imageOf(nth, TURNS[before]), imageOf(nth, turn), id)),
    );
    return { lists, records };
  }
  const columnsOf = (lists: string[]) =>
    Promise.all(
      lists.map(async id => Object.fromEntries(Object.entries(await columns(id)).filter(([, n]) => n !== 0))),
    );
  const expected = Array.from({ length: LISTS }, (_, nth) => each(`${nth}d`, 40, 1));

  it('are counted in a transaction for each, and not for each record', async () => {
    const { lists, records } = await inTurns();
    const { meter, sizes } = metered();
    await run(records, meter);
    expect(sizes).toHaveLength(LISTS);
    expect(await columnsOf(lists)).toEqual(expected);
    const { ttl: _, ...position } = (await checkpoint()) ?? {};
    expect(position).toEqual({ PK: `CHECKPOINT#${shard}`, SK: '-', sequence: records.at(-1)?.sequence });
  });

  it.each([1, 2, 3].flatMap(at => (['before', 'after'] as const).map(how => ({ at, how }))))(
    'count once where the process dies $how the write $at, and others are given more or fewer records',
    async cut => {
      const { lists, records } = await inTurns();
      await expect(run(records, crashing(table, cut))).rejects.toThrow(Crashed);
      await run(records.slice(0, 5));
      await run(
        records,
        beforeFirst(table, 'TransactWriteCommand', () => run(records.slice(0, 8))),
      );
      await run(records);
      expect(await columnsOf(lists)).toEqual(expected);
      expect((await checkpoint())?.ahead).toBeUndefined();
      expect((await checkpoint())?.sequence).toBe(records.at(-1)?.sequence);
    },
  );
});

describe('many shards that count for one list', () => {
  /** Refuses transactions that overlap, as DynamoDB does where they conflict on one item. */
  function refusingOverlaps(): { busy: Table; conflicts: () => number } {
    let isBusy = false;
    let conflicts = 0;
    const busy = intercepted(table, async (send, { constructor: { name } }) => {
      if (name !== 'TransactWriteCommand') return send();
      if (isBusy) {
        conflicts++;
        const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
        throw Object.assign(new Error('Conflict'), {
          name: 'TransactionCanceledException',
          CancellationReasons,
        });
      }
      isBusy = true;
      try {
        await setTimeout(HELD);
        return await send();
      } finally {
        isBusy = false;
      }
    });
    return { busy, conflicts: () => conflicts };
  }
  const HELD = 8;

  it('count everything, and none of them fails', async () => {
    const { busy, conflicts } = refusingOverlaps();
    const shards = Array.from({ length: 12 }, (_, at) => ({ name: `${shard}-${at}`, records: inserts(6) }));
    await Promise.all(
      shards.map(async ({ name, records }) => {
        for (const record of records) await project({ ...projecting, table: busy, now }, name, [record]);
      }),
    );
    expect(conflicts()).toBeGreaterThan(10);
    expect(await counts()).toEqual([72, 72]);
  });
});

describe('a counter whose guard is missing', () => {
  beforeEach(async () => {
    await list.remove({ table, now }, readers);
    await countsStore.deleteCounts(table, readers.id);
  });

  it('is left out with those that depend on it, while other lists are counted', async () => {
    const other = await newList(table, now);
    await run([
      change(undefined, image('subscribed', dates('d', 3))),
      change(undefined, image('subscribed', dates('d', 2)), other.id),
    ]);
    expect(await queryPartition(table, `LIST#${readers.id}`)).toEqual([]);
    expect((await found(table, other.organization_id, other.id)).counts.total).toBe(1);
    expect(await columns(other.id)).toEqual(each('d', 2, 1));
  });

  it('is left out where only counters that depend on the guard change', async () => {
    const other = await newList(table, now);
    const dated = (of: string) => change(image('subscribed'), image('subscribed', dates('d', 3)), of);
    const { meter, sizes } = metered();
    await run([dated(readers.id), dated(other.id)], meter);
    expect(await queryPartition(table, `LIST#${readers.id}`)).toEqual([]);
    expect(await columns(other.id)).toEqual(each('d', 3, 1));
    // Three columns and the check of their guard for each list, and the position; then without the deleted list.
    expect(sizes).toEqual([9, 5]);
  });

  it('does not keep the position from moving', async () => {
    const records = inserts(2);
    await run(records);
    expect(await checkpoint()).toMatchObject({ sequence: records[1]?.sequence });
  });
});

describe('an event', () => {
  /** Others go in batches, where a webhook wants them. */
  const single = () => published.filter(({ type }) => type !== BATCHED);

  it('is published once for each delivery until its record is counted, and before that', async () => {
    const records = [...inserts(1), unsubscribing(), change(image('unsubscribed'), image('unsubscribed'))];
    const publish = () => Promise.reject(new Error('The bus is down'));
    await expect(project({ ...projecting, table, now, publish }, shard, records)).rejects.toThrow(
      'The bus is down',
    );
    expect(await counts()).toEqual([0, 0]);
    await run(records);
    await run(records);
    expect(single()).toEqual([
      {
        type: 'list_member.unsubscribed',
        detail: {
          id: expect.stringContaining(readers.id),
          organization_id: readers.organization_id,
          email_list_id: readers.id,
          list_member_id: `${readers.id}-hash`,
          unsubscribed_at: now.toISOString(),
          source: 'app',
        },
      },
    ]);
    expect(await counts()).toEqual([1, 0]);
  });

  it('is published for no other change', async () => {
    const [subscribed, unsubscribed, left] = ['subscribed', 'unsubscribed', 'left'].map(status =>
      image(status),
    );
    const changes: [Image, Image][] = [
      [undefined, unsubscribed],
      [subscribed, left],
      [subscribed, undefined],
      [unsubscribed, subscribed],
      [left, unsubscribed],
    ];
    await run(changes.map(([before, after]) => change(before, after)));
    expect(single()).toEqual([]);
  });

  it('has the same id where it is published twice', async () => {
    const records = [unsubscribing()];
    await expect(run(records, crashing(table, { at: 1, how: 'before' }))).rejects.toThrow(Crashed);
    await run(records);
    expect(published).toHaveLength(2);
    expect(published[0]).toEqual(published[1]);
  });

  it('has another id for each change', async () => {
    await run([unsubscribing(), unsubscribing()]);
    expect(new Set(published.map(({ detail }) => detail.id)).size).toBe(2);
  });
});

it('many counts of one item are counted in parts that an expression can hold', async () => {
  const key = { PK: `LIST#${readers.id}`, SK: 'MANY' };
  const names = Array.from({ length: 600 }, (_, n) => `s${String(n).padStart(12, '0')}`);
  const contributions = names.map(
    (name): Contribution => ({
      sequence: String(sequence++),
      events: [],
      counters: [{ key, add: { [name]: 1 } }],
    }),
  );
  await run(contributions);
  await run(contributions);
  const [item = {}] = await queryPartition(table, key.PK, key.SK);
  expect(names.map(name => item[name])).toEqual(names.map(() => 1));
});

describe('what can never be counted', () => {
  const manyOf = (name: string) => ({ PK: `LIST#${readers.id}`, SK: name });
  const counting = (name: string, counts: number): Contribution => ({
    sequence: String(sequence++),
    events: [],
    counters: [
      {
        key: manyOf(name),
        add: Object.fromEntries(Array.from({ length: counts }, (_, nth) => [`s${nth}`, 1])),
      },
    ],
  });
  const countsOf = async (name: string) => (await queryPartition(table, manyOf(name).PK, name))[0] ?? {};

  it('is passed over where one record has more counts of an item than an expression holds', async () => {
    const records = [...inserts(1), counting('MANY', 1_000), ...inserts(1)];
    await run(records);
    expect(await counts()).toEqual([2, 2]);
    expect((await checkpoint())?.sequence).toBe(records.at(-1)?.sequence);
    expect(uncounted).toEqual([textOf(manyOf('MANY'))]);
  });

  it('is passed over where an item would be too large', async () => {
    await batchWrite(table, { puts: [{ ...manyOf('FULL'), text: 'x'.repeat(409_000) }] });
    const records = [...inserts(1), counting('FULL', 200), counting('OTHER', 1), ...inserts(1)];
    await run(records);
    expect([await counts(), (await countsOf('OTHER')).s0]).toEqual([[2, 2], 1]);
    expect((await countsOf('FULL')).s0).toBeUndefined();
    expect((await checkpoint())?.sequence).toBe(records.at(-1)?.sequence);
    expect(uncounted).toEqual([textOf(manyOf('FULL'))]);
  });

  it('is a single record, where the items of several are too large for one transaction', async () => {
    const most = 4;
    const tight = intercepted(table, (send, { input }) => {
      const { TransactItems = [] } = input as { TransactItems?: object[] };
      if (TransactItems.length <= most) return send();
      throw Object.assign(new Error('More than 4 MB'), { name: 'ValidationException' });
    });
    const names = Array.from({ length: 7 }, (_, nth) => `ITEM-${nth}`);
    const large = {
      ...counting('LARGE', 1),
      counters: names.map(name => ({ key: manyOf(`${name}-L`), add: { n: 1 } })),
    };
    const records = [...names.map(name => counting(name, 1)), large, ...inserts(1)];
    const ordered = records.map((record, nth) => ({ ...record, sequence: String(5_000 + nth) }));
    await run(ordered, tight);
    await run(ordered, tight);
    expect(await Promise.all(names.map(async name => (await countsOf(name)).s0))).toEqual(names.map(() => 1));
    expect(await counts()).toEqual([1, 1]);
    expect(uncounted).toEqual(['record 5007']);
  });
});
