import { fromItem, type Item, query, type Table } from '#core/storage/table.store.ts';
import { ABSENT, PRESENT, putItem, updateItem } from '#core/storage/write.store.ts';
import type { Suppression } from '#shared/suppression.ts';
import { type Claim, type Entry, entryKey, JOURNAL } from './journal.store.ts';
import { type Membership, membershipOrLeft } from './membership.store.ts';
import { HEAD, MEMBERSHIP, partitionOf, peopleIndex, type RecipientKey } from './recipient.key.ts';

/** What a sender must know of a recipient: all in one query. */
export type Person = {
  hasHead: boolean;
  suppression: Suppression | undefined;
  /** By list. */
  memberships: Map<string, Membership>;
  /** Number and instant of the newest entry; 0 and an empty text if there is none. */
  last: { seq: number; at: string };
  /** The newest claims, back to an instant or until there were enough; without those that were released. */
  claims: Claim[];
};

type Reach = {
  /** Older claims do not matter. */
  since: Date;
  /** So many claims are enough. */
  enough: number;
  consistent: boolean;
};

// Room for the head and the memberships of most people, and for entries that are not claims.
const OTHERS = 4;
const MOST_AT_ONCE = 16;

export async function readPerson(
  table: Table,
  key: RecipientKey,
  { since, enough, consistent }: Reach,
): Promise<Person> {
  const from = since.toISOString();
  const items = await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK < :beyond',
      ExpressionAttributeValues: { ':pk': partitionOf(key), ':beyond': 'K' },
      ConsistentRead: consistent,
      Limit: Math.min(enough, MOST_AT_ONCE) + OTHERS,
    },
    {
      enough: read =>
        isEntry(read.at(-1)) && (String(read.at(-1)?.at) < from || claimsIn(read).length >= enough),
    },
  );
  const head = items.find(({ SK }) => SK === HEAD);
  const newest = items.find(isEntry);
  const memberships = items
    .filter(({ SK }) => String(SK).startsWith(MEMBERSHIP))
    .flatMap(item => membershipOrLeft(item).membership ?? []);
  return {
    hasHead: head !== undefined,
    suppression: head?.suppression as Suppression | undefined,
    memberships: new Map(memberships.map(membership => [membership.list_id, membership])),
    last: { seq: Number(newest?.seq ?? 0), at: String(newest?.at ?? '') },
    claims: claimsIn(items),
  };
}

const isEntry = (item: Item | undefined) => item !== undefined && String(item.SK).startsWith(JOURNAL);

const claimsIn = (items: Item[]): Claim[] =>
  items
    .filter(isEntry)
    .map(fromItem<Claim | Entry>)
    .filter((entry): entry is Claim => entry.type === 'send' && !('released' in entry));

/**
 * Appends a claim. Returns false if another entry has its number. A person without a head gets one before their first claim:
 * people are found by their heads, so nobody may have a journal without one.
 */
export async function writeClaim(
  table: Table,
  key: RecipientKey,
  claim: Claim,
  first: { email: string } | undefined,
): Promise<boolean> {
  if (first) {
    const head = {
      PK: partitionOf(key),
      SK: HEAD,
      email: first.email,
      GSI1PK: peopleIndex(key.organization),
      GSI1SK: first.email,
    };
    // If another process has put a head, the person may be suppressed or erased by now, so they are read again.
    if (!(await putItem(table, head, ABSENT))) return false;
  }
  return putItem(table, { ...entryKey(key, claim.seq), ...claim }, ABSENT);
}

/** Releases a claim. A repetition changes nothing. */
export const releaseClaim = (table: Table, key: RecipientKey, seq: number): Promise<unknown> =>
  updateItem(table, entryKey(key, seq), { set: { released: true } }, PRESENT);
