import * as user from '#core/account/user.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { markShard, switchedOnWrite } from '#core/sources/source.ts';
import { type ImageRules, LOGO_RULES, readImage } from '#core/storage/image.ts';
import type { Objects } from '#core/storage/logo.ts';
import * as logo from '#core/storage/logo.ts';
import * as purge from '#core/storage/purge-request.ts';
import type { Item, Key, Reading, Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  definedFields,
  optimistically,
  type Write,
} from '#core/storage/write.store.ts';
import { LOGO_TYPES, NOT_AN_IMAGE, ORGANIZATIONS_PAGE } from '#shared/limits.ts';
import type { Organization, OrganizationChange } from '#shared/organization.ts';
import { may, mayHave, type Scope } from '#shared/permissions.ts';
import * as store from './organization.store.ts';
import { type Changing, recorded } from './record.ts';
import { switchWrites } from './switches.ts';

type Needs = Changing;

export type Active = store.Active;

// Each organization adds limits of its own for lists and members, so their number is limited.
const MOST_OWNED = 20;

export async function create(
  needs: Needs,
  owner: string,
  name: string,
  timeZone?: string,
): Promise<Organization> {
  const organization = await prepareOrganization(needs, name, timeZone);
  const writes = [
    user.ownMoreWrite(needs.table, owner, MOST_OWNED),
    ...store.createWrites(needs.table, organization, owner, false),
  ];
  if (await conditionsHeld(commit(needs.table, writes)))
    return shown(organization, { role: 'OWNER', is_default: false });
  throw new Refusal(
    'conflict',
    `You can own at most ${MOST_OWNED} organizations. Delete one that is no longer needed.`,
  );
}

export async function prepareAccount(
  { table, now }: Needs,
  email: string,
  timeZone?: string,
): Promise<{ account: user.StoredUser; writes: Write[] }> {
  const person = user.newUser(email, now);
  const organization = await prepareOrganization({ table, now }, `${person.name}'s organization`, timeZone);
  const account = { ...person, default_organization_id: organization.id };
  const writes = store.createWrites(table, organization, account.id, true);
  return { account, writes: [...user.createWrites(table, account), ...writes] };
}

async function prepareOrganization(
  { table, now }: Needs,
  name: string,
  timeZone?: string,
): Promise<store.StoredOrganization> {
  const id = await store.nextId(table);
  await markShard(table, id);
  const zone = timeZone && { time_zone: timeZone };
  return { id, name, ...zone, active: true, created_at: now.toISOString(), members: 1 };
}

export const activeFor = async ({ table }: { table: Table }, userId: string, id: number) =>
  (await store.readFor(table, userId, id, []))?.active;

/** The same, with other items read in the same batch. */
export const activeWith = ({ table }: { table: Table }, userId: string, id: number, others: Key[]) =>
  store.readFor(table, userId, id, others);

export const defaultOf = async (needs: { table: Table }, userId: string): Promise<number> =>
  (await user.find(needs, userId)).default_organization_id;

export const notAMember = () => new Refusal('forbidden', 'You are not a member of this organization.');

/** Throws 422 if the role of a user lacks one of the scopes, in an organization or else their default one. */
export async function requireScopes(
  { table }: { table: Table },
  userId: string,
  id: number | undefined,
  scopes: Scope[],
): Promise<void> {
  const active = await activeFor({ table }, userId, id ?? (await defaultOf({ table }, userId)));
  if (!active) throw notAMember();
  const { role } = active.membership;
  const lacking = scopes.filter(scope => !mayHave(role, scope));
  if (lacking.length === 0) return;
  throw invalid('scopes', `Your role in this organization does not have ${lacking.join(', ')}`);
}

