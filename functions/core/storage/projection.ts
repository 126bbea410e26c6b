import { SECOND } from '#shared/time.ts';
import { epochSeconds, get, type Key, storedOf, type Table, textOf } from './table.store.ts';
import {
  additionWrite,
  ConditionFailed,
  commit,
  conditionCheck,
  MOST_ADDITIONS,
  PRESENT,
  putItem,
  putWrite,
  TransactionTooLarge,
  unchanged,
  type Write,
} from './write.store.ts';

export type Counter = {
  key: Key;
  add: Record<string, number>;
  /** The item that must exist for the counter to be written: the counter's own, or another one on which it depends. */
  guard?: Key | undefined;
  /** If the guard does not exist, the counter is still written as long as this organization is not deleted. */
  organization?: number;
};

/** An event for other systems. It is published at least once, with the same id each time. */
export type Event = { type: string; detail: { id: string; [field: string]: unknown } };

export type Contribution = { sequence: string; counters: Counter[]; events: Event[] };

type Needs = {
  table: Table;
  publish: (events: Event[]) => Promise<void>;
  now: Date;
  aliveCheck: (table: Table, organization: number) => Write;
  /** Reports a record that can never be counted. It is skipped, as otherwise none after it would be counted. */
  uncounted: (what: string, error?: unknown) => void;
};

const MOST_TRIES = 10;

/** Counts in one transaction with the position of the shard, so once. Events are published before, so none is lost. */
export async function project(needs: Needs, shard: string, contributions: Contribution[]): Promise<void> {
  let position = await readPosition(needs.table, shard);
  const events = uncountedOf(position, contributions).flatMap(({ events }) => events);
  if (events.length > 0) await needs.publish(events);
  const delivered = contributions.filter(({ counters }) => summed(counters).length > 0);
  for (let attempt = 1; ; attempt++) {
    try {
      await count({ ...needs, shard, delivered }, position, uncountedOf(position, delivered));
      return;
    } catch (error) {
      if (!(error instanceof OvertakenError) || attempt === MOST_TRIES) throw error;
      position = await readPosition(needs.table, shard);
    }
  }
}

const isAfter = (sequence: string, position: Position | undefined) =>
  BigInt(sequence) > BigInt(position?.sequence ?? 0);
const aheadOf = (position: Position | undefined) => new Set(position?.ahead?.split(' '));

function uncountedOf(position: Position | undefined, contributions: Contribution[]): Contribution[] {
  const ahead = aheadOf(position);
  return contributions.filter(({ sequence }) => isAfter(sequence, position) && !ahead.has(sequence));
}

function advanced(
  before: Position | undefined,
  delivered: Contribution[],
  counted: Contribution[],
): Position {
  const known = aheadOf(before);
  for (const { sequence } of counted) known.add(sequence);
  const after = delivered.map(({ sequence }) => sequence).filter(sequence => isAfter(sequence, before));
  const open = after.findIndex(sequence => !known.has(sequence));
  const sequence = (open < 0 ? after : after.slice(0, open)).at(-1) ?? before?.sequence;
  const position = { ...(sequence !== undefined && { sequence }) };
  const ahead = [...known].filter(one => isAfter(one, position));
  return { ...position, ...(ahead.length > 0 && { ahead: ahead.join(' ') }) };
}

