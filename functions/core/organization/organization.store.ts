import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Role } from '../../../shared/organization.ts';
import type { Logo } from '../logo.ts';
import {
  ABSENT,
  check,
  commit,
  fromItem,
  getAll,
  type Item,
  ifHeld,
  type Key,
  list,
  PRESENT,
  page,
  put,
  remove,
  type Table,
  update,
  type Write,
} from '../table.store.ts';

export type StoredOrganization = Logo & {
  id: number;
  name: string;
  active: boolean;
  created_at: string;
  deleted_at?: string;
};
export type StoredMembership = { organization_id: number; user_id: string; role: Role; is_default: boolean };
export type StoredMember = { user_id: string; role: Role; since: string };

const COUNTER = { PK: 'COUNTER', SK: 'ORGANIZATION' };
const partition = (organization: number) => `ORG#${organization}`;
export const metaKey = (organization: number) => ({ PK: partition(organization), SK: 'META' });
const memberKey = (organization: number, user: string) => ({
  PK: partition(organization),
  SK: `MEMBER#${user}`,
});
const membershipKey = (user: string, organization: number) => ({
  PK: `USER#${user}`,
  SK: `ORG#${organization}`,
});

const LIVING = { condition: 'attribute_exists(PK) AND attribute_not_exists(deleted_at)' };

/** A number of its own for each caller; one that is not used in the end leaves a gap. */
export async function nextId(table: Table): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: COUNTER,
      UpdateExpression: 'ADD last_id :one',
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Attributes?.last_id as number;
}

export const founding = (
  table: Table,
  organization: StoredOrganization,
  owner: string,
  is_default: boolean,
): Write[] => [
  put(table, { ...metaKey(organization.id), ...organization }, ABSENT),
  ...entry(
    table,
    { organization_id: organization.id, user_id: owner, role: 'OWNER', is_default },
    organization.created_at,
  ),
];

/** Fails where the organization is deleted meanwhile, or has this member already. */
export const joining = (table: Table, membership: StoredMembership, since: string): Write[] => [
  alive(table, membership.organization_id),
  ...entry(table, membership, since),
];

/** For a transaction that must not outlive the organization it is about. */
export const alive = (table: Table, organization: number): Write =>
  check(table, metaKey(organization), LIVING);

function entry(table: Table, membership: StoredMembership, since: string): Write[] {
  const { organization_id, user_id, role } = membership;
  return [
    put(table, { ...memberKey(organization_id, user_id), user_id, role, since }, ABSENT),
    put(table, { ...membershipKey(user_id, organization_id), ...membership }, ABSENT),
  ];
}

/** All in one read, so that a deleted organization has no members from that moment on. */
export async function readFor(
  table: Table,
  user: string,
  organization: number,
  also: Key[],
): Promise<{ organization: StoredOrganization; membership: StoredMembership; also: Item[] } | undefined> {
  const keys = [metaKey(organization), membershipKey(user, organization), ...also];
  const items = await getAll(table, keys);
  const [meta, membership, ...rest] = keys.map(({ PK, SK }) =>
    items.find(item => item.PK === PK && item.SK === SK),
  );
  if (!meta || !membership || meta.deleted_at) return undefined;
  return {
    organization: meta as StoredOrganization,
    membership: membership as StoredMembership,
    also: rest.filter(item => item !== undefined),
  };
}

export async function memberships(table: Table, user: string): Promise<StoredMembership[]> {
  return (await list(table, `USER#${user}`, 'ORG#')) as StoredMembership[];
}

export async function readAll(table: Table, ids: number[]): Promise<StoredOrganization[]> {
  return (await getAll(table, ids.map(metaKey))) as StoredOrganization[];
}

export async function members(table: Table, organization: number): Promise<StoredMember[]> {
  return (await list(table, partition(organization), 'MEMBER#')) as StoredMember[];
}

type Change = { name?: string | undefined; active?: boolean | undefined };

/** The organization as it is after the change; undefined where it is gone. */
export async function change(
  table: Table,
  id: number,
  { name, active }: Change,
): Promise<StoredOrganization | undefined> {
  const set = Object.entries({ name, active }).filter(([, value]) => value !== undefined);
  const written = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: metaKey(id),
        UpdateExpression: `SET ${set.map(([field]) => `#${field} = :${field}`).join(', ')}`,
        ConditionExpression: LIVING.condition,
        ExpressionAttributeNames: Object.fromEntries(set.map(([field]) => [`#${field}`, field])),
        ExpressionAttributeValues: Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes && fromItem(written.Attributes);
}

export const deletion = (table: Table, id: number, at: string): Write =>
  update(table, metaKey(id), 'SET deleted_at = :at', { ':at': at }, LIVING);

// The owner keeps their role whatever comes at once.
const NOT_OWNER = {
  condition: 'attribute_exists(PK) AND #role <> :owner',
  values: { ':owner': 'OWNER' },
  names: { '#role': 'role' },
};

export const changeRole = (table: Table, id: number, user: string, role: Role) =>
  commit(
    table,
    [memberKey(id, user), membershipKey(user, id)].map(key =>
      update(table, key, 'SET #role = :role', { ':role': role }, NOT_OWNER),
    ),
  );

export const removeMember = (table: Table, id: number, user: string) =>
  commit(table, [
    remove(table, memberKey(id, user), NOT_OWNER),
    remove(table, membershipKey(user, id), PRESENT),
  ]);

/** A part of what is left of a deleted organization's members, and whether there may be more. */
export async function eraseMembers(table: Table, id: number): Promise<boolean> {
  const found = await page(table, partition(id), 'MEMBER#');
  for (const { user_id } of found.items as StoredMember[]) {
    await commit(table, [remove(table, memberKey(id, user_id)), remove(table, membershipKey(user_id, id))]);
  }
  return found.more;
}

export const eraseMeta = (table: Table, id: number): Write => remove(table, metaKey(id));
