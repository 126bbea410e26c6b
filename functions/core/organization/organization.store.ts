import { Refusal } from '#core/refusal.ts';
import type { Logo } from '#core/storage/logo.ts';
import {
  fromItem,
  get,
  getAll,
  getStored,
  type Item,
  type Key,
  query,
  queryPage,
  type Reading,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  type Condition,
  conditionCheck,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWith,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { Role } from '#shared/permissions.ts';
import type { SendingHours } from '#shared/sending-hours.ts';
import type { Stop } from './switches.ts';

export type StoredOrganization = Logo & {
  id: number;
  name: string;
  active: boolean;
  /** When it was last switched on. Emails that were due before are not sent. */
  active_since?: string;
  /** The time zone of its quiet hours, which its automations may use too; UTC if it has none. */
  time_zone?: string;
  /** Also earlier hours while they still matter: each applies from an instant on, oldest first. */
  hours?: Hours[];
  /** New with each change of the hours: the next change has it as condition. */
  hours_revision?: string;
  /** So many percent of its people get nothing. */
  holdout_percent?: number;
  /** Of all values. */
  currency?: string;
  stop?: Stop;
  created_at: string;
  deleted_at?: string;
  steps_dismissed_at?: string;
  simulated_at?: string;
  /** The version of the look that its lists inherit. */
  look?: string;
} & Partial<Record<Counted, number>>;
/** What the META item counts, in the transactions that create, change and delete it. */
export type Counted = 'lists' | 'members' | 'automations' | 'active_automations' | 'sequences' | 'broadcasts';
export type Hours = SendingHours & { since: string };
export type StoredMembership = { organization_id: number; user_id: string; role: Role; is_default: boolean };
export type Active = { organization: StoredOrganization; membership: StoredMembership };
export type StoredMember = { user_id: string; role: Role; since: string };

const COUNTER = { PK: 'COUNTER', SK: 'ORGANIZATION' };
const partition = (organization: number) => `ORG#${organization}`;
export const metaKey = (organization: number) => ({ PK: partition(organization), SK: 'META' });
export const memberKey = (organization: number, user: string) => ({
  PK: partition(organization),
  SK: `MEMBER#${user}`,
});
const ID_DIGITS = 15;
/** The number is padded, so that the organizations of a user sort by it. */
const membershipKey = (user: string, organization: number) => ({
  PK: `USER#${user}`,
  SK: `ORG#${String(organization).padStart(ID_DIGITS, '0')}`,
});

export const LIVING = { condition: 'attribute_exists(PK) AND attribute_not_exists(deleted_at)' };

/** The condition that it is not deleted, and that these fields are as they were read. */
export function livingAs(
  before: Partial<StoredOrganization>,
  fields: (keyof StoredOrganization)[],
): Condition {
  const same = unchanged(before, fields);
  return { ...same, condition: `${LIVING.condition} AND ${same.condition}` };
}

/** Returns a number that no other call gets. An unused number leaves a gap. */
export async function nextId(table: Table): Promise<number> {
  return (await updateItem(table, COUNTER, { add: { last_id: 1 } }))?.last_id as number;
}

export const skipIds = (table: Table, last_id: number) =>
  updateItem(
    table,
    COUNTER,
    { set: { last_id } },
    { condition: 'attribute_not_exists(last_id) OR last_id < :last', values: { ':last': last_id } },
  );

export const newestId = async (table: Table): Promise<number> =>
  ((await get(table, COUNTER))?.last_id as number | undefined) ?? 0;

export const createWrites = (
  table: Table,
  organization: StoredOrganization,
  owner: string,
  is_default: boolean,
): Write[] => [
  putWrite(table, { ...metaKey(organization.id), ...organization }, ABSENT),
  ...memberWrites(
    table,
    { organization_id: organization.id, user_id: owner, role: 'OWNER', is_default },
    organization.created_at,
  ),
];

export const organizationGone = () => new Refusal('not-found', 'This organization does not exist any more.');

/** A check for transactions that must not create anything in a deleted organization. */
export const aliveCheck = (table: Table, organization: number): Write =>
  conditionCheck(table, metaKey(organization), LIVING);

export function memberWrites(table: Table, membership: StoredMembership, since: string): Write[] {
  const { organization_id, user_id, role } = membership;
  return [
    putWrite(table, { ...memberKey(organization_id, user_id), user_id, role, since }, ABSENT),
    putWrite(table, { ...membershipKey(user_id, organization_id), ...membership }, ABSENT),
  ];
}

/** Reads the organization and the membership at once, so that a deleted organization has no members from that moment on. */
export async function readFor(
  table: Table,
  user: string,
  organization: number,
  others: Key[],
): Promise<{ active: Active; items: Item[] } | undefined> {
  const items = await getAll(table, [metaKey(organization), membershipKey(user, organization), ...others]);
  const itemOf = ({ PK, SK }: Key) => items.find(item => item.PK === PK && item.SK === SK);
  const [meta, membership] = [itemOf(metaKey(organization)), itemOf(membershipKey(user, organization))];
  if (!meta || !membership || meta.deleted_at) return undefined;
  const found = others.map(itemOf).filter(item => item !== undefined);
  return { active: { organization: fromItem(meta), membership: fromItem(membership) }, items: found };
}

export const memberships = (table: Table, user: string, after: number, most: number) =>
  pageAfter<StoredMembership>(table, membershipKey(user, after), 'ORG#', most);

export async function readMemberships(
  table: Table,
  wanted: Pick<StoredMembership, 'organization_id' | 'user_id'>[],
): Promise<StoredMembership[]> {
  const keys = wanted.map(({ organization_id, user_id }) => membershipKey(user_id, organization_id));
  return getStored(table, keys);
}

export const roleCheck = (table: Table, organization: number, user: string, roles: readonly Role[]): Write =>
  conditionCheck(table, membershipKey(user, organization), {
    condition: `#role IN (${roles.map((_, index) => `:role_${index}`).join(', ')})`,
    names: { '#role': 'role' },
    values: Object.fromEntries(roles.map((role, index) => [`:role_${index}`, role])),
  });

export const readAll = (table: Table, ids: number[], reading?: Reading): Promise<StoredOrganization[]> =>
  getStored(table, ids.map(metaKey), reading);

export const members = (table: Table, organization: number, after: string, most: number) =>
  pageAfter<StoredMember>(table, memberKey(organization, after), 'MEMBER#', most);

async function pageAfter<T>(table: Table, after: Key, prefix: string, most: number): Promise<T[]> {
  const question = {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
    ExpressionAttributeValues: { ':pk': after.PK, ':prefix': prefix },
    ExclusiveStartKey: after,
    ConsistentRead: true,
  };
  return (await query(table, question, { most })).map(fromItem<T>);
}

export const memberIn = (items: Item[], user: string) =>
  storedOf<StoredMember>(items.find(({ SK }) => SK === `MEMBER#${user}`));

export const readMember = async (table: Table, organization: number, user: string) =>
  storedOf<StoredMember>(await get(table, memberKey(organization, user)));

export const readMembers = (table: Table, organization: number, users: string[]): Promise<StoredMember[]> =>
  getStored(
    table,
    users.map(user => memberKey(organization, user)),
  );

type Change = Partial<Pick<StoredOrganization, 'name' | 'active' | 'active_since' | 'currency'>>;

/** Changes an organization in one transaction with the other writes. Returns undefined if it was changed, or is deleted. */
export async function change(
  table: Table,
  before: StoredOrganization,
  set: Change,
  others: Write[],
): Promise<StoredOrganization | undefined> {
  const only = livingAs(before, ['name', 'active', 'currency']);
  return storedOf(await updateWith(table, metaKey(before.id), { set }, only, others));
}

/** Without a version it has none. Returns undefined if it is deleted, or if another write fails. */
export async function changeLook(
  table: Table,
  id: number,
  look: string | undefined,
  others: Write[],
): Promise<StoredOrganization | undefined> {
  const fields = look ? { set: { look } } : { drop: ['look'] };
  return storedOf(await updateWith(table, metaKey(id), fields, LIVING, others));
}

/** Returns undefined if its condition does not hold. */
export const changeIf = async (
  table: Table,
  id: number,
  { set, only }: { set: Partial<StoredOrganization>; only: Condition },
  others: Write[],
) => storedOf<StoredOrganization>(await updateWith(table, metaKey(id), { set }, only, others));

/** Returns false if it is deleted, or if its sending was stopped or started since it was read. */
export async function changeStop(
  table: Table,
  { id, stop: before }: Pick<StoredOrganization, 'id' | 'stop'>,
  stop: Stop,
  others: Write[],
): Promise<boolean> {
  const only = livingAs({ stop: before }, ['stop']);
  return (await updateWith(table, metaKey(id), { set: { stop } }, only, others)) !== undefined;
}

/** Dismisses the first steps; without an instant they are shown again. Returns undefined if the organization is deleted. */
export const dismissSteps = (table: Table, id: number, at: string | undefined) =>
  updateItem(
    table,
    metaKey(id),
    at ? { set: { steps_dismissed_at: at } } : { drop: ['steps_dismissed_at'] },
    LIVING,
  );

/** Stores when the first automation was simulated. Later simulations do not change it. */
export const storeFirstSimulation = (table: Table, id: number, at: string) =>
  updateItem(
    table,
    metaKey(id),
    { set: { simulated_at: at } },
    { condition: `${LIVING.condition} AND attribute_not_exists(simulated_at)` },
  );

export const deletionWrite = (table: Table, id: number, at: string): Write =>
  updateWrite(table, metaKey(id), { set: { deleted_at: at } }, LIVING);

const NOT_OWNER = {
  condition: 'attribute_exists(PK) AND #role <> :owner',
  values: { ':owner': 'OWNER' },
  names: { '#role': 'role' },
};

/** They fail if the role was changed since it was read. */
export const roleWrites = (table: Table, id: number, { user_id, role: before }: StoredMember, role: Role) =>
  [memberKey(id, user_id), membershipKey(user_id, id)].map(key =>
    updateWrite(table, key, { set: { role } }, unchanged({ role: before }, ['role'])),
  );

export const memberDeleteWrites = (table: Table, id: number, user: string): Write[] => [
  deleteWrite(table, memberKey(id, user), NOT_OWNER),
  deleteWrite(table, membershipKey(user, id), PRESENT),
];

/** For a deleted organization: unlike `memberDeleteWrites`, it deletes its owner too. */
export const memberPurgeWrites = (table: Table, id: number, user: string): Write[] => [
  deleteWrite(table, memberKey(id, user), PRESENT),
  deleteWrite(table, membershipKey(user, id)),
];

export const memberPage = async (table: Table, id: number) => {
  const { items, more } = await queryPage(table, partition(id), 'MEMBER#');
  return { members: items as StoredMember[], more };
};

export const metaDeleteWrite = (table: Table, id: number): Write => deleteWrite(table, metaKey(id));
