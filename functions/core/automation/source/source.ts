import { ADDED } from '../../recipient/recipient/recipient.ts';
import { partitionOf, shardOf } from '../../sending/shard/shard.ts';
import { deletePage, type Key, queryPartition, type Table } from '../../storage/table.store.ts';
import { commit, conditionsHeld, deleteWrite, type Write } from '../../storage/write.store.ts';

/** Where the sweep looks for what is due: a list and its column of dates. */
export type Source = { organization: number; list: string; column: string; automation: string };

/** The partition of the sweep that an organization is in. */
const sweepOf = (organization: number) => partitionOf(shardOf(organization));

/** One item for each list of an active automation, nothing but its key. */
export const sourceKey = (
  organization: number,
  list: string,
  column: string | null,
  automation: string,
): Key => ({ PK: sweepOf(organization), SK: `${organization}#${list}#${column ?? ADDED}#${automation}` });

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
