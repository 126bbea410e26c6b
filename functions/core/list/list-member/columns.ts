import type { ListMemberRow, MetadataColumns } from '../../../../shared/list-member.ts';
import {
  changed,
  datetimesOf,
  entriesOf,
  type MetadataChange,
  type MetadataEntry,
} from '../../../../shared/metadata.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import * as list from '../list/list.ts';
import * as store from './list-member.store.ts';

type Row = Pick<store.IndexRow, 'email' | 'status'>;
type More = Pick<ListMemberRow, 'metadata' | 'suppression'>;

/** What rows show that the index does not know: chosen columns of the metadata, and why somebody is suppressed. */
export async function moreOf(
  table: Table,
  of: list.CountedList,
  rows: Row[],
  columns: string[],
): Promise<(row: Row) => More> {
  const keyOf = ({ email }: Row) => recipient.keyOf(of.organization_id, email);
  const { memberships, suppressions } = await recipient.readRows(table, of.id, {
    members: columns.length > 0 ? rows.map(keyOf) : [],
    suppressed: rows.filter(({ status }) => status === 'unsubscribed').map(keyOf),
  });
  const chosen = (entries: MetadataEntry[]) => entries.filter(({ key }) => columns.includes(key));
  const metadata = new Map(memberships.map(one => [one.email, chosen(entriesOf(one.metadata))]));
  return ({ email }) => ({
    ...(columns.length > 0 && { metadata: metadata.get(email) ?? [] }),
    suppression: suppressions.get(recipient.hashOf(email)) ?? null,
  });
}

const SAMPLE = 100;

/** The keys that some members have in their metadata, and those that hold dates, which are counted for all members. */
export async function metadataColumns(
  { table }: { table: Table },
  of: list.CountedList,
): Promise<MetadataColumns> {
  const [members, dates] = await Promise.all([
    store.members(table, of.id, { limit: SAMPLE }),
    list.datetimeColumns({ table }, of),
  ]);
  const emails = members.map(({ email }) => email);
  const memberships = await recipient.memberships(
    table,
    emails.map(email => recipient.keyOf(of.organization_id, email)),
    of.id,
  );
  const keys = memberships.flatMap(({ metadata }) => Object.keys(metadata));
  const read = members.length;
  const total = Math.max(of.counts.total, read);
  return {
    columns: [...new Set([...keys, ...dates.columns])].sort(),
    searched: { members: read, of: total, complete: read === total },
  };
}

/** The columns in which a member gets a date. */
export const dateColumnsIn = (metadata: MetadataChange): string[] =>
  datetimesOf(changed({}, metadata)).map(([column]) => column);
