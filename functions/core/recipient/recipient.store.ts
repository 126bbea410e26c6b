import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  fromItem,
  get,
  getAll,
  type Item,
  type Key,
  pages,
  query,
  type Reading,
  type Table,
} from '#core/storage/table.store.ts';
import { conditionCheck, updateWrite, type Write } from '#core/storage/write.store.ts';
import type { Suppression } from '#shared/suppression.ts';
import { CLICKS, type Claim, type Clicked, clickIn, type Entry, JOURNAL } from './journal.ts';
import { type Left, type Membership, membershipKey, membershipOrLeft } from './membership.ts';
import {
  HEAD,
  keyIn,
  MEMBERSHIP,
  ONCE,
  partitionOf,
  peopleIndex,
  type RecipientKey,
} from './recipient.key.ts';

export type Head = { email?: string; suppression?: Suppression; erased_at?: string };

export type State = {
  head: Head | undefined;
  membership: Membership | undefined;
  left: Left | undefined;
  /** Number of the newest journal entry; 0 if there is none. */
  seq: number;
  /** The newest entry says that the person was erased. */
  isErased: boolean;
};

export type MemberState = Omit<State, 'seq' | 'isErased'>;

export const headKey = (key: RecipientKey) => ({ PK: partitionOf(key), SK: HEAD });

function stateOf(items: Item[], listId: string): State {
  const head = items.find(({ SK }) => SK === HEAD);
  const member = items.find(({ SK }) => SK === `${MEMBERSHIP}${listId}`);
  const newest = items.find(({ SK }) => String(SK).startsWith(JOURNAL));
  return {
    head: head && fromItem<Head>(head),
    ...(member ? membershipOrLeft(member) : { membership: undefined, left: undefined }),
    seq: Number(newest?.seq ?? 0),
    isErased: newest?.type === 'erased',
  };
}

// A head, the memberships of most people, and the newest entry.
const FEW = 8;

export async function read(table: Table, key: RecipientKey, listId: string): Promise<State> {
  return stateOf(await readTop(table, key), listId);
}

const readTop = (table: Table, key: RecipientKey): Promise<Item[]> =>
  query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK < :beyond',
      ExpressionAttributeValues: { ':pk': partitionOf(key), ':beyond': 'K' },
      ConsistentRead: true,
      Limit: FEW,
    },
    { enough: items => String(items.at(-1)?.SK).startsWith(JOURNAL) },
  );

/** `left`: those that have ended. `isKnown`: the partition has any item. */
export async function readMemberships(table: Table, key: RecipientKey) {
  const items = await readTop(table, key);
  const all = items.filter(({ SK }) => String(SK).startsWith(MEMBERSHIP)).map(membershipOrLeft);
  const head = items.find(({ SK }) => SK === HEAD);
  return {
    isKnown: items.length > 0,
    head: head && fromItem<Head>(head),
    memberships: all.flatMap(({ membership }) => membership ?? []),
    left: all.flatMap(({ left }) => left ?? []),
  };
}

export async function readAll(
  table: Table,
  keys: RecipientKey[],
  listId: string,
): Promise<Map<string, MemberState>> {
  const items = await getAll(
    table,
    keys.flatMap(key => [headKey(key), membershipKey(key, listId)]),
  );
  const byPartition = Map.groupBy(items, ({ PK }) => PK as string);
  return new Map(keys.map(key => [key.hash, stateOf(byPartition.get(partitionOf(key)) ?? [], listId)]));
}

const UNSUPPRESSED = { condition: 'attribute_not_exists(suppression)' };

type HeadChange = { email: string; suppression?: Suppression | undefined; only?: 'unsuppressed' | undefined };

/** Puts the recipient into the index of people. */
export const headWrite = (table: Table, key: RecipientKey, { email, suppression, only }: HeadChange): Write =>
  updateWrite(
    table,
    headKey(key),
    { set: { email, suppression, GSI1PK: peopleIndex(key.organization), GSI1SK: email } },
    only && UNSUPPRESSED,
  );

export const unsuppressedCheck = (table: Table, key: RecipientKey): Write =>
  conditionCheck(table, headKey(key), UNSUPPRESSED);

/** Fails if there is no head, or if the address is suppressed already; but a complaint overrides a bounce. */
export const suppressionWrite = (table: Table, key: RecipientKey, suppression: Suppression): Write =>
  updateWrite(
    table,
    headKey(key),
    { set: { suppression } },
    suppression === 'complaint'
      ? {
          condition: 'attribute_exists(PK) AND (attribute_not_exists(suppression) OR suppression = :bounce)',
          values: { ':bounce': 'bounce' satisfies Suppression },
        }
      : { condition: 'attribute_exists(PK) AND attribute_not_exists(suppression)' },
  );

