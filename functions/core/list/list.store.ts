import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Region } from '../../../shared/list.ts';
import type { Logo } from '../logo.ts';
import {
  ABSENT,
  getAll,
  type Item,
  ifHeld,
  list,
  PRESENT,
  put,
  remove,
  type Table,
  type Write,
} from '../table.store.ts';
import { type Counts, countsKey, NO_MEMBERS } from './counts.store.ts';

export type StoredList = Logo & {
  id: string;
  organization_id: number;
  name: string;
  domain: string;
  sender_name: string;
  sender_address: string;
  unsubscribe_text: string;
  active: boolean;
  created_at: string;
  region: Region;
  /** Encrypted, as is the other key. */
  sending_key?: string;
  signing_key?: string;
  connection?: { tested_at: string; valid: boolean };
};
export type CountedList = StoredList & { counts: Counts };

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({ PK: partition(organization), SK: `LIST#${id}` });

/** The list, and what it counts. */
export const keysOf = (organization: number, id: string) => [key(organization, id), countsKey(id)];

export function fromItems(items: Item[]): CountedList | undefined {
  const counts = items.find(({ SK }) => SK === 'COUNTS') as Counts | undefined;
  const found = items.find(({ SK }) => SK !== 'COUNTS') as StoredList | undefined;
  return found && { ...found, counts: counts ?? NO_MEMBERS };
}

/** The counts stand in a partition of the list's own: that nobody has it shows that the id is new. */
export const creation = (table: Table, created: StoredList): Write[] => [
  put(table, { ...key(created.organization_id, created.id), ...created }, ABSENT),
  put(table, { ...countsKey(created.id), ...NO_MEMBERS }, ABSENT),
];

export const read = async (table: Table, organization: number, id: string) =>
  fromItems(await getAll(table, keysOf(organization, id)));

export async function readAll(table: Table, organization: number): Promise<CountedList[]> {
  const lists = (await list(table, partition(organization), 'LIST#')) as StoredList[];
  const counts = await getAll(
    table,
    lists.map(({ id }) => countsKey(id)),
  );
  const byList = new Map(counts.map(item => [item.PK, item as unknown as Counts]));
  return lists.map(found => ({ ...found, counts: byList.get(countsKey(found.id).PK) ?? NO_MEMBERS }));
}

type Fields = Partial<Omit<StoredList, 'id' | 'organization_id'>>;
type Field = keyof Fields;

/** The list as it is after the change; undefined where it is gone, or is not any more as it was read in `provided`. */
export async function change(
  table: Table,
  before: StoredList,
  { set = {}, drop = [], provided = [] }: { set?: Fields; drop?: Field[]; provided?: Field[] },
): Promise<StoredList | undefined> {
  const values = Object.entries(set).filter(([, value]) => value !== undefined);
  const names = [...values.map(([field]) => field), ...drop, ...provided];
  const expression = [
    values.length > 0 && `SET ${values.map(([field]) => `#${field} = :${field}`).join(', ')}`,
    drop.length > 0 && `REMOVE ${drop.map(field => `#${field}`).join(', ')}`,
  ].filter(Boolean);
  const conditions = provided.map(field =>
    before[field] === undefined ? `attribute_not_exists(#${field})` : `#${field} = :before_${field}`,
  );
  const expected = provided
    .filter(field => before[field] !== undefined)
    .map(field => [`:before_${field}`, before[field]]);
  const written = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key(before.organization_id, before.id),
        UpdateExpression: expression.join(' '),
        ConditionExpression: [PRESENT.condition, ...conditions].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map(name => [`#${name}`, name])),
        ...(values.length + expected.length > 0 && {
          ExpressionAttributeValues: Object.fromEntries([
            ...values.map(([field, value]) => [`:${field}`, value]),
            ...expected,
          ]),
        }),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes as StoredList | undefined;
}

/** Fails where the list is gone, or has another logo by now: whoever purges it must know the file. */
export const deletion = (table: Table, { organization_id, id, logo }: StoredList): Write =>
  remove(
    table,
    key(organization_id, id),
    logo === undefined
      ? { condition: `${PRESENT.condition} AND attribute_not_exists(logo)` }
      : { condition: 'logo = :logo', values: { ':logo': logo } },
  );
