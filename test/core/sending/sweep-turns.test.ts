import { beforeEach, describe, expect, it } from 'vitest';
import type { Pack } from '#core/sending/pack.ts';
import { partitionOf, sourceKey } from '#core/sources/source.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { proof } from '#test/support/proof.ts';
import { behindIn, forgetShard, stateOf, sweptBefore } from '#test/support/shard.ts';
import {
  automationId,
  duesOf,
  listId,
  minute,
  noon,
  putItems,
  putOrganization,
  rowsAt,
  sweeper,
  timeFor,
} from '#test/support/sweeping.ts';

const table = freshTable();
const MINUTE = 60_000;
const due = (minutes = 0) => new Date(noon.getTime() - 7 * 24 * 60 * MINUTE + minutes * MINUTE);

// Each test has organizations of its own, in the first shard.
let first = 0;
beforeEach(async () => {
  first += 10;
  await forgetShard(table);
});
const [one, two, three] = [() => first, () => first + 1, () => first + 2];

const sweptUntilNoon = () => sweptBefore(table, noon);

/** An organization in which somebody is due in each minute from noon on. */
async function putCanary(id: number, minutes: number): Promise<void> {
  await putOrganization(table, { id });
  const people = Array.from({ length: minutes }, (_, nth) => rowsAt(listId(id), '', due(nth), 1, nth));
  await putItems(table, people.flat());
}

/** How many of the minutes from noon on are queued for a canary. */
const minutesOf = (id: number, { dues }: ReturnType<typeof sweeper>) =>
  dues(id).map(text => (Date.parse(`${text.slice(0, 16)}Z`) - noon.getTime()) / MINUTE);

proof(
  'an organization with a hundred automations on a list of two thousand, all due in one minute, delays nobody, and has each email queued once',
  { timeout: 600_000 },
  async () => {
    const [PEOPLE, AUTOMATIONS, RUNS] = [2_000, 100, 3];
    const [flood, canaries] = [two(), [one(), three()]];
    await putOrganization(table, { id: flood, automations: Array.from({ length: AUTOMATIONS }, () => ({})) });
    await putItems(table, rowsAt(listId(flood), '', due(), PEOPLE));
    for (const id of canaries) await putCanary(id, RUNS + 2);
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    const queued = new Uint8Array(PEOPLE * AUTOMATIONS);
    const places = new Map(Array.from({ length: AUTOMATIONS }, (_, nth) => [automationId(flood, nth), nth]));
    let total = 0;
    for (let run = 1; run <= RUNS + 1; run++) {
      // The first one has time for a few parts.
      const { behind, watermark } = await sweeps.run(
        minute(run),
        run === 1 ? { hasTimeLeft: timeFor(20) } : {},
      );
      const packs = sweeps.packs.filter(({ organization }) => organization === flood);
      for (const { sources, people } of packs) {
        for (const [hash, dues] of people) {
          for (const [place] of dues) {
            const automation = places.get(sources[place]?.automation ?? '') ?? Number.NaN;
            queued[Number(hash) * AUTOMATIONS + automation] =
              (queued[Number(hash) * AUTOMATIONS + automation] ?? 0) + 1;
            total++;
          }
        }
      }
      // Never so much of it that others wait in the queue.
      expect(packs.length).toBeLessThanOrEqual(100);
      sweeps.packs.splice(
        0,
        sweeps.packs.length,
        ...sweeps.packs.filter(({ organization }) => organization !== flood),
      );
      expect(watermark).toEqual(new Date(noon.getTime() + (run - 1) * MINUTE));
      for (const id of canaries)
        expect(minutesOf(id, sweeps)).toEqual(Array.from({ length: run }, (_, nth) => nth));
      const left = total < PEOPLE * AUTOMATIONS;
      expect([behind, (await behindIn(table)).size]).toEqual(left ? [1, 1] : [0, 0]);
    }
    expect(total).toBe(PEOPLE * AUTOMATIONS);
    expect(queued.every(times => times === 1)).toBe(true);
  },
);

