import type { Interval } from '#core/automation/due/occurrences.ts';
import { sha256 } from '#core/id.ts';
import {
  markedShard,
  type Pass,
  partitionOf,
  readPass,
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
  queryBackwards,
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

/** All that is due before it is queued. */
export type Position = {
  /** The first minute that is not fully queued. */
  from: Date;
  /** Set if a part of its span is queued already. */
  resume?: ResumePoint | undefined;
};

export type Mark = Position & {
  /** When that run began: what was switched on later is read again, unless the position is known to include it. */
  seen: Date;
};

/** The last row that was read of the span that ends before `until`, in the order of columns and of their queries. */
export type ResumePoint = { until: Date; column: string; query: string; after: string };

/** The next span to read. It ends with the hour at the latest, so that its rows are contiguous. */
export function spanAt({ from, resume }: Position, until: Date): Interval {
  const hour = (Math.floor(from.getTime() / HOUR) + 1) * HOUR;
  return { from, until: resume?.until ?? new Date(Math.min(hour, until.getTime())) };
}

/** The position, moved back if needed, so that what fell due since an instant is read. */
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

type Stored = {
  /** The last minute that was swept, or after which the first run began. */
  swept_minute?: string;
  /** The last run with the lease. */
  holder?: string;
  /** When its lease ends, unless it is released before. */
  until?: string;
  /** Hashes of the latest starts that the positions take into account. */
  starts?: string[];
};

// What is left out is only read again. With this many, the item is still one write unit.
const MOST_STARTS = 50;
const HASH_LENGTH = 12;

const hashOf = ({ key }: Start) => sha256(key).slice(0, HASH_LENGTH);

export const isTaken = ({ stored }: Pick<Shard, 'stored'>, start: Start): boolean =>
  stored?.starts?.includes(hashOf(start)) ?? false;

export type Shard = {
  stored: Stored | undefined;
  sources: Source[];
  starts: Start[];
  passes: Pass[];
  behind: Map<number, Mark>;
  /** All other shards, if this is the first one. */
  others: number[];
};

// Descending: the lease is read before the marks, which a run stores while it has the lease.
export async function read(table: Table, shard: number): Promise<Shard> {
  const items = await queryBackwards(table, partitionOf(shard));
  const keys = items.map(({ SK }) => String(SK));
  const state = items.find(({ SK }) => SK === stateKey(shard).SK);
  return {
    stored: state && fromItem<Stored>(state),
    sources: items.flatMap(item => readSource(item) ?? []),
    starts: items.flatMap(item => readStart(item) ?? []),
    passes: items.flatMap(item => readPass(item) ?? []),
    behind: marksIn(items),
    others: keys.flatMap(SK => markedShard(SK) ?? []),
  };
}

export const readBehind = async (table: Table, shard: number): Promise<Map<number, Mark>> =>
  marksIn(await queryPartition(table, partitionOf(shard), BEHIND));

/** The first minute of which something is missing. */
export async function behindSince(table: Table, organization: number): Promise<Date | undefined> {
  const mark = await get(table, behindKey(shardOf(organization), organization), { consistent: false });
  return mark && new Date(fromItem<StoredMark>(mark).from);
}

export const sweptOf = ({ stored }: Shard): Date | undefined =>
  stored?.swept_minute === undefined ? undefined : new Date(stored.swept_minute);

type Run = { shard: number; holder: string; now: Date };

const STATE = ['swept_minute', 'holder', 'until'];

const isFree = ({ stored: { until = '' } = {} }: Shard, now: Date) => until < now.toISOString();

/** The watermark is stored with the lease: if the first run of a shard dies, the next one begins at the same minute. */
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

/** Returns false if another run was first. */
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

/** Continues as if everything before a minute were queued. Only for a table that was just restored and is not swept. */
export async function skipTo(table: Table, shard: number, minute: Date): Promise<void> {
  const passed = { set: { swept_minute: minute.toISOString() }, drop: ['holder', 'until', 'starts'] };
  await updateItem(table, stateKey(shard), passed);
  const behind = await readBehind(table, shard);
  await deleteAll(
    table,
    [...behind.keys()].map(organization => behindKey(shard, organization)),
  );
}

const isMine = (holder: string): Condition => ({ condition: 'holder = :mine', values: { ':mine': holder } });

/** Releases the lease and deletes the marks that no other run has changed. Returns false if another run has the lease. */
export async function endRun(
  table: Table,
  { shard, holder }: Pick<Run, 'shard' | 'holder'>,
  to: Date,
  caughtUp: Map<number, Position>,
  taken: Start[],
): Promise<boolean> {
  const starts = taken.slice(-MOST_STARTS).map(hashOf);
  const ended = { set: { swept_minute: to.toISOString(), starts }, drop: ['until'] };
  if (caughtUp.size === 0)
    return (await updateItem(table, stateKey(shard), ended, isMine(holder))) !== undefined;
  const left = [...caughtUp];
  while (left.length > 0) {
    const own =
      left.length > MOST_WRITES - 1
        ? conditionCheck(table, stateKey(shard), isMine(holder))
        : updateWrite(table, stateKey(shard), ended, isMine(holder));
    const deletions = left
      .splice(0, MOST_WRITES - 1)
      .map(([organization, mark]) => deleteWrite(table, behindKey(shard, organization), isAt(mark)));
    if (!(await commitWhatHolds(table, own, deletions))) return false;
  }
  return true;
}

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

/** Every mark is valid, whichever run wrote it: what was due before it is queued. Returns false if `before` has changed. */
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
  return new Map(
    items
      .filter(({ SK }) => String(SK).startsWith(BEHIND))
      .map((item): [number, Mark] => {
        const { from, until, seen, ...resume } = fromItem<StoredMark>(item);
        const mark: Mark = { from: new Date(from), seen: new Date(seen) };
        if (until !== undefined) mark.resume = { ...resume, until: new Date(until) };
        return [Number(String(item.SK).slice(BEHIND.length)), mark];
      }),
  );
}
