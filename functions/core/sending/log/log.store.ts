import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, pages, sortKeyRange, type Table } from '#core/storage/table.store.ts';
import {
  type Batch,
  batchesIn,
  batchesIndex,
  type ListedStatus,
  logPartition,
  parseBatchId,
  readTheseBatches,
  statusPartition,
} from '../batch/batch.store.ts';
import { type ListedMark, type MarkedEmail, markedIn, markedPartition } from '../event-index.store.ts';
import { type SkippedSend, skippedSendsIn, skipsPartition } from '../skip.store.ts';
import { ALL, matches, type Position, type Span } from './query.ts';

// A query returns up to 1 MB. The first one reads few items, since most callers want the newest only.
const FIRST_ITEMS = 12;
const MOST_ITEMS = 1_000;
const MOST_QUERIES = 20;

export type Reading = {
  table: Table;
  organization: number;
  /** Where the page before ended: only what comes after it is wanted. */
  start?: Position | undefined;
  /** How many more queries this call may make, over all of its spans. */
  left: { queries: number };
};

export const newReading = (of: Omit<Reading, 'left'>): Reading => ({
  ...of,
  left: { queries: MOST_QUERIES },
});

export type LogPart<Entry> = {
  entries: Entry[];
  /** How far it was read; undefined at the end. */
  reached: Position | undefined;
  /** The due minute down to which the log was read. */
  since: string | undefined;
};

type Where = { PK: string; index?: true; first?: number; most?: number };

const MINUTE = '2030-01-01T09:30'.length;
const minuteIn = (key: string) => key.slice(0, MINUTE);
const HIGHEST = '~';

/** The items of a partition in descending order, a page at a time, until its end or until no more queries may be made. */
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

/** The batches of a span, newest first. */
export async function* newestBatches(reading: Reading, span: Span): AsyncGenerator<LogPart<Batch>> {
  // In descending order, the manifest and the parts of a batch come before its head.
  let pending: Item[] = [];
  let lowest: string | undefined;
  for await (const { items, isEnd } of newestItems(
    reading,
    { PK: logPartition(reading.organization) },
    span,
  )) {
    const all = [...pending, ...items];
    const end = all.findLastIndex(isHead) + 1;
    pending = all.slice(end);
    lowest = end > 0 ? String(all[end - 1]?.SK) : lowest;
    yield part(batchesIn(all.slice(0, end)), lowest, isEnd);
  }
}

/** Batches of another list or automation are left out by their ids, without reading them. */
export type Of = { list?: string | undefined; automation?: string | undefined };

/** The batches of an automation or a list, by the index. */
export const newestBatchesOf = (reading: Reading, of: Of, span: Span): AsyncGenerator<LogPart<Batch>> =>
  byIds(
    reading,
    { PK: batchesIndex(reading.organization, of.automation ?? of.list ?? ''), index: true },
    of,
    span,
  );

/** The batches with failed or unknown emails, except those whose emails are all settled by now. */
export const newestBatchesWith = (
  reading: Reading,
  status: ListedStatus,
  of: Of,
  span: Span,
): AsyncGenerator<LogPart<Batch>> =>
  byIds(reading, { PK: statusPartition(reading.organization, status) }, of, span);

// A batch may have a thousand emails, or one: few are read first.
const FIRST_BATCHES = 2;
const MOST_BATCHES = 50;

async function* byIds(reading: Reading, where: Where, of: Of, span: Span): AsyncGenerator<LogPart<Batch>> {
  const { table, organization } = reading;
  const ID = where.index ? 'GSI1SK' : 'SK';
  let size = FIRST_BATCHES;
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const open = items.filter(({ size = 1, settled = 0 }) => Number(settled) < Number(size));
    const ids = open.map(item => String(item[ID])).filter(id => matches(of, parseBatchId(id)));
    for (let at = 0; at < ids.length; size = Math.min(MOST_BATCHES, size * 2)) {
      const some = ids.slice(at, at + size);
      at += some.length;
      const batches = await readTheseBatches(table, organization, some);
      yield part(
        batches.sort((a, b) => (a.head.batch < b.head.batch ? 1 : -1)),
        some.at(-1),
        isEnd && at >= ids.length,
      );
    }
    const last = items.at(-1);
    if (ids.length === 0) yield part([], last && String(last[ID]), isEnd);
  }
}

type SkipEntry = { key: string; skips: SkippedSend[] };

/** The skips of a span, newest first. */
export async function* newestSkips(reading: Reading, span: Span): AsyncGenerator<LogPart<SkipEntry>> {
  for await (const { items, isEnd } of newestItems(
    reading,
    { PK: skipsPartition(reading.organization) },
    span,
  )) {
    const entries = items.map(item => ({ key: String(item.SK), skips: skippedSendsIn(item) }));
    yield part(entries, entries.at(-1)?.key, isEnd);
  }
}

type MarkedEntry = { key: string; email: MarkedEmail };

// Entries are hardly more than keys, so that a query may return many.
const FIRST_MARKED = 50;
const MOST_MARKED = 5_000;

/** The entries of a mark, newest email first. */
export async function* newestMarked(
  reading: Reading,
  mark: ListedMark,
  span: Span,
): AsyncGenerator<LogPart<MarkedEntry>> {
  const where = { PK: markedPartition(reading.organization, mark), first: FIRST_MARKED, most: MOST_MARKED };
  for await (const { items, isEnd } of newestItems(reading, where, span)) {
    const entries = items.flatMap(item => {
      const email = markedIn(item);
      return email ? [{ key: String(item.SK), email }] : [];
    });
    const last = items.at(-1);
    yield part(entries, last && String(last.SK), isEnd);
  }
}

/** The minutes of the first and of the last batch in the log. */
export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, logPartition(organization));
  return range && { first: minuteIn(range.first), last: minuteIn(range.last) };
}

/** The batches that were due from one minute to another, oldest first, a page at a time. */
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
