import { beforeEach, describe, expect, it } from 'vitest';
import type { Pack } from '#core/sending/pack.ts';
import { partitionOf } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { Crashed, crashing, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { type Command, intercepted } from '#test/support/intercepted.ts';
import { behindIn, forgetShard, stateOf, sweptBefore } from '#test/support/shard.ts';
import {
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

// Each test has organizations of its own, in the first shard.
let first = 0;
beforeEach(async () => {
  await forgetShard(table);
  await sweptBefore(table, noon);
});

const PEOPLE = 400;
const SMALL = { rows: 100, due: 100 };

async function threeOrganizations() {
  first += 3;
  const [large, behind, small] = [first, first + 1, first + 2] as const;
  for (const id of [large, behind, small]) await putOrganization(table, { id });
  await putItems(table, [
    ...rowsAt(listId(large), '', noon, PEOPLE),
    ...rowsAt(listId(behind), '', new Date(noon.getTime() - 5 * MINUTE), 3),
    ...rowsAt(listId(behind), '', noon, 3, 10),
    ...rowsAt(listId(small), '', noon, 1),
    { PK: partitionOf(0), SK: `BEHIND#${behind}`, from: minute(-6, 0).toISOString() },
  ]);
  return { large, behind, small };
}

async function caughtUp(sweeps: ReturnType<typeof sweeper>, from: number): Promise<number> {
  for (let run = from; run < from + 20; run++) {
    await sweeps.run(minute(run), { part: SMALL });
    if ((await behindIn(table)).size === 0) return run - from + 1;
  }
  throw new Error('Somebody stays behind');
}

describe('a process that dies at any of its writes', () => {
  it('loses nothing, and holds up the next one for as long as its lease', { timeout: 600_000 }, async () => {
    let deaths = 0;
    for (const how of ['before', 'after'] as const) {
      for (let at = 1, isDone = false; !isDone; at++) {
        await forgetShard(table);
        await sweptBefore(table, noon);
        const { large, behind, small } = await threeOrganizations();
        const sweeps = sweeper(table);
        let isDead = false;
        const on = intercepted(crashing(table, { at, how }), async send => {
          try {
            return await send();
          } catch (error) {
            isDead ||= error instanceof Crashed;
            throw error;
          }
        });
        const queue = async (packs: Pack[]) => {
          if (isDead) throw new Crashed();
          sweeps.packs.push(...packs);
        };
        isDone = await survives(sweeps.run(minute(1), { table: on, queue, part: SMALL }));
        if (!isDone) deaths++;
        const isHeld = (await stateOf(table))?.until !== undefined;
        expect(await sweeps.run(minute(2), { part: SMALL })).toMatchObject({ isHeld });
        await caughtUp(sweeps, 3);
        for (const [id, due] of [
          [large, PEOPLE],
          [behind, 6],
          [small, 1],
        ] as const) {
          expect(new Set(sweeps.dues(id)).size, `${how} write ${at}`).toBe(due);
        }
        // What was queued twice is the same pack, or was not in the middle of its parts.
        const ids = sweeps.packs.map(({ id }) => id);
        const again = sweeps.packs.filter(({ id }, place) => ids.indexOf(id) === place).flatMap(duesOf);
        expect(again.length - new Set(again).size, `${how} write ${at}`).toBeLessThanOrEqual(SMALL.rows);
      }
    }
    // The lease, a mark for each part but the last, and the end with the marks that go.
    expect(deaths).toBeGreaterThanOrEqual(10);
  });
});

describe('a run that rests and goes on after its lease has ended', () => {
  /** Happens before the first command that is meant. */
  function resting(isMeant: (command: Command) => boolean, meanwhile: () => Promise<unknown>): Table {
    let isPast = false;
    return intercepted(table, async (send, command) => {
      if (!isPast && isMeant(command)) {
        isPast = true;
        await meanwhile();
      }
      return send();
    });
  }
  const isEnd = ({ constructor: { name }, input }: Command) =>
    /^(Update|TransactWrite)/.test(name) && JSON.stringify(input).includes('REMOVE');
  const isMarking = ({ constructor: { name } }: Command) => name === 'PutCommand';
  const isReading = ({ input }: Command) => JSON.stringify(input).includes('TRG#');

  it.each([
    ['before it ends', isEnd],
    ['before it marks somebody', isMarking],
    ['before it reads rows', isReading],
  ])('changes nothing of what another one has stored: %s', async (_, isMeant) => {
    const { large, behind, small } = await threeOrganizations();
    const sweeps = sweeper(table);
    let stored: unknown;
    const on = resting(isMeant, async () => {
      // It has time for little, and leaves marks.
      await sweeps.run(minute(3), { part: SMALL, hasTimeLeft: timeFor(16) });
      stored = await stateOf(table);
    });
    const late = await sweeps.run(minute(1), { table: on, part: SMALL, hasTimeLeft: timeFor(24) });
    expect(late).toMatchObject({ isHeld: true, moved: false });
    expect(await stateOf(table)).toEqual(stored);
    await caughtUp(sweeps, 4);
    for (const [id, due] of [
      [large, PEOPLE],
      [behind, 6],
      [small, 1],
    ] as const) {
      expect(new Set(sweeps.dues(id)).size).toBe(due);
    }
  });

  it('keeps the mark of an organization that another run has passed by', async () => {
    const { behind } = await threeOrganizations();
    const sweeps = sweeper(table);
    // The other one moves the watermark past a minute in which somebody is due, and has no time for who is behind.
    await putItems(table, rowsAt(listId(behind), '', minute(1, 0), 1, 20));
    const on = resting(isEnd, () => sweeps.run(minute(3), { hasTimeLeft: () => false }));
    await sweeps.run(minute(1), { table: on });
    expect([...(await behindIn(table)).keys()]).toContain(behind);
    await caughtUp(sweeps, 4);
    expect(sweeps.dues(behind).some(text => text.includes('T12:01'))).toBe(true);
  });

  it('is noticed by the one that takes its lease, whom it has marked since that one looked', async () => {
    const { behind, large } = await threeOrganizations();
    const sweeps = sweeper(table);
    let isResting = true;
    const wait: { go?: () => void } = {};
    const goes = new Promise<void>(resolve => (wait.go = resolve));
    const on = resting(isEnd, () => goes);
    const resting1 = sweeps.run(minute(1), { table: on, part: SMALL });
    void resting1.then(() => (isResting = false));
    await expect.poll(async () => (await stateOf(table))?.until).toBeDefined();
    await expect.poll(() => sweeps.dues(large).length).toBe(PEOPLE);
    // Between what it reads and its lease, the first one ends.
    const taking = intercepted(table, async (send, command) => {
      if (command.constructor.name === 'UpdateCommand' && isResting) {
        wait.go?.();
        await resting1;
      }
      return send();
    });
    expect(await sweeps.run(minute(3), { table: taking, part: SMALL })).toMatchObject({ isHeld: true });
    expect((await stateOf(table))?.swept_minute).toBe(noon.toISOString());
    await caughtUp(sweeps, 4);
    expect(sweeps.dues(behind).length).toBe(6);
  });
});

it('a run whose clock is slower than that of the one before leaves out no minute', async () => {
  const { small } = await threeOrganizations();
  const sweeps = sweeper(table);
  await putItems(table, rowsAt(listId(small), '', minute(1, 0), 1, 5));
  await sweeps.run(minute(2, 0), { hasTimeLeft: () => false });
  await sweeps.run(minute(1, 58));
  await caughtUp(sweeps, 3);
  expect(sweeps.dues(small).map(text => text.slice(11, 16))).toEqual(['12:00', '12:01']);
});
