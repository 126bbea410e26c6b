import { createHash, randomBytes } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Suppression } from '../../../shared/list-member.ts';
import type { Metadata } from '../../../shared/metadata.ts';
import {
  ABSENT,
  check,
  getAll,
  type Item,
  type Key,
  put,
  query,
  type Table,
  type Write,
} from '../table.store.ts';

/** A person within an organization: all that is known of them lies in one partition. */
export type Person = { organization: number; hash: string };

export type Status = 'subscribed' | 'unsubscribed';
/** A membership of a list. `revision` is another one after each write, so that no two writers undo each other. */
export type Membership = {
  list_id: string;
  email: string;
  status: Status;
  metadata: Metadata;
  created_at: string;
  updated_at: string;
  /** Who unsubscribed or subscribed them last. */
  by?: Source;
  revision: string;
};
/**
 * What stays of whoever was removed. Where they had unsubscribed, adding them does not subscribe them again; and a
 * membership of the same key is never new twice, so a writer that comes late finds that it is.
 */
export type Left = {
  list_id: string;
  status: 'left';
  unsubscribed: boolean;
  updated_at: string;
  revision: string;
};

export type Head = { email?: string; suppression?: Suppression; erased_at?: string };

/** Where a change came from. */
export type Source = 'app' | 'api';
export const ENTRY_TYPES = ['subscribed', 'unsubscribed', 'removed', 'erased'] as const;
/** An event of a person's journal: numbered without gaps, never changed, and without anything personal. */
export type Entry = {
  seq: number;
  type: (typeof ENTRY_TYPES)[number];
  at: string;
  list_id?: string;
  by?: Source;
  /** With `removed`: when they had been added. */
  since?: string;
};

/** What one partition says of one membership. */
export type State = {
  head: Head | undefined;
  membership: Membership | undefined;
  left: Left | undefined;
  /** Number of the newest entry; 0 where there is none. */
  seq: number;
};

// 128 bits: no two addresses of an organization ever share one.
const HASH_BYTES = 16;
export const hashOf = (email: string) =>
  createHash('sha256').update(email).digest().subarray(0, HASH_BYTES).toString('base64url');

export const isHash = (text: string) => /^[\w-]{22}$/.test(text);

export const newRevision = () => randomBytes(6).toString('base64url');

const partition = ({ organization, hash }: Person) => `R#${organization}#${hash}`;
const headKey = (person: Person) => ({ PK: partition(person), SK: 'HEAD' });
const membershipKey = (person: Person, list: string) => ({ PK: partition(person), SK: `IN#${list}` });
// Inverted, so that the newest entry stands first.
const HIGHEST = 9_999_999_999;
const JOURNAL = 'J#';
const entryKey = (person: Person, seq: number) => ({
  PK: partition(person),
  SK: `${JOURNAL}${String(HIGHEST - seq).padStart(10, '0')}`,
});

const isLeft = (item: Item): boolean => item.status === 'left';

function stateOf(items: Item[], list: string): State {
  const standing = items.find(({ SK }) => SK === `IN#${list}`);
  return {
    head: items.find(({ SK }) => SK === 'HEAD') as Head | undefined,
    membership: standing && !isLeft(standing) ? (standing as Membership) : undefined,
    left: standing && isLeft(standing) ? (standing as Left) : undefined,
    seq: (items.find(({ SK }) => String(SK).startsWith(JOURNAL))?.seq as number | undefined) ?? 0,
  };
}

// A head, the memberships of most people, and the newest entry.
const FEW = 8;
const MANY = 200;

/** One query from the head to the newest entry of the journal. */
export async function read(table: Table, person: Person, list: string): Promise<State> {
  const items = await top(table, person);
  return stateOf(items, list);
}

/** Head, memberships and the newest entry. */
export const top = (table: Table, person: Person): Promise<Item[]> =>
  query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK < :beyond',
      ExpressionAttributeValues: { ':pk': partition(person), ':beyond': 'K' },
      ConsistentRead: true,
      Limit: FEW,
    },
    { enough: items => String(items.at(-1)?.SK).startsWith(JOURNAL) },
  );

/** Head and membership of many at once, without their journals. */
export async function readSome(
  table: Table,
  people: Person[],
  list: string,
): Promise<Map<string, Omit<State, 'seq'>>> {
  const items = await getAll(
    table,
    people.flatMap(person => [headKey(person), membershipKey(person, list)]),
  );
  const byPartition = Map.groupBy(items, ({ PK }) => PK as string);
  return new Map(
    people.map(person => [person.hash, stateOf(byPartition.get(partition(person)) ?? [], list)]),
  );
}

const peopleOf = (organization: number) => `ORG#${organization}`;

