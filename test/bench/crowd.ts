import { changeWrites, type StoredBroadcast } from '#core/automation/broadcast.store.ts';
import { newBroadcastId } from '#core/id.ts';
import { chunksOf } from '#core/parallel.ts';
import { scheduleOf } from '#core/sending/broadcast.ts';
import type { Pack } from '#core/sending/pack.ts';
import { type Outcome, sweep } from '#core/sending/sweep/sweep.ts';
import { shardOf } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { intercepted } from '../support/intercepted.ts';
import { sweptBefore } from '../support/shard.ts';
import { ADDED_LONG_AGO, listId, organizationItems, putItems, rowsAt } from '../support/sweeping.ts';
import { startEngine } from '../support/table-engine.ts';
import { unstored } from '../support/unstored.ts';
import type { Section } from './report.ts';

const MINUTE = 60_000;
const noon = new Date('2030-03-01T12:00:00Z');
// Of a request of the queue.
const MOST_MESSAGES = 10;
const MOST_RUNS = 1_000;

/** The sweep itself at a table with nothing but what it reads, with a queue that only counts. */
async function sweeping<T>(work: (table: Table, sweeps: ReturnType<typeof countingSweeps>) => Promise<T>) {
  const engine = await startEngine({ stream: false });
  try {
    return await work(engine.table, countingSweeps(engine.table));
  } finally {
    engine.end();
  }
}

