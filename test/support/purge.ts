import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { planOf } from '../../functions/core/purge/plan.ts';
import * as purge from '../../functions/core/purge/purge.ts';
import type { Table } from '../../functions/core/table.store.ts';
import { through } from './between.ts';
import { Died } from './cut.ts';

type Wanted = { on?: Table; mostSteps?: number };

// More than any purge of a test takes: one that would never end is seen to go on.
const MANY = 50;

/** Purges of this table, with the plan of the product. */
export function purgesOf(table: Table) {
  const removedFiles: string[] = [];
  const objects = {
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

/** The table as a process sees it that dies in its n-th BatchWriteItem, of which only the last write is done. */
export function dyingInBatch(table: Table, at: number): Table {
  let batches = 0;
  return through(table, async (send, { constructor: { name }, input }) => {
    if (batches >= at) throw new Died();
    if (name !== 'BatchWriteCommand' || ++batches < at) return send();
    input.RequestItems = { [table.name]: (input.RequestItems?.[table.name] ?? []).slice(-1) };
    await send();
    throw new Died();
  });
}

/** A table that counts the items that are deleted; asked for the number, it begins anew. */
export function countingDeletes(table: Table): { on: Table; deletes: () => number } {
  let deleted = 0;
  const on = through(table, (send, { constructor: { name }, input }) => {
    if (name === 'BatchWriteCommand') deleted += input.RequestItems?.[table.name]?.length ?? 0;
    return send();
  });
  const deletes = () => {
    const since = deleted;
    deleted = 0;
    return since;
  };
  return { on, deletes };
}
