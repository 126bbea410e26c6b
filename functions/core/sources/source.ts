import { isBroadcast } from '#core/id.ts';
import {
  deletePage,
  epochSeconds,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  type Condition,
  commit,
  conditionsHeld,
  definedFields,
  deleteWrite,
  putItem,
  putWrite,
  unchanged,
  updateItem,
  type Write,
} from '#core/storage/write.store.ts';
import { SWEPT_BACK } from '#core/timeouts.ts';

/** The column of the instant at which a member was added: the one without a name. */
export const ADDED = '';

/** Where the sweep looks for due emails. `since`: when it was written. */
export type Source = {
  organization: number;
  list: string;
  column: string;
  automation: string;
  since?: string;
};

const sweepOf = (organization: number) => partitionOf(shardOf(organization));

/** One item for each list of an active automation. */
export const sourceKey = (
  organization: number,
  list: string,
  column: string | null,
  automation: string,
): Key => ({ PK: sweepOf(organization), SK: `${organization}#${list}#${column ?? ADDED}#${automation}` });

/** `since`: the sweep may have passed that minute before the source was stored. `isForExisting`: it begins with a pass. */
export const sourceWrite = (table: Table, key: Key, since: Date, isForExisting = false): Write =>
  putWrite(table, { ...key, since: since.toISOString(), ...(isForExisting && { existing: '' }) });

/**
 * People whom a sweep by their dates does not find: see `runPasses`. It is part of the item of its source, and ends with that
 * when something is switched off. Only a broadcast has sources that are nothing else.
 */
export type Pass = Source & { since: string } & Place;

export type Place = {
  /** Those of the rows up to this one are queued. */
  after: string;
  /** The time zone whose rows are read: empty for those without one, absent for all rows together. */
  zone?: string | undefined;
  /** Those without a time zone are queued. */
  isPlainDone?: boolean | undefined;
  /** The minute before whose end there is nothing to do. */
  due?: string | undefined;
  /** The revision of the quiet hours by which the time zones have their order. */
  hours?: string | undefined;
  /** It goes on this many days later, at the same time, as the warm-up of its list left no more of the days before. */
  days?: number | undefined;
};

export function readPass({ SK, since, existing, zone, plain, due, hours, days }: Item): Pass | undefined {
  const source = readAny(String(SK));
  if (!source || existing === undefined) return undefined;
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  const isPlainDone = plain === true || undefined;
  const place = {
    after: String(existing),
    zone: text(zone),
    isPlainDone,
    due: text(due),
    hours: text(hours),
    days: days === undefined ? undefined : Number(days),
  };
  return { ...source, since: String(since), ...place };
}

const fieldsOf = ({ after, zone, isPlainDone, due, hours, days }: Place) => ({
  existing: after,
  zone,
  plain: isPlainDone || undefined,
  due,
  hours,
  days,
});
const FIELDS = ['existing', 'zone', 'plain', 'due', 'hours', 'days'];

const isAt = (pass: Pass): Condition =>
  unchanged({ since: pass.since, ...fieldsOf(pass) }, ['since', ...FIELDS]);

const passKey = ({ organization, list, column, automation }: Source) =>
  sourceKey(organization, list, column, automation);

/** Without a place, the pass is over. Returns false if it was moved or ended since it was read. */
export async function movePass(table: Table, pass: Pass, to: Place | undefined): Promise<boolean> {
  const set: Item = to ? definedFields(fieldsOf(to)) : {};
  const drop = FIELDS.filter(field => set[field] === undefined);
  return (await updateItem(table, passKey(pass), { set, drop }, isAt(pass))) !== undefined;
}

/** Of a source that is a pass alone. It fails if that was moved since it was read. */
export const passDeleteWrite = (table: Table, pass: Pass): Write =>
  deleteWrite(table, passKey(pass), isAt(pass));

