import * as user from '#core/account/user.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Invitation } from '#shared/invitation.ts';
import * as organization from '../organization.ts';
import type * as store from './invitation.store.ts';

export const isPending = (now: Date) => (invitation: store.StoredInvitation) =>
  invitation.status === 'pending' && new Date(invitation.expires_at) > now;

/** The invitations that can be answered: they are pending, and their sender may still invite. */
export async function answerable(
  { table, now }: { table: Table; now: Date },
  invitations: store.StoredInvitation[],
): Promise<store.StoredInvitation[]> {
  const pending = invitations.filter(isPending(now));
  const senders = pending.map(({ organization_id, invited_by }) => ({
    organization_id,
    user_id: invited_by,
  }));
  const inviters = await organization.inviters({ table }, senders);
  return pending.filter(({ organization_id, invited_by }) =>
    inviters.some(found => found.organization_id === organization_id && found.user_id === invited_by),
  );
}

/** The invitations as the API returns them, without those of deleted organizations. */
export async function described(
  { table }: { table: Table },
  invitations: store.StoredInvitation[],
): Promise<Invitation[]> {
  const [organizations, inviters] = await Promise.all([
    organization.findAll({ table }, unique(invitations.map(({ organization_id }) => organization_id))),
    user.findAll({ table }, unique(invitations.map(({ invited_by }) => invited_by))),
  ]);
  return invitations.flatMap(({ id, email, role, invited_by, created_at, expires_at, organization_id }) => {
    const of = organizations.find(found => found.id === organization_id);
    const inviter = inviters.find(found => found.id === invited_by);
    if (!of) return [];
    const names = {
      organization: { name: of.name },
      invited_by: { name: inviter?.name ?? 'A former member' },
    };
    return [{ id, token: id, email, role, created_at, expires_at, ...names }];
  });
}

const unique = <T>(values: T[]) => [...new Set(values)];
