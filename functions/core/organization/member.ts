import * as user from '#core/account/user.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, optimistically } from '#core/storage/write.store.ts';
import type { Member } from '#shared/member.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { type Action, may, mayTouch, ROLES } from '#shared/permissions.ts';
import * as invitation from './invitation.ts';
import * as store from './organization.store.ts';
import * as quota from './quota.ts';
import { type Changing, recorded } from './record.ts';

type Needs = { table: Table };

const PAGE = 100;
// The most members, and the owner.
const MOST = 1_001;

export async function page(
  { table }: Needs,
  { organization }: store.Active,
  cursor = '',
): Promise<{ members: Member[]; next_cursor: string | null }> {
  const found = await store.members(table, organization.id, cursor, PAGE + 1);
  const entries = found.slice(0, PAGE);
  const ids = entries.map(({ user_id }) => user_id);
  const users = new Map((await user.findAll({ table }, ids)).map(one => [one.id, one]));
  return {
    members: entries
      .flatMap(entry => shown(entry, users.get(entry.user_id)) ?? [])
      .sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || a.email.localeCompare(b.email)),
    next_cursor: found.length > PAGE ? (ids.at(-1) ?? null) : null,
  };
}

const shown = ({ role }: store.StoredMember, found: user.StoredUser | undefined): Member | undefined =>
  found && { id: found.id, name: found.name, email: found.email, role, is_owner: role === 'OWNER' };

/** The users among these who are members and have a right. */
export async function among({ table }: Needs, organization: number, users: string[], right: Action) {
  const members = await store.readMembers(table, organization, users);
  return new Set(members.filter(({ role }) => may(role, right)).map(({ user_id }) => user_id));
}

/** The users who may change the webhooks of lists: the owner and the admins. */
export async function managers({ table }: Needs, organization: number): Promise<string[]> {
  const members = await store.members(table, organization, '', MOST);
  return members.filter(({ role }) => may(role, 'webhooks:edit')).map(({ user_id }) => user_id);
}

const notFound = () => new Refusal('not-found', 'This person is no member of the organization any more.');

export const keysOf = (organization: number, userId: string): Key[] => [
  store.memberKey(organization, userId),
  user.profileKey(userId),
];

/** Throws 403 unless the caller may change or remove the member. */
export function found({ membership }: store.Active, userId: string, items: Item[]): Member {
  const entry = store.memberIn(items, userId);
  const member = entry && shown(entry, user.foundIn(items, userId));
  if (!member) throw notFound();
  if (mayTouch({ id: membership.user_id, role: membership.role }, member)) return member;
  throw new Refusal(
    'forbidden',
    member.is_owner
      ? 'The owner cannot be changed or removed.'
      : 'You cannot change or remove your own entry.',
  );
}

export async function changeRole(
  needs: Changing,
  { organization: { id } }: store.Active,
  member: Member,
  role: AssignableRole,
): Promise<Member> {
  const { table } = needs;
  await optimistically<store.StoredMember | undefined, true>({
    known: { user_id: member.id, role: member.role, since: '' },
    read: () => store.readMember(table, id, member.id),
    write: async before => {
      if (!before || before.role === 'OWNER') throw notFound();
      const note = { kind: 'member', object: { id: member.id }, from: before, to: { role } } as const;
      const writes = [...store.roleWrites(table, id, before, role), ...recorded(needs, id, note)];
      return (await conditionsHeld(commit(table, writes))) || undefined;
    },
    conflict: 'Another change of this member is under way. Please try again.',
  });
  if (!may(role, 'members:invite')) await invitation.cancelAllBy(needs, id, member.id);
  return { ...member, role };
}

export async function remove(needs: Changing, { organization: { id } }: store.Active, member: Member) {
  const { table } = needs;
  const { role } = member;
  const removal = commit(table, [
    ...store.memberDeleteWrites(table, id, member.id),
    quota.freePlacesWrite(table, id, ['members']),
    quota.leaveWrite(table, member.id),
    ...recorded(needs, id, {
      kind: 'member',
      what: 'removed',
      object: { id: member.id },
      from: { role },
      to: {},
    }),
  ]);
  if (!(await conditionsHeld(removal))) throw notFound();
  await invitation.cancelAllBy(needs, id, member.id);
}

/** Deletes some members of a deleted organization. Returns true if there may be more. */
export async function purgeSome(table: Table, organization: number): Promise<boolean> {
  const { members, more } = await store.memberPage(table, organization);
  for (const { user_id, role } of members) {
    const deletion = commit(table, [
      ...store.memberPurgeWrites(table, organization, user_id),
      ...(role === 'OWNER' ? [] : [quota.leaveWrite(table, user_id)]),
    ]);
    // A repeated round may have deleted the member already: the place of the user is freed once.
    await conditionsHeld(deletion);
  }
  return more;
}