/** For all sources of a list or a sequence that was switched on; without one, for those of the organization. */
export const switchedOnWrite = (
  table: Table,
  organization: number,
  of: string | undefined,
  since: Date,
): Write =>
  putWrite(table, {
    PK: sweepOf(organization),
    // The prefix of the sources, so that it is purged with them.
    SK: `${organization}#${of ?? ''}#ON`,
    since: since.toISOString(),
    // The sweep may have been paused since.
    ttl: epochSeconds(new Date(since.getTime() + SWEPT_BACK)),
  });

/** Since when an organization has a source that sends. `key` differs each time one is switched on. */
export type Start = { organization: number; since: Date; key: string };

export const readStart = ({ SK, since }: Item): Start | undefined =>
  since === undefined
    ? undefined
    : {
        organization: Number.parseInt(String(SK), 10),
        since: new Date(String(since)),
        key: `${SK} ${since}`,
      };

/** Undefined for another item of the partition. */
function readAny(SK: string): Source | undefined {
  const [organization = '', list = '', column = '', automation] = SK.split('#');
  return automation === undefined || !/^\d+$/.test(organization)
    ? undefined
    : { organization: Number(organization), list, column, automation };
}

/** Undefined also for that of a broadcast, which is a pass alone. */
export function readSource({ SK, since }: Item): Source | undefined {
  const source = readAny(String(SK));
  return source && !isBroadcast(source.automation) ? { ...source, since: String(since) } : undefined;
}

const sourceItems = (table: Table, organization: number, list: string) =>
  queryPartition(table, sweepOf(organization), `${organization}#${list}#`);

export const sourcesIn = async (table: Table, organization: number, list: string): Promise<Source[]> =>
  (await sourceItems(table, organization, list)).flatMap(item => readSource(item) ?? []);

/** The broadcasts that are still to pass over a list. */
export const broadcastsIn = async (table: Table, organization: number, list: string): Promise<string[]> =>
  (await sourceItems(table, organization, list)).flatMap(({ SK }) => {
    const automation = readAny(String(SK))?.automation ?? '';
    return isBroadcast(automation) ? [automation] : [];
  });

/** Deletes an unused source, on condition that it is still unused, and that no change has stored it again. */
export const deleteSource = (
  table: Table,
  { organization, list, column, automation, since }: Source,
  only: Write | undefined,
): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      deleteWrite(table, sourceKey(organization, list, column, automation), unchanged({ since }, ['since'])),
      ...(only ? [only] : []),
    ]),
  );

/** Returns true if there may be more. */
export const purgeSources = (table: Table, organization: number, list = '') =>
  deletePage(table, sweepOf(organization), `${organization}#${list && `${list}#`}`);

/** A shard has this many organizations, with consecutive numbers. One run at a time sweeps it. */
const ORGANIZATIONS = 1_000;
const DIGITS = 6;

export const shardOf = (organization: number) => Math.floor(organization / ORGANIZATIONS);

/** All that the sweep of a shard reads, in one query. */
export const partitionOf = (shard: number) => `SWEEP#${String(shard).padStart(DIGITS, '0')}`;

/** The first shard always exists; its partition has a marker for each other one. */
export const FIRST_SHARD = 0;
const MARKERS = 'SWEEP#000000';
/** The type of the event that has a shard swept. */
export const SHARD_EVENT = 'sweep.shard';
const MARKER = 'SHARD#';

/** Called before the organization is created, so that the sweep knows its shard. */
export async function markShard(table: Table, organization: number): Promise<void> {
  const shard = shardOf(organization);
  if (shard === FIRST_SHARD) return;
  await putItem(table, { PK: MARKERS, SK: `${MARKER}${shard}` }, ABSENT);
}

/** The shard that a sort key marks; undefined for another item. */
export const markedShard = (SK: string): number | undefined =>
  SK.startsWith(MARKER) ? Number(SK.slice(MARKER.length)) : undefined;