function countingSweeps(table: Table) {
  const counted = { table: 0, queue: 0, units: 0 };
  const on = intercepted(table, async (send, { constructor: { name }, input }) => {
    counted.table++;
    const isRead = name === 'QueryCommand';
    if (isRead) Object.assign(input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = (await send()) as { ConsumedCapacity?: { CapacityUnits?: number } };
    if (isRead) counted.units += answer.ConsumedCapacity?.CapacityUnits ?? 0;
    return answer;
  });
  /** When the last minute of an organization was queued, by its number: which it was. */
  const queued = new Map<number, { due: number; minute: string }>();
  const queue = async (packs: Pack[]) => {
    counted.queue += Math.ceil(packs.length / MOST_MESSAGES);
    for (const { organization, minute, people } of packs) {
      const { due = 0 } = queued.get(organization) ?? {};
      const more = people.reduce((sum, [, dues]) => sum + dues.length, 0);
      queued.set(organization, { due: due + more, minute });
    }
  };
  return {
    counted,
    queued,
    /** Sweeps a shard in the minute after so many others. */
    run(shard: number, minutes: number): Promise<Outcome> {
      const now = new Date(noon.getTime() + minutes * MINUTE + 10_000);
      const fail = (_: number, error: unknown) => {
        throw error;
      };
      // How far a run gets in its time depends on the machine; here its own bounds alone end it.
      return sweep({ table: on, now, hasTimeLeft: () => true, queue, failed: fail, tooOld: () => {} }, shard);
    },
  };
}

/** Organizations in each of which one email is due, in the same minute. */
export const sweepingMany = (organizations: number): Promise<Section> =>
  sweeping(async (table, { run, counted, queued }) => {
    const ids = Array.from({ length: organizations }, (_, id) => id);
    for (const some of chunksOf(ids, 1_000)) {
      const itemsOf = (id: number) => [
        ...organizationItems(table, { id }),
        ...rowsAt(listId(id), '', noon, 1),
      ];
      await putItems(table, some.flatMap(itemsOf));
    }
    const shards = Array.from({ length: shardOf(organizations - 1) + 1 }, (_, shard) => shard);
    let runs = 0;
    for (const shard of shards) {
      await sweptBefore(table, noon, shard);
      for (let more = 1, minute = 1; more > 0; minute++) {
        more = (await run(shard, minute)).behind;
        runs = Math.max(runs, minute);
      }
    }
    requireDue(queued, organizations);
    return {
      title: `A sweep of ${organizations.toLocaleString('en-US')} organizations with one email due in each`,
      lines: [
        {
          what: 'requests of an organization',
          measured: (counted.table + counted.queue) / organizations,
          budget: 1.5,
        },
        { what: 'of these, of the queue', measured: counted.queue / organizations },
        { what: 'runs of a shard, at most', measured: runs, budget: 1 },
      ],
    };
  });

/** An organization with many emails due in one minute, and one in its shard with an email in each minute. */
export const sweepingBeside = (due: number): Promise<Section> =>
  sweeping(async (table, { run, counted, queued }) => {
    const [large, canary] = [1, 2];
    const minutes = 3 * Math.ceil(due / 100_000) + 2;
    for (const id of [large, canary]) await putItems(table, organizationItems(table, { id }));
    const each = Array.from({ length: minutes }, (_, nth) =>
      rowsAt(listId(canary), '', new Date(noon.getTime() + nth * MINUTE), 1, nth),
    );
    await putItems(table, each.flat());
    for (let from = 0; from < due; from += 50_000) {
      await putItems(table, rowsAt(listId(large), '', noon, Math.min(50_000, due - from), from));
    }
    await sweptBefore(table, noon);
    let [late, runs, most] = [0, 0, 0];
    for (let more = 1; more > 0 && runs < MOST_RUNS; ) {
      const before = queued.get(large)?.due ?? 0;
      more = (await run(0, ++runs)).behind;
      most = Math.max(most, (queued.get(large)?.due ?? 0) - before);
      const newest = Date.parse(`${queued.get(canary)?.minute}:00Z`);
      late = Math.max(late, runs - 1 - (newest - noon.getTime()) / MINUTE);
    }
    const requests = counted.table + counted.queue;
    requireDue(queued, due + runs);
    return {
      title: `A sweep of an organization with ${due.toLocaleString('en-US')} emails due in one minute`,
      lines: [
        { what: 'minutes by which another organization is late', measured: late, budget: 0 },
        { what: 'requests for 1,000 emails', measured: (1_000 * requests) / due, budget: 3 },
        { what: 'runs', measured: runs, budget: Math.ceil(due / 100_000) + 1 },
        { what: 'emails of a run, at most', measured: most, budget: 105_000 },
      ],
    };
  });

// Of a broadcast: a page of rows, with 59 bytes for each, is rounded up to the next 4 KB, half a read unit.
const ROWS_PER_PAGE = 1_000;
const unitsOf = (rows: number) => Math.ceil((rows * 59) / 4096) / 2;
// What a run reads and writes beside its pages.
const FIXED = 10;

/** A broadcast to a list with so many members: one pass over the rows of when they were added. */
export const sweepingBroadcast = (crowd: number): Promise<Section> =>
  sweeping(async (table, { run, counted, queued }) => {
    const organization = 1;
    const list = listId(organization);
    const when = { at: noon.toISOString() };
    await putItems(table, organizationItems(table, { id: organization, automations: [] }));
    await sweptBefore(table, noon);
    const scheduled: StoredBroadcast = {
      ...unstored(organization, { id: newBroadcastId(noon), email_list_ids: [list], active: true }),
      ...scheduleOf(when),
      status: 'scheduled',
      active_since: ADDED_LONG_AGO,
      begins_at: when.at,
      left: [list],
    };
    await commit(table, changeWrites({ table, now: new Date(ADDED_LONG_AGO) }, undefined, scheduled));
    for (let from = 0; from < crowd; from += 50_000) {
      const added = new Date(noon.getTime() - 30 * MINUTE);
      await putItems(table, rowsAt(list, '', added, Math.min(50_000, crowd - from), from));
    }
    let runs = 0;
    const due = () => queued.get(organization)?.due ?? 0;
    while (runs < MOST_RUNS && (runs < 2 || due() < crowd)) await run(0, ++runs);
    requireDue(queued, crowd);
    const pages = Math.ceil(crowd / ROWS_PER_PAGE);
    return {
      title: `A broadcast to ${crowd.toLocaleString('en-US')} members`,
      lines: [
        {
          what: 'requests for 1,000 emails',
          measured: (1_000 * (counted.table + counted.queue)) / crowd,
          budget: 3 + (FIXED * runs) / pages,
        },
        {
          what: 'read units',
          measured: counted.units,
          budget: pages * unitsOf(ROWS_PER_PAGE) + FIXED * runs,
        },
        { what: 'runs', measured: runs, budget: Math.ceil(crowd / 100_000) + 1 },
      ],
    };
  });

function requireDue(queued: Map<number, { due: number }>, wanted: number): void {
  const due = [...queued.values()].reduce((sum, one) => sum + one.due, 0);
  if (due !== wanted) throw new Error(`${due} emails were queued instead of ${wanted}`);
}
