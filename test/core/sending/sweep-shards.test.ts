import { beforeEach, describe, expect, it } from 'vitest';
import * as organization from '#core/organization/organization.ts';
import { partitionOf } from '#core/sources/source.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { countingWrites } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newUser } from '#test/support/people.ts';
import { behindIn, forgetShard, stateOf, sweptBefore } from '#test/support/shard.ts';
import {
  listId,
  minute,
  noon,
  organizationItems,
  putItems,
  putOrganization,
  rowsAt,
  sweeper,
} from '#test/support/sweeping.ts';

const table = freshTable();

beforeEach(async () => {
  for (const shard of [0, 1, 2]) await forgetShard(table, shard);
});

const markers = async () =>
  (await queryPartition(table, partitionOf(0), 'SHARD#')).map(({ SK }) => String(SK));

function counting() {
  const counted = { requests: 0 };
  const on = intercepted(table, send => {
    counted.requests++;
    return send();
  });
  return { on, counted };
}

describe('a shard', () => {
  it('is known from its first organization on, which may be the thousandth', async () => {
    const now = noon;
    for (const [last_id, found] of [
      [997, []],
      [998, []],
      [999, ['SHARD#1']],
      [1_500, ['SHARD#1']],
      [1_999, ['SHARD#1', 'SHARD#2']],
    ] as const) {
      await batchWrite(table, { puts: [{ PK: 'COUNTER', SK: 'ORGANIZATION', last_id }] });
      await newUser(table, now);
      expect(await markers()).toEqual(found);
    }
    const owner = await newUser(table, now);
    await batchWrite(table, { puts: [{ PK: 'COUNTER', SK: 'ORGANIZATION', last_id: 2_999 }] });
    await organization.create({ table, now }, owner.id, 'Annex');
    expect(await markers()).toContain('SHARD#3');
    await batchWrite(table, { deletes: [{ PK: partitionOf(0), SK: 'SHARD#3' }] });
  });

  it('in which nothing is to be swept writes nothing, but its watermark every ten minutes', async () => {
    const sweeps = sweeper(table);
    const { on, written } = countingWrites(table);
    for (let run = 0; run <= 25; run++) {
      expect(await sweeps.run(minute(run), { table: on })).toMatchObject({ next: null, lag: 0, behind: 0 });
    }
    expect(written).toEqual([1, 1, 1]);
    expect((await stateOf(table))?.swept_minute).toBe(minute(21, 0).toISOString());
  });

  it('is read from a few minutes back when its first source appears', async () => {
    const sweeps = sweeper(table);
    await sweeps.run(minute(-9));
    await sweeps.run(minute(0));
    await putOrganization(table, { id: 1 });
    // Due at noon, and half an hour before.
    await putItems(table, [
      ...rowsAt(listId(1), '', new Date('2026-02-20T12:00:00Z'), 1),
      ...rowsAt(listId(1), '', new Date('2026-02-20T11:30:00Z'), 1, 1),
    ]);
    await sweeps.run(minute(1));
    expect(sweeps.dues(1).map(text => text.slice(0, 16))).toEqual(['2026-03-01T12:00']);
  });

  it('is swept by one run at a time, however many messages ask for it', async () => {
    await putOrganization(table, { id: 1_001 });
    await putItems(table, rowsAt(listId(1_001), '', noon, 3));
    const sweeps = sweeper(table);
    const runs = await Promise.all([1, 2, 3, 4].map(second => sweeps.runOf(1, minute(1, second))));
    expect(runs.map(({ isHeld }) => isHeld).sort()).toEqual([false, true, true, true]);
    expect(await sweeps.runOf(1, minute(1, 30))).toMatchObject({ isHeld: false, moved: false, packs: 0 });
    expect(sweeps.dues(1_001).length).toBe(3);
    expect(await stateOf(table, 1)).not.toHaveProperty('until');
  });

  it('holds up no other, where it fails or its message is not sent', async () => {
    for (const id of [5, 1_005]) {
      await putOrganization(table, { id });
      await putItems(table, rowsAt(listId(id), '', noon, 1));
    }
    const sweeps = sweeper(table);
    const sweepOthers = () => Promise.reject(new Error('The queue could not be reached'));
    await expect(sweeps.run(minute(1), { sweepOthers })).rejects.toThrow('could not be reached');
    expect([sweeps.dues(5).length, (await stateOf(table))?.swept_minute]).toEqual([1, noon.toISOString()]);

    const asked: number[] = [];
    const refused = intercepted(table, (send, { constructor: { name } }) =>
      name === 'UpdateCommand' ? Promise.reject(new Error('Throttled')) : send(),
    );
    const wanted = { table: refused, sweepOthers: async (shards: number[]) => void asked.push(...shards) };
    await expect(sweeps.run(minute(2), wanted)).rejects.toThrow('Throttled');
    expect(asked).toEqual([1]);
  });
});

describe('600 organizations in three shards, each with one email due', () => {
  it('take one run each, and little more than a request for each organization', {
    timeout: 600_000,
  }, async () => {
    const ids = [0, 1_000, 2_000].flatMap(from => Array.from({ length: 200 }, (_, nth) => from + nth));
    const items = ids.flatMap(id => [
      ...organizationItems(table, { id }),
      ...rowsAt(listId(id), '', noon, 1),
    ]);
    await putItems(table, [...items, ...[1, 2].map(shard => ({ PK: partitionOf(0), SK: `SHARD#${shard}` }))]);
    const sweeps = sweeper(table);
    const { on, counted } = counting();
    let calls = 0;
    const others: number[] = [];
    const needs = {
      table: on,
      queue: async (some: typeof sweeps.packs) => {
        calls += Math.ceil(some.length / 10);
        sweeps.packs.push(...some);
      },
    };
    for (const shard of [0, 1, 2]) {
      await sweptBefore(table, noon, shard);
      const sweepOthers = async (shards: number[]) => void others.push(...shards);
      const outcome =
        shard === 0
          ? await sweeps.run(minute(1), { ...needs, sweepOthers })
          : await sweeps.runOf(shard, minute(1), needs);
      expect(outcome).toMatchObject({ behind: 0, watermark: noon });
      expect((await behindIn(table, shard)).size).toBe(0);
    }
    expect(others).toEqual([2, 1]);
    expect(sweeps.packs.map(({ organization }) => organization).sort((a, b) => a - b)).toEqual(ids);
    expect((counted.requests + calls) / ids.length).toBeLessThan(1.2);
  });
});