/** Another run has moved the position of the same shard since it was read. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

type Run = Needs & { shard: string; delivered: Contribution[] };

async function count(
  run: Run,
  from: Position | undefined,
  contributions: Contribution[],
): Promise<Position | undefined> {
  let position = from;
  for (const { counters, records } of transactions(contributions)) {
    try {
      position = await move(run, position, records, counters);
    } catch (error) {
      if (!(error instanceof TransactionTooLarge)) throw error;
      position = await countInParts(run, position, records, error);
    }
  }
  return position;
}

/** Counts records in halves if they are too large together. A record that is too large by itself is skipped. */
async function countInParts(
  run: Run,
  from: Position | undefined,
  records: Contribution[],
  error: TransactionTooLarge,
): Promise<Position | undefined> {
  if (records.length === 1) {
    run.uncounted(`record ${records[0]?.sequence}`, error);
    return move(run, from, records, []);
  }
  const half = Math.ceil(records.length / 2);
  return count(run, await count(run, from, records.slice(0, half)), records.slice(half));
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html: 100 items, of which the
// position is one.
const MOST_ITEMS = 99;

type Transaction = { counters: Counter[]; records: Contribution[] };

/** Records of one group are put together: otherwise writes of many lists in turn would take a transaction each. */
function* transactions(contributions: Contribution[]): Generator<Transaction> {
  let counters: Counter[] = [];
  let records: Contribution[] = [];
  for (const record of [...Map.groupBy(contributions, groupOf).values()].flat()) {
    const added = summed(record.counters);
    const together = summed([...counters, ...added]);
    const fits =
      itemsOf(together).size <= MOST_ITEMS &&
      together.every(({ add }) => Object.keys(add).length <= MOST_ADDITIONS);
    if (!fits && records.length > 0) yield { counters, records };
    counters = fits ? together : added;
    records = fits ? [...records, record] : [record];
  }
  if (records.length > 0) yield { counters, records };
}

/** The group of a record: the list or the reports that it counts for. */
const groupOf = ({ counters: [first] }: Contribution) => (first?.guard ?? first?.key)?.PK;

const itemsOf = (counters: Counter[]) =>
  new Set(
    counters.flatMap(({ key, guard = key, organization }) => [
      textOf(key),
      textOf(guard),
      ...(organization === undefined ? [] : [aliveName(organization)]),
    ]),
  );

const aliveName = (organization: number) => `organization ${organization}`;

/** One counter per item, without numbers that add up to zero. */
function summed(counters: Counter[]): Counter[] {
  return [...Map.groupBy(counters, ({ key }) => textOf(key)).values()].flatMap(ofItem => {
    const sums = new Map<string, number>();
    for (const [attribute, value] of ofItem.flatMap(({ add }) => Object.entries(add))) {
      sums.set(attribute, (sums.get(attribute) ?? 0) + value);
    }
    const add = Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
    return ofItem[0] && Object.keys(add).length > 0 ? [{ ...ofItem[0], add }] : [];
  });
}

// Runs of several shards count for the same list at the same time, so their transactions conflict on its counts.
const MOST_CONFLICTS = 16;

/** Leaves out counters whose guard is deleted, and those that one organization has made too large. */
async function move(
  { table, now, aliveCheck, uncounted, shard, delivered }: Run,
  from: Position | undefined,
  records: Contribution[],
  counters: Counter[],
): Promise<Position> {
  const to = advanced(from, delivered, records);
  const isTooLong = ({ add }: Counter) => Object.keys(add).length > MOST_ADDITIONS;
  for (const { key } of counters.filter(isTooLong)) uncounted(textOf(key));
  for (let counted = counters.filter(counter => !isTooLong(counter)); ; ) {
    const writes = writesOf(table, counted, aliveCheck);
    const moved = positionWrite(table, { shard, from, to }, now);
    try {
      await commit(table, [moved, ...writes.map(({ write }) => write)], MOST_CONFLICTS);
      return to;
    } catch (error) {
      if (error instanceof TransactionTooLarge) {
        const tooLarge = new Set(writes.filter(({ write }) => error.isOf(write)).map(({ item }) => item));
        if (tooLarge.size === 0) throw error;
        for (const item of tooLarge) uncounted(item, error);
        counted = counted.filter(({ key }) => !tooLarge.has(textOf(key)));
        continue;
      }
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.isOf(moved)) throw new OvertakenError(`Shard ${shard} was counted by another run`);
      const missing = new Set(writes.filter(({ write }) => error.isOf(write)).map(({ item }) => item));
      counted = counted.flatMap(counter => {
        const dependsOn = dependenceOf(counter);
        if (dependsOn === undefined || !missing.has(dependsOn)) return [counter];
        // The organization is checked only after the check of the guard has failed, as it costs two units.
        return counter.guard && counter.organization !== undefined ? [{ ...counter, guard: undefined }] : [];
      });
    }
  }
}

