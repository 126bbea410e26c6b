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
  commit,
  conditionsHeld,
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

/** Where the sweep looks for due emails. */
export type Source = { organization: number; list: string; column: string; automation: string };
/** `since`: when it was stored last. */
export type StoredSource = Source & { since: string };

const sweepOf = (organization: number) => partitionOf(shardOf(organization));

/** One item for each list of an active automation. */
export const sourceKey = (
  organization: number,
  list: string,
  column: string | null,
  automation: string,
): Key => ({ PK: sweepOf(organization), SK: `${organization}#${list}#${column ?? ADDED}#${automation}` });

/** `since`: the sweep may have passed that minute before the source was stored. `isForExisting`: it has a pass. */
export const sourceWrite = (table: Table, key: Key, since: Date, isForExisting = false): Write =>
  putWrite(table, { ...key, since: since.toISOString(), ...(isForExisting && { existing: '' }) });

/**
 * People whose first email was due before `since` get it now: those of the rows up to `after` are queued. It is part of the
 * item of its source, and ends with that when something is switched off.
 */
export type Pass = Source & { since: string; after: string };

export function readPass({ SK, since, existing }: Item): Pass | undefined {
  const source = readSource(String(SK));
  return source && existing !== undefined
    ? { ...source, since: String(since), after: String(existing) }
    : undefined;
}

/** Without a row, the pass is over. Returns false if it was moved or ended since it was read. */
export async function movePass(table: Table, pass: Pass, after: string | undefined): Promise<boolean> {
  const { organization, list, column, automation, since } = pass;
  const fields = after === undefined ? { drop: ['existing'] } : { set: { existing: after } };
  const only = unchanged({ since, existing: pass.after }, ['since', 'existing']);
  const key = sourceKey(organization, list, column, automation);
  return (await updateItem(table, key, fields, only)) !== undefined;
}

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
export function readSource(SK: string): Source | undefined {
  const [organization = '', list = '', column = '', automation] = SK.split('#');
  return automation === undefined || !/^\d+$/.test(organization)
    ? undefined
    : { organization: Number(organization), list, column, automation };
}

export const sourcesIn = async (table: Table, organization: number, list: string): Promise<Source[]> =>
  (await queryPartition(table, sweepOf(organization), `${organization}#${list}#`)).flatMap(
    ({ SK }) => readSource(String(SK)) ?? [],
  );

/** Deletes an unused source, on condition that it is still unused, and that no change has stored it again. */
export const deleteSource = (
  table: Table,
  { organization, list, column, automation, since }: StoredSource,
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
