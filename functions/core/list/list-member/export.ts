import * as record from '#core/organization/record.ts';
import { chunksOf } from '#core/parallel.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { ExportedMember, ListExportPage } from '#shared/export.ts';
import type { CountedList } from '../list.ts';
import * as store from './list-member.store.ts';

const PER_PAGE = 1_000;
const READ_AT_ONCE = 100;
// A response of Lambda has at most 6 MB, and holds the body as a JSON string within JSON. Members that are read at once may
// take 3.4 MB of it.
const MOST_BYTES = 1_500_000;

export async function exportPage(
  needs: record.Changing,
  of: CountedList,
  cursor: string | undefined,
): Promise<ListExportPage> {
  const { table } = needs;
  const { entry, after } = await record.exported(
    needs,
    of.organization_id,
    { kind: 'list', object: of },
    cursor,
  );
  const rows = await store.members(table, of.id, { after, limit: PER_PAGE + 1 });
  const data: ExportedMember[] = [];
  let [read, bytes]: [store.IndexRow | undefined, number] = [undefined, 0];
  for (const some of chunksOf(rows.slice(0, PER_PAGE), READ_AT_ONCE)) {
    const members = await membersOf(table, of, some);
    data.push(...members);
    read = some.at(-1);
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(members)));
    if (bytes > MOST_BYTES) break;
  }
  const isLast = read === undefined || read === rows.at(-1);
  return {
    data,
    total: of.counts.total,
    next_cursor: isLast || !read ? null : record.exportCursor(entry, read.email),
  };
}

/** The members of these rows. Leaves out members who have left since the index was read. */
async function membersOf(
  table: Table,
  { id, organization_id }: CountedList,
  rows: store.IndexRow[],
): Promise<ExportedMember[]> {
  const keyOf = ({ email }: store.IndexRow) => recipientKey.keyOf(organization_id, email);
  const { memberships, suppressions } = await recipientStore.readRows(table, id, {
    members: rows.map(keyOf),
    suppressed: rows.filter(({ status }) => status === 'unsubscribed').map(keyOf),
  });
  const byEmail = new Map(memberships.map(one => [one.email, one]));
  return rows.flatMap(({ email }) => {
    const member = byEmail.get(email);
    if (!member) return [];
    const { status, created_at, metadata } = member;
    const suppression = suppressions.get(recipientKey.hashOf(email)) ?? null;
    return [{ email, is_subscribed: status === 'subscribed', suppression, created_at, metadata }];
  });
}
