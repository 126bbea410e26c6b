import {
  type AssignableRole,
  LOGO_TOO_LARGE,
  LOGO_TYPES,
  type Member,
  MOST_LOGO_BYTES,
  NOT_AN_IMAGE,
  type Organization,
  type OrganizationChange,
  ROLES,
} from '../../../shared/organization.ts';
import { mayTouch } from '../../../shared/permissions.ts';
import { type ImageRules, readLogo } from '../image.ts';
import * as logo from '../logo.ts';
import type { Objects } from '../objects.ts';
import * as purge from '../purge/purge.ts';
import { Refusal } from '../refusal.ts';
import { commit, held, type Item, type Key, type Table, type Write } from '../table.store.ts';
import * as user from '../user/user.ts';
import * as store from './organization.store.ts';

export { alive, eraseMembers, eraseMeta, joining, type StoredMembership } from './organization.store.ts';

type Needs = { table: Table; now: Date };

/** An organization as one of its members acts in it. */
export type Active = { organization: store.StoredOrganization; membership: store.StoredMembership };

/** The writes that found an organization: a newcomer's first one is their default. */
export async function founding(
  { table, now }: Needs,
  owner: string,
  name: string,
  is_default: boolean,
): Promise<{ organization: Organization; writes: Write[] }> {
  const organization = { id: await store.nextId(table), name, active: true, created_at: now.toISOString() };
  return {
    organization: shown(organization, { role: 'OWNER', is_default }),
    writes: store.founding(table, organization, owner, is_default),
  };
}

export async function create(needs: Needs, owner: string, name: string): Promise<Organization> {
  const { organization, writes } = await founding(needs, owner, name, false);
  await commit(needs.table, writes);
  return organization;
}

/** Undefined where the user is no member, or the organization is gone. What else is to be known is read along. */
export const activeFor = (
  { table }: { table: Table },
  userId: string,
  id: number,
  also: Key[] = [],
): Promise<(Active & { also: Item[] }) | undefined> => store.readFor(table, userId, id, also);

/** The number of the organization that a user acts in where they name none. */
export async function defaultOf({ table }: { table: Table }, userId: string): Promise<number | undefined> {
  return (await store.memberships(table, userId)).find(({ is_default }) => is_default)?.organization_id;
}

/** The organizations of a user, their default first, then in the order they were founded. */
export async function listOf({ table }: { table: Table }, userId: string): Promise<Organization[]> {
  const memberships = await store.memberships(table, userId);
  const organizations = await findAll(
    { table },
    memberships.map(({ organization_id }) => organization_id),
  );
  const living = new Map(organizations.map(found => [found.id, found]));
  return memberships
    .flatMap(membership => {
      const found = living.get(membership.organization_id);
      return found ? [shown(found, membership)] : [];
    })
    .sort((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id);
}

/** Those of them that exist. */
export async function findAll(
  { table }: { table: Table },
  ids: number[],
): Promise<store.StoredOrganization[]> {
  return (await store.readAll(table, ids)).filter(({ deleted_at }) => !deleted_at);
}

export async function change(
  { table }: { table: Table },
  active: Active,
  to: OrganizationChange,
): Promise<Organization> {
  const { name, active: isActive } = to;
  if (name === undefined && isActive === undefined) return shown(active.organization, active.membership);
  return shown(
    known(await store.change(table, active.organization.id, { name, active: isActive })),
    active.membership,
  );
}

const LOGO: ImageRules = {
  types: LOGO_TYPES,
  mostBytes: MOST_LOGO_BYTES,
  wrongType: NOT_AN_IMAGE,
  tooLarge: LOGO_TOO_LARGE,
};

export async function changeLogo(
  needs: { table: Table; objects: Objects },
  { organization, membership }: Active,
  dataUrl: string | null,
): Promise<Organization> {
  const image = dataUrl === null ? undefined : readLogo(dataUrl, LOGO);
  const { id } = organization;
  const change = { organization: id, key: store.metaKey(id), before: organization, image };
  return shown({ ...organization, ...known(await logo.changeLogo(needs, change)) }, membership);
}

/** From this write on nobody is a member any more; what is left is purged in the background. */
export async function remove({ table, now }: Needs, { organization, membership }: Active): Promise<void> {
  if (membership.is_default) {
    throw new Refusal('forbidden', 'The default organization cannot be deleted.');
  }
  await expecting(
    commit(table, [
      store.deletion(table, organization.id, now.toISOString()),
      purge.request(table, { organization_id: organization.id }, now),
    ]),
    'This organization does not exist any more.',
  );
}

export async function members({ table }: { table: Table }, { organization }: Active): Promise<Member[]> {
  const entries = await store.members(table, organization.id);
  const users = new Map(
    (
      await user.findAll(
        { table },
        entries.map(({ user_id }) => user_id),
      )
    ).map(u => [u.id, u]),
  );
  return entries
    .flatMap(({ user_id, role }) => {
      const found = users.get(user_id);
      return found
        ? [{ id: user_id, name: found.name, email: found.email, role, is_owner: role === 'OWNER' }]
        : [];
    })
    .sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || a.email.localeCompare(b.email));
}

const GONE = 'This person is no member of the organization any more.';

/** A member whom the caller may change or remove. */
export async function memberToTouch(
  needs: { table: Table },
  active: Active,
  memberId: string,
): Promise<Member> {
  const member = (await members(needs, active)).find(({ id }) => id === memberId);
  if (!member) throw new Refusal('not-found', GONE);
  if (mayTouch({ id: active.membership.user_id, role: active.membership.role }, member)) return member;
  throw new Refusal(
    'forbidden',
    member.is_owner
      ? 'The owner cannot be changed or removed.'
      : 'You cannot change or remove your own entry.',
  );
}

export async function changeRole(
  { table }: { table: Table },
  { organization }: Active,
  member: Member,
  role: AssignableRole,
): Promise<Member> {
  await expecting(store.changeRole(table, organization.id, member.id, role), GONE);
  return { ...member, role };
}

export const removeMember = ({ table }: { table: Table }, { organization }: Active, member: Member) =>
  expecting(store.removeMember(table, organization.id, member.id), GONE);

export function shown(
  { id, name, logo, active }: store.StoredOrganization,
  { role, is_default }: Pick<store.StoredMembership, 'role' | 'is_default'>,
): Organization {
  return { id, name, logo: logo ?? null, active, is_default, role };
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('not-found', 'This organization does not exist any more.');
  return found;
}

/** A write whose condition breaks only where the thing it is about is gone. */
async function expecting(write: Promise<void>, gone: string): Promise<void> {
  if (!(await held(write))) throw new Refusal('not-found', gone);
}
