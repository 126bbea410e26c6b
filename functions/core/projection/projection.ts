import { datetimesOf, type Metadata } from '../../../shared/metadata.ts';
import * as list from '../list/list.ts';
import { commit, LostRace, type Table, type Write } from '../table.store.ts';
import * as store from './projection.store.ts';

/** A membership before or after a write. */
export type Image = {
  email: string;
  status: string;
  metadata: Metadata;
  updated_at: string;
  revision: string;
  by?: string | undefined;
};
export type Change = {
  /** Number of the record in its shard. */
  sequence: string;
  organization: number;
  hash: string;
  list: string;
  before: Image | undefined;
  after: Image | undefined;
};

/** What other systems are told. It may be told twice, under the same id. */
export type Unsubscribed = {
  id: string;
  organization_id: number;
  email_list_id: string;
  list_member_id: string;
  email: string;
  unsubscribed_at: string;
  source: string | undefined;
};
type Publish = (events: Unsubscribed[]) => Promise<void>;

type Needs = { table: Table; publish: Publish; now: Date };

const MOST_TRIES = 10;

/**
 * Counts what a shard tells. The counters move together with the shard's position in one transaction, so that a record
 * counts once however often it is delivered; events go out before, so that none is lost.
 */
export async function project(needs: Needs, shard: string, changes: Change[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const from = await store.read(needs.table, shard);
    const pending = changes.filter(({ sequence }) => BigInt(sequence) > BigInt(from.sequence));
    await publish(needs, pending);
    try {
      return await count(needs, shard, from, pending);
    } catch (error) {
      if (!(error instanceof OvertakenError) || attempt === MOST_TRIES) throw error;
    }
  }
}

/** Another run for the same shard counted first: there is a new position to begin at. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

async function publish(needs: Needs, changes: Change[]): Promise<void> {
  const events = changes.flatMap(({ before, after, organization, list, hash }): Unsubscribed[] => {
    if (before?.status !== 'subscribed' || after?.status !== 'unsubscribed') return [];
    return [
      {
        id: `${list}-${hash}-${after.revision}`,
        organization_id: organization,
        email_list_id: list,
        list_member_id: `${list}-${hash}`,
        email: after.email,
        unsubscribed_at: after.updated_at,
        source: after.by,
      },
    ];
  });
  if (events.length > 0) await needs.publish(events);
}

/** A part of what a record changes: the counts of its list, or one of its columns. */
type Part = { list: string; column?: string; total: number; subscribed: number; at: store.Position };

// Of the 100 writes of a transaction one is the position; a counter of a column may bring that of its list along.
const MOST_COUNTERS = 98;

async function count(needs: Needs, shard: string, from: store.Position, changes: Change[]): Promise<void> {
  const gone = new Set<string>();
  let position = from;
  let parts = changes.flatMap((change, index) => partsOf(change, position, changes[index - 1]?.sequence));
  // What was given up half way is not there any more: then nothing of the next record is counted yet.
  if (changes[0]?.sequence === from.of) parts = parts.slice(from.parts);
  while (parts.length > 0) {
    const taken = firstFew(parts);
    const to = (parts[taken - 1] as Part).at;
    await commitParts(needs, shard, { from: position, to }, parts.slice(0, taken), gone);
    position = to;
    parts = parts.slice(taken);
  }
}

/** The parts of a record, each with the position at which it is counted. */
function partsOf(change: Change, from: store.Position, previous = from.sequence): Part[] {
  const deltas = deltasOf(change);
  return deltas.map((delta, index) => ({
    ...delta,
    list: change.list,
    at:
      index === deltas.length - 1
        ? { sequence: change.sequence, parts: 0, of: '' }
        : { sequence: previous, parts: index + 1, of: change.sequence },
  }));
}

type Delta = Omit<Part, 'list' | 'at'>;

function deltasOf({ before, after }: Change): Delta[] {
  const [was, is] = [membershipOf(before), membershipOf(after)];
  const columns = [...new Set([...was.columns, ...is.columns])].sort();
  return [
    { total: is.total - was.total, subscribed: is.subscribed - was.subscribed },
    ...columns.map(column => ({
      column,
      total: Number(is.columns.has(column)) - Number(was.columns.has(column)),
      subscribed: 0,
    })),
  ].filter(({ total, subscribed }) => total !== 0 || subscribed !== 0);
}

/** Whoever has left counts for nothing. */
function membershipOf(image: Image | undefined) {
  const isIn = image?.status === 'subscribed' || image?.status === 'unsubscribed';
  return {
    total: Number(isIn),
    subscribed: Number(image?.status === 'subscribed'),
    columns: new Set(isIn ? datetimesOf(image.metadata).map(([column]) => column) : []),
  };
}

/** How many parts, from the first on, fit one transaction. */
function firstFew(parts: Part[]): number {
  const counters = new Set<string>();
  const beyond = parts.findIndex(({ list, column }) => {
    counters.add(list);
    if (column !== undefined) counters.add(`${list} ${column}`);
    return counters.size > MOST_COUNTERS;
  });
  return beyond === -1 ? parts.length : beyond;
}

// Many shards tell of one list, and their transactions meet on its counts.
const PATIENCE = 16;

async function commitParts(
  { table, now }: Needs,
  shard: string,
  { from, to }: { from: store.Position; to: store.Position },
  parts: Part[],
  gone: Set<string>,
): Promise<void> {
  for (;;) {
    const counted = counters(
      table,
      parts.filter(({ list }) => !gone.has(list)),
    );
    const move = store.moved(table, shard, from, to, now);
    try {
      return await commit(table, [move, ...counted.map(({ write }) => write)], PATIENCE);
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      const [isOvertaken, ...lost] = error.lost;
      if (isOvertaken) throw new OvertakenError(`Shard ${shard} was counted by another run`);
      // A list that is deleted counts no more.
      counted.forEach(({ list }, index) => {
        if (lost[index]) gone.add(list);
      });
    }
  }
}

/** One write per counter, whatever the parts; a column's always beside that of its list, whose condition it needs. */
function counters(table: Table, parts: Part[]): { list: string; write: Write }[] {
  return [...Map.groupBy(parts, ({ list }) => list)].flatMap(([id, ofList]) => {
    const ofColumns = Map.groupBy(
      ofList.filter(({ column }) => column !== undefined),
      ({ column }) => column as string,
    );
    const total = sum(ofList.filter(({ column }) => column === undefined));
    const writes = [
      list.addToCounts(table, id, total),
      ...[...ofColumns]
        .map(([column, few]): [string, number] => [column, sum(few).total])
        .filter(([, members]) => members !== 0)
        .map(([column, members]) => list.addToColumn(table, id, column, members)),
    ];
    return writes.map(write => ({ list: id, write }));
  });
}

const sum = (parts: Part[]) => ({
  total: parts.reduce((all, { total }) => all + total, 0),
  subscribed: parts.reduce((all, { subscribed }) => all + subscribed, 0),
});