const dependenceOf = ({ guard, organization }: Counter) =>
  guard ? textOf(guard) : organization === undefined ? undefined : aliveName(organization);

function writesOf(
  table: Table,
  counters: Counter[],
  aliveCheck: Needs['aliveCheck'],
): { item: string; write: Write }[] {
  const guards = new Map(counters.flatMap(({ guard }) => (guard ? [[textOf(guard), guard]] : [])));
  const updates = counters.map(counter => {
    const item = textOf(counter.key);
    return { item, write: counterWrite(table, counter, guards.delete(item)) };
  });
  const checks = [...guards].map(([item, key]) => ({ item, write: conditionCheck(table, key, PRESENT) }));
  const organizations = new Set(
    counters.flatMap(({ guard, organization }) =>
      guard || organization === undefined ? [] : [organization],
    ),
  );
  const alive = [...organizations].map(id => ({ item: aliveName(id), write: aliveCheck(table, id) }));
  return [...updates, ...checks, ...alive];
}

const counterWrite = (table: Table, { key, add }: Counter, mustExist: boolean): Write =>
  additionWrite(table, key, add, mustExist ? PRESENT : undefined);

// Lambda can deliver the records of a shard for one day.
const CHECKPOINT_SECONDS = 7 * 24 * 60 * 60;

const checkpointKey = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

type Position = {
  /** All records up to this one are counted. */
  sequence?: string;
  /** Records after it that are counted too, separated by spaces. */
  ahead?: string;
};

const readPosition = async (table: Table, shard: string) =>
  storedOf<Position>(await get(table, checkpointKey(shard)));

type Move = { shard: string; from: Position | undefined; to: Position };

/** Moves the position. Fails if another run has moved it since it was read. */
const positionWrite = (table: Table, { shard, from, to }: Move, now: Date): Write =>
  putWrite(
    table,
    { ...checkpointKey(shard), ...to, ttl: epochSeconds(now) + CHECKPOINT_SECONDS },
    unchanged(from, ['sequence', 'ahead']),
  );

/** A change that is older when it is delivered is late. */
const LATE = 60 * SECOND;
/** How long a note is valid. A failed batch of records is delivered again within this time, and noted again. */
const VALID = 3 * 60 * SECOND;
const LAG_SECONDS = 24 * 60 * 60;

type LagNeeds = { table: Table; now: Date };

const LAG = { PK: 'LAG', SK: '-' };

/** Of several shards the one that is furthest behind is kept. Nothing is written if no change is late. */
export async function storeLag({ table, now }: LagNeeds, shard: string, oldest: Date): Promise<void> {
  if (now.getTime() - oldest.getTime() < LATE) return;
  const note = { shard, counted_until: oldest.toISOString(), noted_at: now.toISOString() };
  await putItem(
    table,
    { ...LAG, ...note, ttl: epochSeconds(now) + LAG_SECONDS },
    {
      condition: 'attribute_not_exists(PK) OR #shard = :shard OR noted_at < :valid OR counted_until > :until',
      names: { '#shard': 'shard' },
      values: {
        ':shard': shard,
        ':valid': new Date(now.getTime() - VALID).toISOString(),
        ':until': note.counted_until,
      },
    },
  );
}

/** The instant up to which all changes are counted. Returns null if the projector is not known to be behind. */
export async function countedUntil({ table, now }: LagNeeds): Promise<string | null> {
  const note = await get(table, LAG, { consistent: false });
  const isValid = note && Date.parse(String(note.noted_at)) + VALID >= now.getTime();
  return isValid ? String(note.counted_until) : null;
}
