import { STOPPED_KEPT } from '../../sending/times.ts';
import { deletePage, epochSeconds, query, type Table } from '../../storage/table.store.ts';
import { putWrite, type Write } from '../../storage/write.store.ts';
import type { RecipientKey } from './recipient.key.ts';

const partition = (organization: number) => `ORG#${organization}#STOPPED`;

/**
 * A person whom a list, or all lists, may not mail any more: written with the change of their membership or with their
 * suppression, so that a sender who has claimed emails for a thousand people, or a process that has added as many to a list,
 * sees with one query who of them was stopped since.
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

/** The same of all lists, as far back as it is kept. */
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

/** Deletes some of this of a deleted organization; true where there may be more. */
export const purgeStopped = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