const membershipItem = (person: Person, membership: Membership) => ({
  ...membershipKey(person, membership.list_id),
  ...membership,
  GSI1PK: `LIST#${membership.list_id}`,
  GSI1SK: membership.email,
});

const asRead = ({ membership, left }: State) => {
  const revision = (membership ?? left)?.revision;
  return revision === undefined ? ABSENT : { condition: 'revision = :read', values: { ':read': revision } };
};

/** False where the person is, or once was, in the list: then it depends on what stands there. */
export async function enter(table: Table, person: Person, membership: Membership): Promise<boolean> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: membershipItem(person, membership),
        ConditionExpression: ABSENT.condition,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Somebody else's transaction is writing this very membership: it is there, or will be in a moment.
    if (error.name === 'TransactionConflictException') return false;
    if (error.name !== 'ConditionalCheckFailedException') throw error;
    // The client repeats a call whose answer was lost: then it is our own membership that stands there.
    const { Item: there } = error as { Item?: { revision?: { S?: string } } };
    return there?.revision?.S === membership.revision;
  }
}

/** A membership as it is to stand from now on, on condition that it is as it was read. */
export const standing = (table: Table, person: Person, before: State, after: Membership | Left): Write =>
  put(
    table,
    after.status === 'left'
      ? { ...membershipKey(person, after.list_id), ...after }
      : membershipItem(person, after),
    asRead(before),
  );

/** Fails where the membership is not as it was read. */
export const asItWas = (table: Table, person: Person, before: State, list: string): Write =>
  check(table, membershipKey(person, list), asRead(before));

/** The next entry: whoever else appends at the same time finds its number taken. */
export const append = (table: Table, person: Person, entry: Entry): Write =>
  put(table, { ...entryKey(person, entry.seq), ...entry }, ABSENT);

const UNSUPPRESSED = { condition: 'attribute_not_exists(suppression)' };

/** The head knows the address of whoever has a journal, and stands in the index of the organization's people. */
export const naming = (table: Table, person: Person, email: string, only?: 'unsuppressed'): Write => ({
  Update: {
    TableName: table.name,
    Key: headKey(person),
    UpdateExpression: 'SET email = :email, GSI1PK = :people, GSI1SK = :email',
    ExpressionAttributeValues: { ':email': email, ':people': peopleOf(person.organization) },
    ...(only && { ConditionExpression: UNSUPPRESSED.condition }),
  },
});

export const unsuppressed = (table: Table, person: Person): Write =>
  check(table, headKey(person), UNSUPPRESSED);

/** Takes the address away; the hash stays, under which an erased person's journal goes on. */
export const forgetting = (table: Table, person: Person, at: string): Write => ({
  Update: {
    TableName: table.name,
    Key: headKey(person),
    UpdateExpression: 'SET erased_at = :at, GSI1PK = :people, GSI1SK = :erased REMOVE email',
    ExpressionAttributeValues: {
      ':at': at,
      ':people': peopleOf(person.organization),
      ':erased': `#${person.hash}`,
    },
  },
});

/** The newest entries that concern one list, not older than the given instant. */
export async function journal(
  table: Table,
  person: Person,
  { list_id, since, most }: { list_id: string; since: string; most: number },
): Promise<Entry[]> {
  const isWanted = (item: Item) => item.list_id === list_id && String(item.at) >= since;
  const items = await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :journal)',
      ExpressionAttributeValues: { ':pk': partition(person), ':journal': JOURNAL },
      ConsistentRead: true,
      Limit: MANY,
    },
    { enough: read => String(read.at(-1)?.at) < since || read.filter(isWanted).length >= most },
  );
  return items.filter(isWanted).slice(0, most) as Entry[];
}

/** Some of the people of an organization who have a journal, and whether there are more. */
export async function people(
  table: Table,
  organization: number,
): Promise<{ found: Person[]; more: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :people',
      ExpressionAttributeValues: { ':people': peopleOf(organization) },
      Limit: 25,
    }),
  );
  const found = Items.map(({ PK }) => ({ organization, hash: String(PK).split('#')[2] ?? '' }));
  return { found, more: LastEvaluatedKey !== undefined };
}

export type InPartition = Key & Partial<Membership>;

/** So many items from the end of a person's partition: journal, memberships, and the head last of all. */
export const lastItems = async (table: Table, person: Person, most: number) =>
  (await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': partition(person) },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
    { most },
  )) as InPartition[];

/** The memberships of a list that some people have. */
export async function memberships(table: Table, people: Person[], of: string): Promise<InPartition[]> {
  const items = await getAll(
    table,
    people.map(person => membershipKey(person, of)),
  );
  return items.filter(item => !isLeft(item)) as InPartition[];
}
