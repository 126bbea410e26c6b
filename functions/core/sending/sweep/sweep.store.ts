import type { Interval } from '#core/automation/due/occurrences.ts';
import {
  markedShard,
  partitionOf,
  readSource,
  readStart,
  type Source,
  type Start,
  shardOf,
} from '#core/sources/source.ts';
import {
  deleteAll,
  fromItem,
  get,
  type Item,
  query,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  type Condition,
  ConditionFailed,
  commit,
  conditionCheck,
  deleteWrite,
  MOST_WRITES,
  putItem,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { HOUR, MINUTE, startOfMinute } from '#shared/time.ts';

/** How far the sweep has come with an organization: all that is due before it is queued. */
export type Position = {
  /** The first minute that is not fully queued. */
  from: Date;
  /** Set if a part of its span is queued already. */
  resume?: ResumePoint | undefined;
};

/** What a run stores of an organization that is behind. */
export type Mark = Position & {
  /** When that run began: what was switched on later is read again. */
  seen: Date;
};

/**
 * The last row that was read of the span that ends before `until`. Columns are read in their order, and the queries of each
 * column in theirs.
 */
export type ResumePoint = { until: Date; column: string; query: string; after: string };

/** The next span to read. It ends with the hour at the latest, so that its rows are contiguous. */
export function spanAt({ from, resume }: Position, until: Date): Interval {
  const hour = (Math.floor(from.getTime() / HOUR) + 1) * HOUR;
  return { from, until: resume?.until ?? new Date(Math.min(hour, until.getTime())) };
}

/** The position, moved back if needed, so that everything is read that fell due since the minute of an instant. */
export function noLaterThan(instant: Date | undefined, position: Position): Position {
  const { from, resume } = position;
  const minute = new Date(Math.floor((instant?.getTime() ?? Number.NaN) / MINUTE) * MINUTE);
  if (minute < from) return { from: minute };
  // The rows that were read of the span may have been read before the change.
  return resume && minute < resume.until ? { from } : position;
}

export const isDone = ({ from }: Position, until: Date) => from >= until;

/** The oldest first; for the same minute, those without a queued part. */
export const byAge = (a: Position, b: Position): number =>
  a.from.getTime() - b.from.getTime() || Number(Boolean(a.resume)) - Number(Boolean(b.resume));

/** The start of the latest minute that has ended. */
export const lastClosedMinute = (now: Date) => new Date(startOfMinute(now.getTime()) - MINUTE);

export const minuteAfter = (minute: Date) => new Date(minute.getTime() + MINUTE);

const stateKey = (shard: number) => ({ PK: partitionOf(shard), SK: 'STATE' });
const BEHIND = 'BEHIND#';
const behindKey = (shard: number, organization: number) => ({
  PK: partitionOf(shard),
  SK: `${BEHIND}${organization}`,
});

/** The watermark and the lease of a shard. */
type Stored = {
  /** The last minute that was swept, or after which the first run began. */
  swept_minute?: string;
  /** The run that has the lease, or had it last. */
  holder?: string;
  /** When its lease ends, unless it is released before. */
  until?: string;
};

export type Shard = {
  stored: Stored | undefined;
  sources: Source[];
  starts: Start[];
  /** The organizations that are behind, with their positions. */
  behind: Map<number, Mark>;
  /** All other shards, if this is the first one. */
  others: number[];
};

/**
 * Reads in descending order of keys, so that the lease is read before the marks, which a run stores while it has the lease.
 */
export async function read(table: Table, shard: number): Promise<Shard> {
  const items = await query(table, {
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': partitionOf(shard) },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  const keys = items.map(({ SK }) => String(SK));
  const state = items.find(({ SK }) => SK === stateKey(shard).SK);
  return {
    stored: state && fromItem<Stored>(state),
    sources: keys.flatMap(SK => readSource(SK) ?? []),
    starts: items.flatMap(item => readStart(item) ?? []),
    behind: marksIn(items),
    others: keys.flatMap(SK => markedShard(SK) ?? []),
  };
}

export const readBehind = async (table: Table, shard: number): Promise<Map<number, Mark>> =>
  marksIn(await queryPartition(table, partitionOf(shard), BEHIND));

/** Since when an organization is behind: the first minute of which something is missing. */
export async function behindSince(table: Table, organization: number): Promise<Date | undefined> {
  const mark = await get(table, behindKey(shardOf(organization), organization), { consistent: false });
  return mark && new Date(fromItem<StoredMark>(mark).from);
}

export const sweptOf = ({ stored }: Shard): Date | undefined =>
  stored?.swept_minute === undefined ? undefined : new Date(stored.swept_minute);

type Run = { shard: number; holder: string; now: Date };

const STATE = ['swept_minute', 'holder', 'until'];

const isFree = ({ stored: { until = '' } = {} }: Shard, now: Date) => until < now.toISOString();

/**
 * Returns false if another run has the lease, or took it since the shard was read. The watermark is stored with the lease:
 * if the first run of a shard dies, the next one begins at the same minute.
 */
export async function takeLease(
  table: Table,
  { shard, holder, now }: Run,
  known: Shard,
  { end, swept }: { end: Date; swept: Date },
): Promise<boolean> {
  if (!isFree(known, now)) return false;
  const taken = { holder, until: end.toISOString(), swept_minute: swept.toISOString() };
  const before = unchanged(known.stored, STATE);
  const isTaken = await updateItem(
    table,
    stateKey(shard),
    { set: taken },
    {
      // It also holds if the SDK repeats a request whose answer was lost.
      condition: `(${before.condition}) OR (#holder = :new_holder AND #until = :new_until)`,
      names: { ...before.names, '#holder': 'holder', '#until': 'until' },
      values: before.values ?? {},
    },
  );
  return isTaken !== undefined;
}

/** Moves the watermark of a shard with nothing to sweep. Returns false if another run was first. */
export async function moveIdleWatermark(
  table: Table,
  { shard, holder, now }: Run,
  known: Shard,
  to: Date,
): Promise<boolean> {
  if (!isFree(known, now)) return false;
  const passed = { set: { holder, swept_minute: to.toISOString() }, drop: ['until'] };
  return (await updateItem(table, stateKey(shard), passed, unchanged(known.stored, STATE))) !== undefined;
}

/**
 * Makes the sweep of a shard continue after a minute, as if everything before it were queued. Only for a table that was just
 * restored, while nothing sweeps it.
 */
export async function skipTo(table: Table, shard: number, minute: Date): Promise<void> {
  const passed = { set: { swept_minute: minute.toISOString() }, drop: ['holder', 'until'] };
  await updateItem(table, stateKey(shard), passed);
  const behind = await readBehind(table, shard);
  await deleteAll(
    table,
    [...behind.keys()].map(organization => behindKey(shard, organization)),
  );
}

const isMine = (holder: string): Condition => ({ condition: 'holder = :mine', values: { ':mine': holder } });

/**
 * Moves the watermark, releases the lease, and deletes the marks of organizations that have caught up. Returns false if
 * another run has the lease by now. A mark that another run has changed stays.
 */
export async function endRun(
  table: Table,
  { shard, holder }: Pick<Run, 'shard' | 'holder'>,
  to: Date,
  caughtUp: Map<number, Position>,
): Promise<boolean> {
  const ended = { set: { swept_minute: to.toISOString() }, drop: ['until'] };
  if (caughtUp.size === 0)
    return (await updateItem(table, stateKey(shard), ended, isMine(holder))) !== undefined;
  const left = [...caughtUp];
  while (left.length > 0) {
    const some = left.splice(0, MOST_WRITES - 1);
    const own =
      left.length > 0
        ? conditionCheck(table, stateKey(shard), isMine(holder))
        : updateWrite(table, stateKey(shard), ended, isMine(holder));
    const deletions = some.map(([organization, mark]) =>
      deleteWrite(table, behindKey(shard, organization), isAt(mark)),
    );
    if (!(await commitWhatHolds(table, own, deletions))) return false;
  }
  return true;
}

/** Commits `own` with those of the other writes whose conditions hold. Returns false if the condition of `own` fails. */
async function commitWhatHolds(table: Table, own: Write, others: Write[]): Promise<boolean> {
  for (let wanted = others; ; ) {
    try {
      await commit(table, [own, ...wanted]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.isOf(own)) return false;
      wanted = wanted.filter(write => !error.isOf(write));
    }
  }
}

/**
 * Stores the mark of an organization, on condition that its present one is `before`. Returns false if another run has
 * changed it. Every mark is valid, whichever run wrote it: everything that was due before it is queued.
 */
export const storeMark = (
  table: Table,
  shard: number,
  organization: number,
  before: Position | undefined,
  { seen, ...after }: Mark,
): Promise<boolean> =>
  putItem(
    table,
    { ...behindKey(shard, organization), ...itemOf(after), seen: seen.toISOString() },
    before ? isAt(before) : ABSENT,
  );

const FIELDS = ['from', 'until', 'column', 'query', 'after'];

const isAt = (position: Position) => unchanged(itemOf(position), FIELDS);

const itemOf = ({ from, resume }: Position) => ({
  from: from.toISOString(),
  ...(resume && { ...resume, until: resume.until.toISOString() }),
});

type StoredMark = {
  from: string;
  until?: string;
  column: string;
  query: string;
  after: string;
  seen: string;
};

function marksIn(items: Item[]): Map<number, Mark> {
  const marks = items.filter(({ SK }) => String(SK).startsWith(BEHIND));
  return new Map(
    marks.map(item => {
      const { from, until, seen, ...resume } = fromItem<StoredMark>(item);
      const organization = Number(String(item.SK).slice(BEHIND.length));
      return [
        organization,
        {
          from: new Date(from),
          seen: new Date(seen),
          resume: until === undefined ? undefined : { ...resume, until: new Date(until) },
        },
      ];
    }),
  );
}
