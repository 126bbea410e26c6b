import type { Table } from '#core/storage/table.store.ts';
import type { Member } from '#shared/member.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import * as invitation from './invitation.ts';
import * as organization from './organization.ts';

type Needs = { table: Table };

export async function changeRole(
  needs: Needs,
  active: organization.Active,
  member: organization.FoundMember,
  role: AssignableRole,
): Promise<Member> {
  const changed = await organization.changeRole(needs, active, member, role);
  if (!may(role, 'members:invite')) await invitation.cancelAllBy(needs, active.organization.id, member.id);
  return changed;
}

export async function remove(
  needs: Needs,
  active: organization.Active,
  member: organization.FoundMember,
): Promise<void> {
  await organization.removeMember(needs, active, member);
  await invitation.cancelAllBy(needs, active.organization.id, member.id);
}
