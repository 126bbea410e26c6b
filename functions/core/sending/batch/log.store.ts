import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, type Item, pages, sortKeyRange, type Table } from '../../storage/table.store.ts';
import { type Head, logPartition, readSkips, type Send, type SkippedSend, sendsIn } from './batch.store.ts';

/** What the log says of a pack: a batch with its sends, or what was skipped. */
export type LogEntry = { head: Head; sends: Send[] } | { minute: string; pack: string; skips: SkippedSend[] };

// A query answers up to 1 MB. Few items are read first, since most callers want the newest alone.
const FIRST_ITEMS = 10;
const MOST_ITEMS = 1_000;
const MOST_QUERIES = 20;

export type LogPart = {
  entries: LogEntry[];
  /** The minute down to which the log was read; undefined where all of it was. */
  since: string | undefined;
};

/** The log from the packs that were due last on, part by part, down to its end or to a bound. */
export async function* newestFirst(table: Table, organization: number): AsyncGenerator<LogPart> {
  let from: Item | undefined;
  let manifest: Item | undefined;
  for (let queries = 0, limit = FIRST_ITEMS; queries < MOST_QUERIES; queries++) {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': logPartition(organization) },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    const entries: LogEntry[] = [];
    for (const item of page.Items ?? []) {
      const SK = String(item.SK);
      // Backwards, the manifest comes before its batch.
      if (SK.endsWith('#M')) manifest = item;
      else if (SK.endsWith('#S')) entries.push(skippedIn(item));
      else entries.push({ head: fromItem<Head>(item), sends: sendsIn(manifest) });
    }
    from = page.LastEvaluatedKey;
    yield { entries, since: from && String(from.SK).slice(0, MINUTE) };
    if (!from) return;
    limit = Math.min(MOST_ITEMS, limit * 2);
  }
}

const MINUTE = '2030-01-01T09:30'.length;

function skippedIn(item: Item): LogEntry {
  const [minute = '', pack = ''] = String(item.SK).split('#');
  return { minute, pack, skips: readSkips(item) };
}

/** The minutes of the first and of the last pack in the log. */
export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, logPartition(organization));
  return range && { first: range.first.slice(0, MINUTE), last: range.last.slice(0, MINUTE) };
}

/** The batches that were due from one minute to another, some at a time. */
export async function* oldestFirst(
  table: Table,
  organization: number,
  { from, to }: { from: string; to: string },
): AsyncGenerator<{ head: Head; sends: Send[] }[]> {
  let head: Item | undefined;
  const log = pages(table, {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': logPartition(organization), ':from': from, ':to': to },
    ConsistentRead: true,
  });
  for await (const items of log) {
    const found = [];
    for (const item of items) {
      const SK = String(item.SK);
      // The manifest follows its batch.
      if (head && SK === `${head.SK}#M`) found.push({ head: fromItem<Head>(head), sends: sendsIn(item) });
      else if (!/#[MS]$/.test(SK)) head = item;
    }
    yield found;
  }
}
