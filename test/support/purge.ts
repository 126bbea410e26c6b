import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { Objects } from '../../functions/core/storage/objects.ts';
import { planOf } from '../../functions/core/storage/purge/plan.ts';
import * as purge from '../../functions/core/storage/purge/purge.ts';
import type { Table } from '../../functions/core/storage/table.store.ts';
import { through } from './between.ts';
import { Died, survives } from './cut.ts';

type Wanted = { on?: Table; mostSteps?: number };

// More than any purge of a test takes: one that would never end is seen to go on.
const MANY = 50;

/** Purges of this table, with the plan of the product. */
export function purgesOf(table: Table, files?: Pick<Objects, 'remove' | 'removeSome'>) {
  const removedFiles: string[] = [];
  const objects = files ?? {
    remove: async (name: string) => void removedFiles.push(name),
    removeSome: async () => false,
  };

  /** One round with time for so many steps, and after how many seconds it wants the next one. */
  async function round(job: purge.Job, at: Date, { on = table, mostSteps = MANY }: Wanted = {}) {
    const waits: number[] = [];
    const later = async (_: purge.Job, seconds: number) => void waits.push(seconds);
    let steps = 0;
    const hasTime = () => ++steps < mostSteps;
    const plan = planOf({ table: on, objects, now: () => at }, job);
    const outcome = await purge.round({ table: on, now: at, hasTime, later }, job, plan);
    return { outcome, waits };
  }

  /** Rounds as they call each other, up to the last one. */
  async function purged(job: purge.Job, from: Date, wanted?: Wanted): Promise<void> {
    let at = from;
    for (let rounds = 0; rounds < MANY; rounds++) {
      const { outcome, waits } = await round(job, at, wanted);
      if (outcome === 'done') return;
      at = new Date(at.getTime() + (waits[0] ?? 0) * 1000);
    }
    throw new Error('The purge does not end');
  }

  /** The keys of all stored items that contain this text. */
  async function left(text: string): Promise<string[]> {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true }),
    );
    expect(LastEvaluatedKey).toBeUndefined();
    return Items.filter(item => JSON.stringify(item).includes(text)).map(({ PK, SK }) => `${PK} ${SK}`);
  }

  return { removedFiles, round, purged, left };
}

const DELETES = ['BatchWriteCommand', 'DeleteCommand'];

/** The table as a process sees it that dies in its n-th request to delete: of a batch, only the last write is done. */
function dyingInDelete(table: Table, at: number): Table {
  let deletes = 0;
  return through(table, async (send, { constructor: { name }, input }) => {
    if (deletes >= at) throw new Died();
    if (!DELETES.includes(name) || ++deletes < at) return send();
    if (name === 'BatchWriteCommand') {
      input.RequestItems = { [table.name]: (input.RequestItems?.[table.name] ?? []).slice(-1) };
      await send();
    }
    throw new Died();
  });
}

type Work = {
  fill: () => Promise<void>;
  purge: (on: Table) => Promise<unknown>;
  finish: () => Promise<void>;
};

/** Purges with a process that dies in its first request to delete, then in its second, until a run completes. */
export async function dyingInEachDelete(table: Table, { fill, purge, finish }: Work): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    await fill();
    const isDone = await survives(purge(dyingInDelete(table, deaths + 1)));
    await finish();
    if (isDone) return deaths;
  }
}

/** A table that counts the items that are deleted; asked for the number, it begins anew. */
export function countingDeletes(table: Table): { on: Table; deletes: () => number } {
  let deleted = 0;
  const on = through(table, (send, { constructor: { name }, input }) => {
    if (DELETES.includes(name)) deleted += input.RequestItems?.[table.name]?.length ?? 1;
    return send();
  });
  const deletes = () => {
    const since = deleted;
    deleted = 0;
    return since;
  };
  return { on, deletes };
}
