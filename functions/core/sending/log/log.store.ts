import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { getAll, type Item, pages, sortKeyRange, type Table } from '../../storage/table.store.ts';
import { type Batch, batchesIn, type ListedStatus, logPartition, statusPartition } from '../batch/batch.ts';
import { type SkippedSend, skippedSendsIn, skipsPartition } from '../skip/skip.ts';

// A query may answer 1 MB. Few items are read first, since most callers want only the newest.
const FIRST_ITEMS = 12;
const MOST_ITEMS = 1_000;
const MOST_QUERIES = 20;

export type LogPart<Entry> = {
  entries: Entry[];
  /** The oldest minute that was read; undefined where all of the log was. */
  since: string | undefined;
};

/** The items of a partition, the highest keys first, in parts, up to a bound. */
async function* newestItems(table: Table, PK: string): AsyncGenerator<LogPart<Item>> {
  let from: Item | undefined;
  for (let queries = 0, limit = FIRST_ITEMS; queries < MOST_QUERIES; queries++) {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': PK },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    from = page.LastEvaluatedKey;
    yield { entries: page.Items ?? [], since: from && String(from.SK).slice(0, MINUTE) };
    if (!from) return;
    limit = Math.min(MOST_ITEMS, limit * 2);
  }
}

const MINUTE = '2030-01-01T09:30'.length;
const isHead = ({ type }: Item) => type === 'batch';

/** The batches, the latest due first. */
export async function* newestBatches(table: Table, organization: number): AsyncGenerator<LogPart<Batch>> {
  // Backwards, what belongs to a batch comes before its head.
  let pending: Item[] = [];
  for await (const { entries, since } of newestItems(table, logPartition(organization))) {
    const items = [...pending, ...entries];
    const end = items.findLastIndex(isHead) + 1;
    pending = items.slice(end);
    yield { entries: batchesIn(items.slice(0, end)), since };
  }
}

/** The batches that have sends of a status, the latest due first. */
export async function* newestBatchesWith(
  table: Table,
  organization: number,
  status: ListedStatus,
): AsyncGenerator<LogPart<Batch>> {
  for await (const { entries, since } of newestItems(table, statusPartition(organization, status))) {
    // Without the batches of which all sends are settled by now.
    const open = entries.filter(({ size, settled = 0 }) => Number(settled) < Number(size));
    const PK = logPartition(organization);
    const keys = open.flatMap(({ SK }) =>
      ['', '#F', '#M', '#R', '#U'].map(part => ({ PK, SK: `${SK}${part}` })),
    );
    const batches = batchesIn(await getAll(table, keys));
    yield { entries: batches.sort((a, b) => (a.head.batch < b.head.batch ? 1 : -1)), since };
  }
}

/** The skipped sends, the latest due first. */
export async function* newestSkips(table: Table, organization: number): AsyncGenerator<LogPart<SkippedSend>> {
  for await (const { entries, since } of newestItems(table, skipsPartition(organization))) {
    yield { entries: entries.flatMap(skippedSendsIn), since };
  }
}

/** The minutes of the first and the last batch. */
export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, logPartition(organization));
  return range && { first: range.first.slice(0, MINUTE), last: range.last.slice(0, MINUTE) };
}

/** The batches that were due from one minute to another, some at a time. */
export async function* oldestFirst(
  table: Table,
  organization: number,
  { from, to }: { from: string; to: string },
): AsyncGenerator<Batch[]> {
  let pending: Item[] = [];
  const log = pages(table, {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': logPartition(organization), ':from': from, ':to': to },
    ConsistentRead: true,
  });
  for await (const items of log) {
    const all = [...pending, ...items];
    // What belongs to the last batch may be in the next page.
    const last = all.findLastIndex(isHead);
    pending = last < 0 ? all : all.slice(last);
    if (last > 0) yield batchesIn(all.slice(0, last));
  }
  yield batchesIn(pending);
}
