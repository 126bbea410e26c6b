import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, pages, sortKeyRange, type Table } from '#core/storage/table.store.ts';
import {
  type Batch,
  batchesIn,
  batchesIndex,
  logPartition,
  parseBatchId,
  readTheseBatches,
  rejectedIn,
  statusPartition,
} from '../batch/batch.store.ts';
import {
  eventPartition,
  type IndexedEmail,
  type IndexedEvent,
  indexedEmailIn,
} from '../event-index.store.ts';
import { type SkippedSend, skippedSendsIn, skipsPartition } from '../skip.store.ts';
import { ALL, type Filter, matches, type Position, type Span } from './query.ts';

// A query returns up to 1 MB. The first one reads few items, since most callers want the newest only.
const FIRST_ITEMS = 12;
const MOST_ITEMS = 1_000;
export const MOST_QUERIES = 20;

export type Reading = {
  table: Table;
  organization: number;
  /** Only what comes after it is wanted. */
  start?: Position | undefined;
  /** Over all spans of this call. */
  left: { queries: number };
};

export type LogPart<Entry> = {
  entries: Entry[];
  /** How far it was read; undefined at the end. */
  reached: Position | undefined;
  /** The due minute down to which the log was read. */
  since: string | undefined;
};

type Where = { PK: string; index?: true; first?: number; most?: number };

const MINUTE = '2030-01-01T09:30'.length;
export const minuteIn = (key: string) => key.slice(0, MINUTE);
const HIGHEST = '~';

/** In descending order, until the end or until no more queries may be made. */
async function* newestItems(
  { table, start, left }: Reading,
  { PK, index, first = FIRST_ITEMS, most = MOST_ITEMS }: Where,
  { from = '0', to = '' }: Span,
): AsyncGenerator<{ items: Item[]; isEnd: boolean }> {
  const highest = `${to}${HIGHEST}`;
  // Includes the item with this key, and what sorts after it: the manifest and the parts of a batch.
  const beginning = `${start?.key ?? ''}${HIGHEST}`;
  if (beginning < from) return;
  const [partition, key] = index ? ['GSI1PK', 'GSI1SK'] : ['PK', 'SK'];
  let after: Item | undefined;
  for (let limit = first; left.queries > 0; limit = Math.min(most, limit * 2)) {
    left.queries--;
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...(index ? { IndexName: 'GSI1' } : { ConsistentRead: true }),
        KeyConditionExpression: `${partition} = :partition AND ${key} BETWEEN :from AND :to`,
        ExpressionAttributeValues: {
          ':partition': PK,
          ':from': from,
          ':to': beginning < highest ? beginning : highest,
        },
        ScanIndexForward: false,
        Limit: limit,
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    after = page.LastEvaluatedKey;
    yield { items: page.Items ?? [], isEnd: after === undefined };
    if (!after) return;
  }
}

const isHead = ({ type }: Item) => type === 'batch';
const whole = (key: string): Position => ({ key, count: ALL });

const part = <Entry>(entries: Entry[], lowest: string | undefined, isEnd: boolean): LogPart<Entry> => ({
  entries,
  reached: isEnd || lowest === undefined ? undefined : whole(lowest),
  since: isEnd || lowest === undefined ? undefined : minuteIn(lowest),
});

type BatchFilter = Pick<Filter, 'status' | 'list' | 'automation'>;

/** Newest first, from the partition or index with the fewest others. Batches of another list or automation are left out. */
export function newestBatches(
  reading: Reading,
  filter: BatchFilter,
  span: Span,
): AsyncGenerator<LogPart<Batch>> {
  const { organization } = reading;
  const { status, list, automation } = filter;
  if (status === 'failed' || status === 'unknown')
    return batchesByIds(reading, { PK: statusPartition(organization, status) }, filter, span);
  const listOrAutomation = automation || list;
  if (!listOrAutomation) return allBatches(reading, span);
  const where = { PK: batchesIndex(organization, listOrAutomation), index: true } as const;
  return batchesByIds(reading, where, filter, span);
}

async function* allBatches(reading: Reading, span: Span): AsyncGenerator<LogPart<Batch>> {
  const where = { PK: logPartition(reading.organization) };
  // In descending order, the manifest and the parts of a batch come before its head.
  let pending: Item[] = [];
  let lowest: string | undefined;
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const all = [...pending, ...items];
    const end = all.findLastIndex(isHead) + 1;
    pending = all.slice(end);
    lowest = end > 0 ? String(all[end - 1]?.SK) : lowest;
    yield part(batchesIn(all.slice(0, end)), lowest, isEnd);
  }
}

// A batch may have a thousand emails, or one: few are read first.
const FIRST_BATCHES = 2;
const MOST_BATCHES = 50;

/** Only those that may have unsettled emails, and match the filter by their ids. */
async function* batchesByIds(
  reading: Reading,
  where: Where,
  { list, automation }: BatchFilter,
  span: Span,
): AsyncGenerator<LogPart<Batch>> {
  const { table, organization } = reading;
  const ID = where.index ? 'GSI1SK' : 'SK';
  let size = FIRST_BATCHES;
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const open = items.filter(({ size = 1, settled = 0 }) => Number(settled) < Number(size));
    const rejected = new Map(open.map(item => [String(item[ID]), rejectedIn(item)]));
    const left = open
      .map(item => String(item[ID]))
      .filter(id => matches({ list, automation }, parseBatchId(id)));
    const isEmpty = left.length === 0;
    for (; left.length > 0; size = Math.min(MOST_BATCHES, size * 2)) {
      const ids = left.splice(0, size);
      const found = await readTheseBatches(table, organization, ids);
      const batches = found.map(batch => ({
        ...batch,
        rejected: rejected.get(batch.head.batch) ?? new Set(),
      }));
      batches.sort((a, b) => (a.head.batch < b.head.batch ? 1 : -1));
      yield part(batches, ids.at(-1), isEnd && left.length === 0);
    }
    const last = items.at(-1);
    if (isEmpty) yield part([], last && String(last[ID]), isEnd);
  }
}

export async function* newestSkips(
  reading: Reading,
  span: Span,
): AsyncGenerator<LogPart<{ key: string; skips: SkippedSend[] }>> {
  const where = { PK: skipsPartition(reading.organization) };
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const entries = items.map(item => ({ key: String(item.SK), skips: skippedSendsIn(item) }));
    yield part(entries, entries.at(-1)?.key, isEnd);
  }
}

// Entries are hardly more than keys, so that a query may return many.
const FIRST_INDEXED = 50;
const MOST_INDEXED = 5_000;

export async function* newestIndexed(
  reading: Reading,
  event: IndexedEvent,
  span: Span,
): AsyncGenerator<LogPart<{ key: string; email: IndexedEmail }>> {
  const where = { PK: eventPartition(reading.organization, event), first: FIRST_INDEXED, most: MOST_INDEXED };
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const entries = items.flatMap(item => {
      const email = indexedEmailIn(item);
      return email ? [{ key: String(item.SK), email }] : [];
    });
    const last = items.at(-1);
    yield part(entries, last && String(last.SK), isEnd);
  }
}

export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, logPartition(organization));
  return range && { first: minuteIn(range.first), last: minuteIn(range.last) };
}

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
    // The manifest and the parts of the last batch may be on the next page.
    const last = all.findLastIndex(isHead);
    pending = last < 0 ? all : all.slice(last);
    if (last > 0) yield batchesIn(all.slice(0, last));
  }
  yield batchesIn(pending);
}
