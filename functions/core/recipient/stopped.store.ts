import { deletePage, epochSeconds, query, type Table } from '#core/storage/table.store.ts';
import { putWrite, type Write } from '#core/storage/write.store.ts';
import { STOPPED_KEPT } from '#core/timeouts.ts';
import type { RecipientKey } from './recipient.key.ts';

const partition = (organization: number) => `ORG#${organization}#STOPPED`;

/**
 * The marker of a person whom a list, or all lists, may not mail any more. It is written in the transaction that ends their
 * subscription or suppresses them. So one query tells a sender who has claimed for a thousand people, or a process that has
 * added as many to a list, who of them was stopped since.
 */
export const stoppedWrite = (
  table: Table,
  { organization, hash }: RecipientKey,
  list: string,
  now: Date,
): Write =>
  putWrite(table, {
    PK: partition(organization),
    SK: `${now.toISOString()}#${hash}#${list}`,
    ttl: epochSeconds(new Date(now.getTime() + STOPPED_KEPT)),
  });

/** Who was stopped since an instant, by a list or by any. */
export async function stoppedSince(
  table: Table,
  organization: number,
  since: Date,
  list?: string,
): Promise<Set<string>> {
  const all = await allStoppedSince(table, organization, since);
  return new Set(all.flatMap(({ hash, list: of }) => (list === undefined || of === list ? [hash] : [])));
}

/** Who was stopped since an instant, and by which lists, as far back as markers are kept. */
export async function allStoppedSince(
  table: Table,
  organization: number,
  since: Date,
): Promise<{ hash: string; list: string }[]> {
  const items = await query(table, {
    KeyConditionExpression: 'PK = :pk AND SK >= :since',
    ExpressionAttributeValues: { ':pk': partition(organization), ':since': since.toISOString() },
    ProjectionExpression: 'SK',
    ConsistentRead: true,
  });
  return items.map(({ SK }) => {
    const [, hash = '', list = ''] = String(SK).split('#');
    return { hash, list };
  });
}

/** Deletes a page of the markers of a deleted organization. Returns true if there may be more. */
export const purgeStopped = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