/** Those with a greater number than `after`, the default one first. Only the last page is shorter than a full one. */
export async function listOf(needs: { table: Table }, userId: string, after = 0): Promise<Organization[]> {
  const found: Organization[] = [];
  for (let last = after, more = true; more; ) {
    const wanted = ORGANIZATIONS_PAGE - found.length;
    const memberships = await store.memberships(needs.table, userId, last, wanted);
    const ids = memberships.map(({ organization_id }) => organization_id);
    const organizations = new Map((await findAll(needs, ids)).map(one => [one.id, one]));
    for (const membership of memberships) {
      const of = organizations.get(membership.organization_id);
      if (of) found.push(shown(of, membership));
    }
    last = ids.at(-1) ?? last;
    more = ids.length === wanted && found.length < ORGANIZATIONS_PAGE;
  }
  return found.sort((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id);
}

export async function findAll(
  { table }: { table: Table },
  ids: number[],
  reading?: Reading,
): Promise<store.StoredOrganization[]> {
  return (await store.readAll(table, ids, reading)).filter(({ deleted_at }) => !deleted_at);
}

export async function findLiving({ table }: { table: Table }, id: number): Promise<store.StoredOrganization> {
  const [found] = await findAll({ table }, [id]);
  if (!found) throw store.organizationGone();
  return found;
}

const fieldsChanged = (
  before: store.StoredOrganization,
  { name, active, currency }: OrganizationChange,
  now: Date,
) =>
  definedFields({
    name,
    active,
    currency,
    active_since: active && !before.active ? now.toISOString() : undefined,
  });

/** An organization after a change, which is not stored. */
export const changed = (
  before: store.StoredOrganization,
  to: OrganizationChange,
  now: Date,
): store.StoredOrganization => ({ ...before, ...fieldsChanged(before, to, now) });

export async function change(needs: Needs, active: Active, to: OrganizationChange): Promise<Organization> {
  const { table, now } = needs;
  const { active: isActive, currency } = to;
  if (Object.keys(definedFields(to)).length === 0) return shown(active.organization, active.membership);
  if (
    !may(active.membership.role, 'currency:edit') &&
    (currency ?? active.organization.currency) !== active.organization.currency
  )
    throw new Refusal('forbidden', 'Only the owner may set the currency of the organization.');
  const after = await optimistically<store.StoredOrganization, store.StoredOrganization>({
    known: active.organization,
    read: async () => orNotFound((await findAll(needs, [active.organization.id]))[0]),
    write: before => {
      const { id, active: wasActive } = before;
      const isSwitchedOn = isActive && !wasActive;
      return store.change(table, before, fieldsChanged(before, to, now), [
        ...recorded(needs, id, {
          kind: 'organization',
          from: before,
          to: changed(before, to, now),
          object: {},
        }),
        ...switchWrites(needs, id, 'organization', { from: wasActive, to: isActive ?? wasActive }),
        ...(isSwitchedOn ? [switchedOnWrite(table, id, undefined, now)] : []),
      ]);
    },
    conflict: 'Another change of this organization is under way. Please try again.',
  });
  return shown(after, active.membership);
}

const ANY_LOGO: ImageRules = { ...LOGO_RULES, types: LOGO_TYPES, wrongType: NOT_AN_IMAGE };

export async function changeLogo(
  needs: Changing & { objects: Objects },
  { organization, membership }: Active,
  dataUrl: string | null,
): Promise<Organization> {
  const image = dataUrl === null ? undefined : readImage(dataUrl, ANY_LOGO);
  const { id, logo: before } = organization;
  const others = recorded(needs, id, {
    kind: 'organization',
    from: { logo: before },
    to: { logo: image && 'new' },
  });
  const change = { organization: id, key: store.metaKey(id), before: organization, image, others };
  return shown({ ...organization, ...orNotFound(await logo.changeLogo(needs, change)) }, membership);
}

/** Deletes an organization: one write ends every membership, and the rest is purged in the background. */
export async function remove({ table, now }: Needs, { organization, membership }: Active): Promise<void> {
  if (membership.is_default) {
    throw new Refusal('forbidden', 'The default organization cannot be deleted.');
  }
  const deletion = commit(table, [
    store.deletionWrite(table, organization.id, now.toISOString()),
    user.ownFewerWrite(table, membership.user_id),
    purge.requestWrite(table, { organization_id: organization.id }, now),
  ]);
  if (!(await conditionsHeld(deletion))) throw store.organizationGone();
}

export const isAlive = (items: Item[], id: number): boolean => {
  const { PK, SK } = store.metaKey(id);
  const meta = items.find(item => item.PK === PK && item.SK === SK);
  return meta !== undefined && meta.deleted_at === undefined;
};

export function shown(
  { id, name, logo, active, currency }: store.StoredOrganization,
  { role, is_default }: Pick<store.StoredMembership, 'role' | 'is_default'>,
): Organization {
  return { id, name, logo: logo ?? null, active, is_default, role, currency: currency ?? null };
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw store.organizationGone();
  return found;
}
