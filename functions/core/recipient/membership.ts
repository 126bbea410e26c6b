import { newRevision } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { fromItem, getAll, type Item, type Key, type Table, textOf } from '#core/storage/table.store.ts';
import {
  conditionCheck,
  deleteItem,
  insertItems,
  putWrite,
  unchanged,
  type Write,
} from '#core/storage/write.store.ts';
import { changed, type Metadata, type MetadataChange, wholeFaultOf } from '#shared/metadata.ts';
import { SUPPRESSED, type Suppression } from '#shared/suppression.ts';
import type { Entry, Mark, Source } from './journal.ts';
import { leftIndex, MEMBERSHIP, membersIndex, partitionOf, type RecipientKey } from './recipient.key.ts';

export type Membership = {
  list_id: string;
  email: string;
  status: 'subscribed' | 'unsubscribed';
  metadata: Metadata;
  created_at: string;
  updated_at: string;
  /** Where the last change of the subscription came from. */
  by?: Source;
  /** The number of the email by whose link it was changed; of no meaning after a change from elsewhere. */
  by_email?: number;
  /** The import that added them. Later imports do not change it. */
  added_by?: AddedBy;
  /** The last import that changed it. */
  import?: ImportMark;
  /** New with each write: the next write has it as condition. */
  revision: string;
};

export type AddedBy = {
  import: string;
  /** The number of the row in its file. */
  row: number;
  /** They had left the list as unsubscribed before. */
  was_unsubscribed?: true;
  /** The import starts nothing: automations are due by dates after this instant alone. See `isStarted`. */
  starts_after?: string;
  /** Undoing the import keeps them: something else has changed them, or another import has them too. */
  stays?: true;
};

/** By this mark, a repeated row of an import finds that it is done. */
type ImportMark = {
  id: string;
  row: number;
  /** The `updated_at` of that write. If the membership has a later one, something else has changed it since. */
  at: string;
};

/** Kept, so that who has unsubscribed is not subscribed by being added again, and an insert that arrives late fails. */
export type Left = {
  list_id: string;
  status: 'left';
  unsubscribed: boolean;
  updated_at: string;
  /** The import whose undoing ended it. */
  import?: string;
  revision: string;
};

export const memberNotFound = () => new Refusal('not-found', 'Member not found');

export type Unwritten = Omit<Membership, 'revision'>;

/** `membership`: undefined if it ends. */
export type Change = {
  membership: Unwritten | undefined;
  entry?: Omit<Entry, 'seq' | 'at'>;
  /** The mark for the email that led to the change, if it has none yet. */
  mark?: Mark;
  suppression?: Suppression;
  /** Overrides what is kept of a membership that ends. */
  left?: Pick<Left, 'unsubscribed' | 'import'>;
};

/** Undefined if nothing is known of the person. */
type Suppressible = { suppression?: Suppression } | undefined;
type NewMember = { email: string; is_subscribed?: boolean | undefined; metadata: Metadata };

