import type { MetadataColumns } from '../../../shared/list-member.ts';
import {
  changed,
  datetimesOf,
  entriesOf,
  type MetadataChange,
  type MetadataEntry,
} from '../../../shared/metadata.ts';
import * as list from '../list/list.ts';
import * as recipient from '../recipient/recipient.ts';
import type { Table } from '../table.store.ts';
import * as store from './list-member.store.ts';

/** What the members of these addresses have in some columns of their metadata, by address: one request for 100 members. */
export async function columnsOf(
  table: Table,
  of: list.Found,
  emails: string[],
  columns: string[],
): Promise<Map<string, MetadataEntry[]>> {
  const memberships = await membershipsOf(table, of, emails);
  const chosen = (entries: MetadataEntry[]) => entries.filter(({ key }) => columns.includes(key));
  return new Map(memberships.map(({ email, metadata }) => [email, chosen(entriesOf(metadata))]));
}

const membershipsOf = (table: Table, of: list.Found, emails: string[]) => {
  const keys = emails.map(email => recipient.keyOf(of.organization_id, email));
  return recipient.memberships(table, keys, of.id);
};

const SAMPLE = 100;

/** The keys that some members have in their metadata, and those that hold dates, which are counted for all members. */
export async function metadataColumns({ table }: { table: Table }, of: list.Found): Promise<MetadataColumns> {
  const [members, dates] = await Promise.all([
    store.members(table, of.id, { limit: SAMPLE }),
    list.datetimeColumns({ table }, of),
  ]);
  const emails = members.map(({ email }) => email);
  const memberships = await membershipsOf(table, of, emails);
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