/** The journal of an erased person continues under the hash. */
export const eraseHeadWrite = (table: Table, key: RecipientKey, at: string): Write =>
  updateWrite(table, headKey(key), {
    set: { erased_at: at, GSI1PK: peopleIndex(key.organization), GSI1SK: `#${key.hash}` },
    drop: ['email'],
  });

// So many people or memberships are read and deleted together.
const INDEX_PAGE = 100;

export async function* indexPages(table: Table, partition: string): AsyncGenerator<Key[], void> {
  const found = pages(table, {
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :partition',
    ExpressionAttributeValues: { ':partition': partition },
    Limit: INDEX_PAGE,
  });
  for await (const items of found) {
    if (items.length > 0) yield items.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) }));
  }
}

export type InPartition = Key & Partial<Membership>;

// A person with more items is read again after these are deleted.
const MOST_ITEMS = 250;

/** `Partial<Membership>`: the fields from which trigger rows are computed. */
export const belowHead = async (table: Table, PK: string): Promise<InPartition[]> =>
  (await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK > :head',
      ExpressionAttributeNames: { '#list': 'list_id', '#metadata': 'metadata', '#created': 'created_at' },
      ExpressionAttributeValues: { ':pk': PK, ':head': HEAD },
      ProjectionExpression: 'PK, SK, #list, #metadata, #created',
      ConsistentRead: true,
    },
    { most: MOST_ITEMS },
  )) as InPartition[];

export async function memberships(
  table: Table,
  keys: RecipientKey[],
  list: string,
  reading?: Reading,
): Promise<(Key & Membership)[]> {
  const items = await getAll(
    table,
    keys.map(key => membershipKey(key, list)),
    reading,
  );
  return items.filter(({ status }) => status !== 'left') as (Key & Membership)[];
}

export async function readRows(
  table: Table,
  list: string,
  { members, suppressed }: { members: RecipientKey[]; suppressed: RecipientKey[] },
): Promise<{ memberships: Membership[]; suppressions: Map<string, Suppression | undefined> }> {
  const items = await getAll(table, [
    ...members.map(key => membershipKey(key, list)),
    ...suppressed.map(headKey),
  ]);
  const [heads, others] = [items.filter(isHead), items.filter(item => !isHead(item))];
  return {
    memberships: others.flatMap(item => membershipOrLeft(item).membership ?? []),
    suppressions: new Map(
      heads.map(({ PK, suppression }) => [keyIn(String(PK)).hash, suppression as Suppression | undefined]),
    ),
  };
}

const isHead = ({ SK }: Item) => SK === HEAD;

/** In the order of the sort keys. `last` is the last one, if there may be more. */
export type Part = {
  head: Head | undefined;
  memberships: Membership[];
  left: Left[];
  entries: (Entry | Claim)[];
  clicks: Clicked[];
  last: string | undefined;
};

const PAGE = 200;
const AFTER_JOURNAL = `${JOURNAL}~`;

// Longer than any sort key of the product, and shorter than what the table refuses.
const LONGEST_KEY = 100;

export const isLastOfPart = (text: string) =>
  text.length <= LONGEST_KEY && [MEMBERSHIP, JOURNAL, ONCE, CLICKS].some(prefix => text.startsWith(prefix));

/** What is older than their erasure is left out, even if it is not deleted yet. */
export async function readPart(table: Table, key: RecipientKey, after: string = HEAD): Promise<Part> {
  const [found, { Items = [], LastEvaluatedKey }] = await Promise.all([
    get(table, headKey(key)),
    table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk AND SK > :after',
        ExpressionAttributeValues: { ':pk': partitionOf(key), ':after': after },
        ConsistentRead: true,
        Limit: PAGE,
      }),
    ),
  ]);
  const items = Items as Item[];
  const head = found && fromItem<Head>(found);
  const { erased_at = '' } = head ?? {};
  const beginning = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const memberships = beginning(MEMBERSHIP).map(membershipOrLeft);
  const journal = beginning(JOURNAL).map(fromItem<Entry | Claim>);
  const erased = journal.findIndex(({ type }) => type === 'erased');
  const last = LastEvaluatedKey && String(LastEvaluatedKey.SK);
  return {
    head,
    memberships: memberships.flatMap(({ membership }) => membership ?? []),
    left: memberships.flatMap(({ left }) => left ?? []).filter(({ updated_at }) => updated_at > erased_at),
    entries: (erased < 0 ? journal : journal.slice(0, erased + 1)).filter(({ at }) => at >= erased_at),
    clicks: beginning(CLICKS)
      .map(clickIn)
      .filter(({ at }) => at > erased_at),
    last: erased >= 0 && last?.startsWith(JOURNAL) ? AFTER_JOURNAL : last,
  };
}
