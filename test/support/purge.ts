import * as purge from '#core/operations/purge.ts';
import { planOf } from '#core/operations/purge.ts';
import type { Objects } from '#core/storage/logo.ts';
import type * as purgeStore from '#core/storage/purge-request.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import { purgeAnswers } from '#functions/http/idempotency.ts';
import { Crashed, survives } from './crash.ts';
import { domainsAt, trackingAt } from './domains.ts';
import { intercepted } from './intercepted.ts';
import { allItems } from './scan.ts';
import type { Stack } from './stack.ts';

type Wanted = { on?: Table; mostPages?: number };

// More rounds than any purge of a test needs, so a purge that never ends fails the test.
const MANY = 50;

export function purgesOf(
  table: Table,
  files?: Pick<Objects, 'remove' | 'deletePage'>,
  provider = domainsAt(),
  { trackingDomains } = trackingAt(),
) {
  const removedFiles: string[] = [];
  const objects = files ?? {
    remove: async (name: string) => void removedFiles.push(name),
    deletePage: async () => false,
  };

  async function message(job: purgeStore.Job): Promise<purgeStore.Asked> {
    const jobs = (await queryPartition(table, 'PURGE')) as unknown as purgeStore.Asked[];
    const found = jobs.find(
      one => one.organization_id === job.organization_id && one.list_id === job.list_id,
    );
    return { ...job, ticket: found?.ticket ?? 'done before' };
  }

  /** One round with time for this many pages; returns the messages that it queues. */
  async function round(asked: purgeStore.Asked, at: Date, { on = table, mostPages = MANY }: Wanted = {}) {
    const queued: purgeStore.Asked[] = [];
    const queue = async (another: purgeStore.Asked) => void queued.push(another);
    let pages = 0;
    const hasTimeLeft = () => ++pages < mostPages;
    const outcome = await purge.round({ table: on, hasTimeLeft, queue }, asked, job =>
      planOf(
        { table: on, objects, now: () => at, purgeAnswers, domains: provider.domains, trackingDomains },
        job,
      ),
    );
    return { outcome, queued };
  }

  /** Runs a purge to its end: rounds that queue each other. */
  async function purged(job: purgeStore.Job, at: Date, wanted?: Wanted): Promise<string[]> {
    const outcomes: string[] = [];
    for (let queued = [await message(job)]; queued[0]; ) {
      const ended = await round(queued[0], at, wanted);
      outcomes.push(ended.outcome);
      queued = ended.queued;
      if (outcomes.length > MANY) throw new Error('The purge does not end');
    }
    return outcomes;
  }

  /** The keys of all stored items that contain this text, except what is recorded of it, which stays. */
  async function left(text: string): Promise<string[]> {
    const items = await allItems(table);
    return items
      .filter(item => JSON.stringify(item).includes(text) && !/#(SWITCHES|RECORD)$/.test(String(item.PK)))
      .map(({ PK, SK }) => `${PK} ${SK}`);
  }

  return { removedFiles, message, round, purged, left };
}

/** Moves the clock of a stack until deleted items are purged. The lists of an organization are purged after it. */
export async function waitForPurges(stack: Stack, times = 1): Promise<void> {
  for (let waits = 0; waits < times; waits++) {
    // The messages that follow from the deletion must be queued before the clock jumps.
    await stack.fetchJson('POST', '/_local/drain');
    await stack.advance(purge.PURGE_AFTER + 60, { outage: true });
  }
}

const DELETES = ['BatchWriteCommand', 'DeleteCommand', 'TransactWriteCommand'];

/**
 * The table of a process that crashes in its n-th delete request. Of a batch, only the last write is done; of other requests,
 * nothing.
 */
function crashingInDelete(table: Table, at: number): Table {
  let deletes = 0;
  return intercepted(table, async (send, { constructor: { name }, input }) => {
    if (deletes >= at) throw new Crashed();
    if (!DELETES.includes(name) || ++deletes < at) return send();
    if (name === 'BatchWriteCommand') {
      input.RequestItems = { [table.name]: (input.RequestItems?.[table.name] ?? []).slice(-1) };
      await send();
    }
    throw new Crashed();
  });
}

type Work = {
  fill: () => Promise<void>;
  purge: (on: Table) => Promise<unknown>;
  finish: () => Promise<void>;
};

/** Purges in a process that crashes in its first delete request, then in its second, and so on, until a run completes. */
export async function crashingInEachDelete(table: Table, { fill, purge, finish }: Work): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    await fill();
    const isDone = await survives(purge(crashingInDelete(table, deaths + 1)));
    await finish();
    if (isDone) return deaths;
  }
}

/** A table that counts the requests of a kind. Reading the number resets it. */
export function counting(table: Table, kind = /./): { on: Table; requests: () => number } {
  let counted = 0;
  const on = intercepted(table, (send, { constructor: { name } }) => {
    if (kind.test(name)) counted++;
    return send();
  });
  const requests = () => {
    const since = counted;
    counted = 0;
    return since;
  };
  return { on, requests };
}