describe('an organization that fails', () => {
  const breaking = (list: string) => {
    const broken = { isBroken: true };
    const on = intercepted(table, (send, { input }) => {
      const { ExpressionAttributeValues: values } = input as {
        ExpressionAttributeValues?: { ':pk'?: string };
      };
      const isIts = values?.[':pk']?.startsWith(`TRG#${list}`);
      return broken.isBroken && isIts ? Promise.reject(new Error('It is broken')) : send();
    });
    return { on, broken };
  };

  it('is marked, tried again in each run, and goes on where it stopped', async () => {
    for (const id of [one(), two()]) await putCanary(id, 5);
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    const { on, broken } = breaking(listId(one()));
    for (const run of [1, 2, 3])
      expect(await sweeps.run(minute(run), { table: on })).toMatchObject({ behind: 1 });
    expect(sweeps.failed).toEqual([1, 2, 3].map(() => [one(), 'It is broken']));
    expect(minutesOf(two(), sweeps)).toEqual([0, 1, 2]);
    expect([...(await behindIn(table))]).toEqual([
      [one(), { from: noon.toISOString(), seen: minute(1).toISOString() }],
    ]);
    broken.isBroken = false;
    expect(await sweeps.run(minute(4), { table: on })).toMatchObject({ behind: 0 });
    for (const id of [one(), two()]) expect(minutesOf(id, sweeps)).toEqual([0, 1, 2, 3]);
    expect((await behindIn(table)).size).toBe(0);
  });

  it('is the only one that does, where its packs are refused, or what it is made of', async () => {
    const ids = [one(), two(), three()];
    for (const id of ids) await putCanary(id, 3);
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    const queue = async (packs: Pack[]) => {
      if (packs.some(({ organization }) => organization === two())) throw new Error('Refused');
      sweeps.packs.push(...packs);
    };
    expect(await sweeps.run(minute(1), { queue })).toMatchObject({ behind: 1, moved: true });
    expect(ids.map(id => sweeps.dues(id).length)).toEqual([1, 0, 1]);
    const unreadable = intercepted(table, (send, { input }) => {
      const isIts = JSON.stringify(input.RequestItems ?? {}).includes(`"ORG#${three()}"`);
      return isIts ? Promise.reject(new Error('Unreadable')) : send();
    });
    expect(await sweeps.run(minute(2), { table: unreadable })).toMatchObject({ behind: 1, moved: true });
    expect(ids.map(id => sweeps.dues(id).length)).toEqual([2, 2, 1]);
    expect(sweeps.failed).toEqual([
      [two(), 'Refused'],
      [three(), 'Unreadable'],
    ]);
    await sweeps.run(minute(3));
    for (const id of ids) expect(minutesOf(id, sweeps)).toEqual([0, 1, 2]);
  });
});

