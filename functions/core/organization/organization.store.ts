import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Role } from '../../../shared/organization.ts';
import { ABSENT, get, getAll, list, put, type Table, type Write } from '../table.store.ts';

export type StoredOrganization = { id: number; name: string; active: boolean; created_at: string };
export type Membership = { organization_id: number; role: Role; is_default: boolean };

const COUNTER = { PK: 'COUNTER', SK: 'ORGANIZATION' };
const metaKey = (organization: number) => ({ PK: `ORG#${organization}`, SK: 'META' });
const memberKey = (organization: number, user: string) => ({
  PK: `ORG#${organization}`,
  SK: `MEMBER#${user}`,
});
const membershipKey = (user: string, organization: number) => ({
  PK: `USER#${user}`,
  SK: `ORG#${organization}`,
});

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
  ...joining(table, organization.id, owner, 'OWNER', organization.created_at, is_default),
];

function joining(
  table: Table,
  organization: number,
  user: string,
  role: Role,
  since: string,
  is_default: boolean,
): Write[] {
  return [
    put(table, { ...memberKey(organization, user), user_id: user, role, since }, ABSENT),
    put(
      table,
      { ...membershipKey(user, organization), organization_id: organization, role, is_default },
      ABSENT,
    ),
  ];
}

export async function membership(
  table: Table,
  user: string,
  organization: number,
): Promise<Membership | undefined> {
  const item = await get(table, membershipKey(user, organization));
  return item && (item as Membership);
}

export async function memberships(table: Table, user: string): Promise<Membership[]> {
  return (await list(table, `USER#${user}`, 'ORG#')) as Membership[];
}

export async function readAll(table: Table, ids: number[]): Promise<StoredOrganization[]> {
  return (await getAll(table, ids.map(metaKey))) as StoredOrganization[];
}
