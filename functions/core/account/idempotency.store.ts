import { deletePage, epochSeconds, fromItem, get, type Key, type Table } from '#core/storage/table.store.ts';
import { deleteItem, putItem, unchanged, updateItem } from '#core/storage/write.store.ts';

/** What is stored of a call with an Idempotency-Key: first that it is under way, then its response. */
export type Kept = {
  /** A hash of method, path and body. */
  fingerprint: string;
  /** Names the process that handles the call. */
  revision: string;
  /** The end of the lease of the process that handles the call. */
  busy_until: string;
  expires_at: string;
  status?: number;
  /** Encrypted; absent if it is too large. */
  answer?: Uint8Array;
};

const partition = (organization: number) => `ORG#${organization}#ANSWERS`;
const keyOf = (organization: number, key: string): Key => ({ PK: partition(organization), SK: key });

export async function read(table: Table, organization: number, key: string): Promise<Kept | undefined> {
  const item = await get(table, keyOf(organization, key));
  return item && fromItem<Kept>(item);
}

/**
 * Stores that a call is under way. Returns false if the key is stored already and has not expired, unless the process of
 * the same call has died.
 */
export const begin = (table: Table, organization: number, key: string, kept: Kept, now: Date) =>
  putItem(
    table,
    { ...keyOf(organization, key), ...kept, ttl: epochSeconds(new Date(kept.expires_at)) },
    {
      condition:
        'attribute_not_exists(PK) OR expires_at <= :now OR (attribute_not_exists(#status) AND busy_until <= :now AND fingerprint = :fingerprint)',
      names: { '#status': 'status' },
      values: { ':now': now.toISOString(), ':fingerprint': kept.fingerprint },
    },
  );

type Answered = Pick<Kept, 'status' | 'answer'>;

/** Stores the response. Does nothing if another process has taken over the call. */
export const end = (
  table: Table,
  organization: number,
  key: string,
  { revision }: Kept,
  answered: Answered,
) => updateItem(table, keyOf(organization, key), { set: answered }, unchanged({ revision }, ['revision']));

export const forget = (table: Table, organization: number, key: string, { revision }: Kept) =>
  deleteItem(table, keyOf(organization, key), unchanged({ revision }, ['revision']));

/** Deletes some of the stored calls of a deleted organization. Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
