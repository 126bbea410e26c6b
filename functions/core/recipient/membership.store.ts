import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newRevision } from '#core/id.ts';
import { fromItem, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import {
  ABSENT,
  conditionCheck,
  deleteItem,
  putWrite,
  unchanged,
  type Write,
} from '#core/storage/write.store.ts';
import type { Metadata } from '#shared/metadata.ts';
import type { Source } from './journal.store.ts';
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

/**
 * A membership that has ended. The item stays, so that adding the person again does not subscribe them if they had
 * unsubscribed, and so that an insert which arrives late fails.
 */
export type Left = {
  list_id: string;
  status: 'left';
  unsubscribed: boolean;
  updated_at: string;
  /** The import whose undoing ended it. */
  import?: string;
  revision: string;
};

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

/** Returns false if there is or was a membership already. */
export async function insertMembership(
  table: Table,
  key: RecipientKey,
  membership: Membership,
): Promise<boolean> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: toItem(key, membership),
        ConditionExpression: ABSENT.condition,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A transaction on this very item is under way: the item exists, or will in a moment.
    if (error.name === 'TransactionConflictException') return false;
    if (error.name !== 'ConditionalCheckFailedException') throw error;
    // The SDK repeats a request whose answer was lost: then the item that it finds is our own.
    const { Item: stored } = error as { Item?: { revision?: { S?: string } } };
    return stored?.revision?.S === membership.revision;
  }
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

/** The same condition without a write. */
export const unchangedCheck = (table: Table, key: RecipientKey, before: Before, listId: string): Write =>
  conditionCheck(table, membershipKey(key, listId), asRead(before));
