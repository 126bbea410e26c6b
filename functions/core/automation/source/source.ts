import { ADDED } from '../../recipient/recipient/recipient.ts';
import { partitionOf, shardOf } from '../../sending/shard/shard.ts';
import { SWEPT_BACK } from '../../sending/times.ts';
import {
  deletePage,
  epochSeconds,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '../../storage/table.store.ts';
import { commit, conditionsHeld, deleteWrite, putWrite, type Write } from '../../storage/write.store.ts';

/** Where the sweep looks for what is due: a list and its column of dates. */
export type Source = { organization: number; list: string; column: string; automation: string };

/** The partition of the sweep that an organization is in. */
const sweepOf = (organization: number) => partitionOf(shardOf(organization));

/** One item for each list of an active automation. */
export const sourceKey = (
  organization: number,
  list: string,
  column: string | null,
  automation: string,
): Key => ({ PK: sweepOf(organization), SK: `${organization}#${list}#${column ?? ADDED}#${automation}` });

/** A source says since when it is there: the sweep may have passed that minute before it was stored. */
export const sourceWrite = (table: Table, key: Key, since: Date): Write =>
  putWrite(table, { ...key, since: since.toISOString() });

/** The same for the sources of a list that is switched on; without a list, for those of the organization. */
export const switchedOnWrite = (
  table: Table,
  organization: number,
  list: string | undefined,
  since: Date,
): Write =>
  putWrite(table, {
    PK: sweepOf(organization),
    // Purged with the sources.
    SK: `${organization}#${list ?? ''}#ON`,
    since: since.toISOString(),
    // The sweep may have rested since.
    ttl: epochSeconds(new Date(since.getTime() + SWEPT_BACK)),
  });

/** Since when an organization has something that sends, as an item of the sweep says. */
export type Start = { organization: number; since: Date };

export const readStart = ({ SK, since }: Item): Start | undefined =>
  since === undefined
    ? undefined
    : { organization: Number.parseInt(String(SK), 10), since: new Date(String(since)) };

/** What the sort key of a source says; undefined for another item of the sweep. */
export function readSource(SK: string): Source | undefined {
  const [organization = '', list = '', column = '', automation] = SK.split('#');
  return automation === undefined || !/^\d+$/.test(organization)
    ? undefined
    : { organization: Number(organization), list, column, automation };
}

/** The sources in a list. */
export const sourcesIn = async (table: Table, organization: number, list: string): Promise<Source[]> =>
  (await queryPartition(table, sweepOf(organization), `${organization}#${list}#`)).flatMap(
    ({ SK }) => readSource(String(SK)) ?? [],
  );

/** Deletes a source that nothing uses, on condition that this is still so. */
export const deleteSource = (table: Table, source: Source, only: Write | undefined): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      deleteWrite(table, sourceKey(source.organization, source.list, source.column, source.automation)),
      ...(only ? [only] : []),
    ]),
  );

/** Deletes some of the sources in a deleted organization, or in one of its lists; true where there may be more. */
export const purgeSources = (table: Table, organization: number, list = '') =>
  deletePage(table, sweepOf(organization), `${organization}#${list && `${list}#`}`);