describe('where the time is over before all had a turn', () => {
  it('those without one are marked, and the others come first in the next run', async () => {
    // More than are read together, and beyond those of other tests.
    const ids = Array.from({ length: 130 }, (_, nth) => 500 + nth);
    for (const id of ids) await putCanary(id, 2);
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    const outcome = await sweeps.run(minute(1), { hasTimeLeft: timeFor(200) });
    expect(outcome).toMatchObject({ moved: true, next: minute(1) });
    const late = [...(await behindIn(table)).keys()];
    expect(outcome.behind).toBe(late.length);
    expect(sweeps.packs.length).toBe(ids.length - late.length);
    expect(late.length).toBeGreaterThan(60);
    sweeps.packs.splice(0);
    expect(await sweeps.run(minute(2))).toMatchObject({ behind: 0 });
    const order = sweeps.packs.map(({ organization }) => organization);
    expect(Math.max(...order.flatMap((id, at) => (late.includes(id) ? [] : [at])))).toBeLessThan(80);
    expect(sweeps.packs.flatMap(duesOf).length).toBe(ids.length + late.length);
  });

  async function putExisting(ids: number[], people: number) {
    for (const id of ids) {
      await putOrganization(table, { id });
      await putItems(table, rowsAt(listId(id), '', due(-60), people));
      const source = sourceKey(id, listId(id), null, automationId(id));
      await updateItem(table, source, { set: { since: noon.toISOString(), existing: '' } });
    }
    await sweptUntilNoon();
    return sweeper(table);
  }

  it('of people who are there already, few thousand are queued between two looks at the time', async () => {
    const ids = Array.from({ length: 6 }, (_, nth) => 750 + nth);
    const sweeps = await putExisting(ids, 1_200);
    await sweeps.run(minute(1), { hasTimeLeft: () => sweeps.packs.length === 0 });
    expect(sweeps.packs.flatMap(({ people }) => people)).toHaveLength(4_000);
  });

  it('people who are there already are queued of all, though some have many', async () => {
    const ids = Array.from({ length: 24 }, (_, nth) => 700 + nth);
    const sweeps = await putExisting(ids, 20);
    for (let run = 1; run <= 12; run++) {
      const enough = sweeps.packs.length + 12;
      const hasTimeLeft = () => sweeps.packs.length < enough;
      await sweeps.run(minute(run), { hasTimeLeft, part: { rows: 1, due: 1 } });
    }
    expect(new Set(sweeps.packs.map(({ organization }) => organization)).size).toBe(ids.length);
  });

  it('what a turn has queued is not queued again', async () => {
    await putOrganization(table, { id: one() });
    await putItems(table, rowsAt(listId(one()), '', due(), 2_000));
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    for (let run = 1; run === 1 || (await behindIn(table)).size > 0; run++) {
      await sweeps.run(minute(run), { hasTimeLeft: timeFor(8), part: { rows: 300, due: 300 } });
    }
    const dues = sweeps.dues(one());
    expect([dues.length, new Set(dues).size]).toEqual([2_000, 2_000]);
  });

  it('a part of many queries ends before the last of them, and is gone on with', async () => {
    const LISTS = 40;
    const of = Array.from({ length: LISTS }, (_, nth) => nth);
    await putOrganization(table, { id: one(), lists: LISTS, automations: [{ of }] });
    await putItems(
      table,
      of.flatMap(nth => rowsAt(listId(one(), nth), '', due(), 1)),
    );
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    expect(await sweeps.run(minute(1), { hasTimeLeft: timeFor(10) })).toMatchObject({ behind: 1 });
    expect(sweeps.dues(one()).length).toBeLessThan(10);
    expect(await sweeps.run(minute(2))).toMatchObject({ behind: 0 });
    expect(new Set(sweeps.dues(one())).size).toBe(LISTS);
    expect(sweeps.dues(one()).length).toBe(LISTS);
  });

  it('an organization that is deleted, or sends nothing any more, is behind no longer', async () => {
    for (const id of [one(), two()]) await putCanary(id, 2);
    await sweptUntilNoon();
    const sweeps = sweeper(table);
    await sweeps.run(minute(1), { hasTimeLeft: () => false });
    expect((await behindIn(table)).size).toBe(2);
    await updateItem(table, { PK: `ORG#${one()}`, SK: 'META' }, { set: { deleted_at: noon.toISOString() } });
    await updateItem(table, { PK: `ORG#${two()}`, SK: 'META' }, { set: { active: false } });
    expect(await sweeps.run(minute(2))).toMatchObject({ behind: 0 });
    expect([sweeps.packs, (await behindIn(table)).size]).toEqual([[], 0]);
  });
});

describe('what is older than a week', () => {
  it('is not read, and said to be missing', async () => {
    for (const id of [one(), two()]) await putCanary(id, 2 * 60);
    const sweeps = sweeper(table);
    await sweptUntilNoon();
    const missed: object[] = [];
    const tooOld = (one: object) => void missed.push(one);
    // The second one is behind from half an hour later on.
    await sweeps.run(minute(30), { tooOld });
    const PK = partitionOf(0);
    await putItems(table, [{ PK, SK: `BEHIND#${two()}`, from: minute(30, 0).toISOString() }]);
    sweeps.packs.splice(0);
    const week = 7 * 24 * 60;
    const now = minute(week + 60);
    for (let run = 0; run === 0 || (await behindIn(table)).size > 0; run++) {
      await sweeps.run(new Date(now.getTime() + run * MINUTE), { tooOld });
    }
    expect(missed.slice(0, 2)).toEqual([
      { from: minute(30, 0), until: minute(59, 0) },
      { organization: two(), from: minute(30, 0), until: minute(59, 0) },
    ]);
    for (const id of [one(), two()]) expect(Math.min(...minutesOf(id, sweeps))).toBe(59);
    expect((await stateOf(table))?.swept_minute).toBeDefined();
  });
});
