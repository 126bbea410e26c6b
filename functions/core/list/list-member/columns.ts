import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Counted } from '#shared/content-check.ts';
import type { ListMemberRow, MetadataColumns } from '#shared/list-member.ts';
import {
  changed,
  datetimesOf,
  entriesOf,
  type MetadataChange,
  type MetadataEntry,
  type MetadataValue,
} from '#shared/metadata.ts';
import { personName } from '#shared/person-name.ts';
import * as list from '../list.ts';
import * as store from './list-member.store.ts';

type Row = Pick<store.IndexRow, 'email' | 'status'>;
type More = Pick<ListMemberRow, 'metadata' | 'name' | 'suppression'>;

export async function moreOf(
  table: Table,
  of: list.CountedList,
  rows: Row[],
  columns: string[],
): Promise<(row: Row) => More> {
  const keyOf = ({ email }: Row) => recipientKey.keyOf(of.organization_id, email);
  const { memberships, suppressions } = await recipientStore.readRows(table, of.id, {
    members: columns.length > 0 ? rows.map(keyOf) : [],
    suppressed: rows.filter(({ status }) => status === 'unsubscribed').map(keyOf),
  });
  const chosen = (entries: MetadataEntry[]) => entries.filter(({ key }) => columns.includes(key));
  const metadata = new Map(memberships.map(one => [one.email, one.metadata]));
  return ({ email }) => ({
    ...(columns.length > 0 && {
      metadata: chosen(entriesOf(metadata.get(email) ?? {})),
      name: personName(metadata.get(email) ?? {}) ?? null,
    }),
    suppression: suppressions.get(recipientKey.hashOf(email)) ?? null,
  });
}

const SAMPLE = 100;

/** The keys of the members that are read, and the columns with dates, which the projector counts for all. */
export async function metadataColumns(
  { table }: { table: Table },
  of: list.CountedList,
): Promise<MetadataColumns> {
  const [members, dates] = await Promise.all([
    store.members(table, of.id, { limit: SAMPLE }),
    list.datetimeColumns({ table }, of),
  ]);
  const emails = members.map(({ email }) => email);
  const memberships = await recipientStore.memberships(
    table,
    emails.map(email => recipientKey.keyOf(of.organization_id, email)),
    of.id,
  );
  const all = memberships.map(({ metadata }) => metadata);
  const columns = [...new Set([...all.flatMap(Object.keys), ...dates.columns])].sort();
  const read = members.length;
  const total = Math.max(of.counts.total, read);
  return {
    columns,
    values: Object.fromEntries(columns.map(key => [key, usualValues(all.map(metadata => metadata[key]))])),
    searched: { members: read, of: total, complete: read === total },
  };
}

const MOST_USUAL = 10;
const LONGEST_USUAL = 60;

/** The most frequent ones first, without long texts. */
function usualValues(values: (MetadataValue | undefined)[]): string[] {
  const texts = values.map((value = '') => String(value).trim());
  return [...Map.groupBy(texts, text => text)]
    .filter(([text]) => text !== '' && text.length <= LONGEST_USUAL)
    .sort(([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1))
    .slice(0, MOST_USUAL)
    .map(([text]) => text);
}

/** Values are counted in the metadata of the first members, dates for all members. */
export async function valuesIn(
  { table }: { table: Table },
  of: list.CountedList,
  most: number,
): Promise<Counted> {
  const [members, { stats }] = await Promise.all([
    store.members(table, of.id, { limit: most }),
    list.datetimeColumns({ table }, of),
  ]);
  const keys = members.map(({ email }) => recipientKey.keyOf(of.organization_id, email));
  const memberships = await recipientStore.memberships(table, keys, of.id);
  const having = new Map<string, number>();
  for (const { metadata } of memberships) {
    for (const [column, value] of Object.entries(metadata)) {
      if (value !== '') having.set(column, (having.get(column) ?? 0) + 1);
    }
  }
  const lookedAt = memberships.length;
  return {
    // The projector may not have counted the newest members yet.
    members: members.length < most ? lookedAt : Math.max(of.counts.total, lookedAt),
    lookedAt,
    having: Object.fromEntries(having),
    dates: stats,
  };
}

export const dateColumnsIn = (metadata: MetadataChange): string[] =>
  datetimesOf(changed({}, metadata)).map(([column]) => column);
