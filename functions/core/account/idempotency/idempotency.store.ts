import { deletePage, epochSeconds, fromItem, get, type Key, type Table } from '../../storage/table.store.ts';
import { deleteItem, putItem, unchanged, updateItem } from '../../storage/write.store.ts';

/** What is kept of a call with an Idempotency-Key: first that it is under way, then what was answered. */
export type Kept = {
  /** Of method, path and body. */
  fingerprint: string;
  /** Of the process that answers it. */
  revision: string;
  /** Until then a process may be answering it. */
  busy_until: string;
  expires_at: string;
  status?: number;
  /** Encrypted; absent where it was too large. */
  answer?: Uint8Array;
};

const partition = (organization: number) => `ORG#${organization}#ANSWERS`;
const keyOf = (organization: number, key: string): Key => ({ PK: partition(organization), SK: key });

export async function read(table: Table, organization: number, key: string): Promise<Kept | undefined> {
  const item = await get(table, keyOf(organization, key));
  return item && fromItem<Kept>(item);
}

/** False where there is one that has not expired, unless its process has died with the same call. */
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

/** Does nothing where another process has taken it for dead. */
export const end = (
  table: Table,
  organization: number,
  key: string,
  { revision }: Kept,
  answered: Answered,
) => updateItem(table, keyOf(organization, key), { set: answered }, unchanged({ revision }, ['revision']));

export const forget = (table: Table, organization: number, key: string, { revision }: Kept) =>
  deleteItem(table, keyOf(organization, key), unchanged({ revision }, ['revision']));

/** Deletes some of the answers of a deleted organization; true where there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