/** Adding a person who unsubscribed, or whose address is suppressed, does not subscribe them. */
export const newMembership = (
  now: Date,
  list_id: string,
  { email, is_subscribed = true, metadata }: NewMember,
  { head, left }: { head: Suppressible; left: Left | undefined },
): Unwritten => ({
  list_id,
  email,
  status: is_subscribed && !left?.unsubscribed && !head?.suppression ? 'subscribed' : 'unsubscribed',
  metadata,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/** Undefined if it would change nothing. */
export function membershipChange(
  now: Date,
  { head, membership }: { head: Suppressible; membership: Membership | undefined },
  { is_subscribed, metadata }: { is_subscribed?: boolean | undefined; metadata?: MetadataChange | undefined },
  by: Source,
): Change | undefined {
  if (!membership) throw memberNotFound();
  const status =
    is_subscribed === undefined ? membership.status : is_subscribed ? 'subscribed' : 'unsubscribed';
  const after = metadata ? changed(membership.metadata, metadata) : membership.metadata;
  const fault = metadata && wholeFaultOf(after);
  if (fault) throw invalid('metadata', fault);
  const isOtherStatus = status !== membership.status;
  if (!isOtherStatus && isSame(after, membership.metadata)) return undefined;
  if (isOtherStatus && status === 'subscribed' && head?.suppression) {
    throw invalid('is_subscribed', SUPPRESSED[head.suppression]);
  }
  const { revision: _, ...kept } = membership;
  const changedStatus = { ...kept, status, metadata: after, updated_at: now.toISOString() };
  return {
    membership: isOtherStatus ? { ...changedStatus, by } : changedStatus,
    ...(isOtherStatus && { entry: { type: status, list_id: membership.list_id, by } }),
  };
}

export const byEmail = ({ membership, entry, ...change }: Change, seq: number): Change => ({
  ...change,
  membership: membership && { ...membership, by_email: seq },
  ...(entry && { entry: { ...entry, email: seq } }),
});

const isSame = (a: Metadata, b: Metadata) => {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && a[key] === b[key])
  );
};

/** Its entry has the instant at which the membership began. */
export function membershipEnd(membership: Membership | undefined, by: Source): Change {
  if (!membership) throw memberNotFound();
  const { list_id, created_at: since, added_by } = membership;
  const added = added_by && { import: added_by.import };
  return { membership: undefined, entry: { type: 'removed', list_id, since, by, ...added } };
}

export const membershipKey = (key: RecipientKey, listId: string): Key => ({
  PK: partitionOf(key),
  SK: `${MEMBERSHIP}${listId}`,
});

const toItem = (key: RecipientKey, membership: Membership | Left) => ({
  ...membershipKey(key, membership.list_id),
  ...membership,
  ...(membership.status === 'left'
    ? { GSI1PK: leftIndex(membership.list_id), GSI1SK: key.hash }
    : { GSI1PK: membersIndex(membership.list_id), GSI1SK: membership.email }),
});

export const newLeft = (list_id: string, unsubscribed: boolean, updated_at: string): Left => ({
  list_id,
  status: 'left',
  unsubscribed,
  updated_at,
  revision: newRevision(),
});

export const membershipOrLeft = (item: Item) =>
  item.status === 'left'
    ? { membership: undefined, left: fromItem<Left>(item) }
    : { membership: fromItem<Membership>(item), left: undefined };

/** Returns for each membership whether it was inserted: not if there is or was one already. */
export async function insertAll(
  table: Table,
  memberships: { key: RecipientKey; membership: Membership }[],
): Promise<boolean[]> {
  const items = memberships.map(({ key, membership }) => toItem(key, membership));
  const inserted = await insertItems(table, items);
  // After a lost answer, the item that is there is our own.
  const found = await getAll(
    table,
    items.filter((_, at) => !inserted[at]).map(({ PK, SK }) => ({ PK, SK })),
  );
  const own = new Map(found.map(item => [textOf(item as Item & Key), item.revision]));
  return items.map((item, at) => inserted[at] || own.get(textOf(item)) === item.revision);
}

/** Returns false if the item has changed since it was read, or if a transaction on it is under way. */
export async function deleteMembership(table: Table, { PK, SK, revision }: Key & Item): Promise<boolean> {
  try {
    return await deleteItem(table, { PK, SK }, unchanged({ revision }, ['revision']));
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionConflictException') return false;
    throw error;
  }
}

type Before = { membership: Membership | undefined; left: Left | undefined };

const asRead = ({ membership, left }: Before) => unchanged(membership ?? left, ['revision']);

/** Fails if the membership has changed since it was read. */
export const membershipWrite = (table: Table, key: RecipientKey, before: Before, after: Membership | Left) =>
  putWrite(table, toItem(key, after), asRead(before));

export const unchangedCheck = (table: Table, key: RecipientKey, before: Before, listId: string): Write =>
  conditionCheck(table, membershipKey(key, listId), asRead(before));
