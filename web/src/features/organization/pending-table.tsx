import { useState } from 'react';
import type { Invitation } from '#shared/invitation.ts';
import type { Organization } from '#shared/organization.ts';
import { ASSIGNABLE_ROLES } from '#shared/permissions.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { api } from '#web/lib/api.ts';
import { countText, formatDate } from '#web/lib/format.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import type { MembersData } from './use-members.ts';

const columns: Column<Invitation>[] = [
  { key: 'email', header: 'Email', cell: ({ email }) => email },
  { key: 'role', header: 'Role', width: '80px', cell: ({ role }) => role.toLowerCase() },
  { key: 'invited_by', header: 'Invited by', width: '140px', cell: ({ invited_by }) => invited_by.name },
  { key: 'expires_at', header: 'Expires', width: '120px', cell: ({ expires_at }) => formatDate(expires_at) },
];

type Props = { organization: Organization; list: MembersData; onInvite: () => void };

export function PendingTable({ organization, list, onInvite }: Props) {
  const { data, mutate } = list;
  const [cancelling, setCancelling] = useState<Invitation>();
  const [resending, setResending] = useState<string>();

  async function inviteAgain({ id, email, role: given }: Invitation) {
    const role = ASSIGNABLE_ROLES.find(assignable => assignable === given) ?? 'USER';
    setResending(id);
    try {
      const input = { ...organizationInput(organization.id), body: { email, role } };
      await api('POST /api/organizations/{organization}/members', input);
      await mutate();
      toast(`Invitation sent to ${email} again.`);
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to send invitation'), 'error');
      void mutate();
    } finally {
      setResending(undefined);
    }
  }

  async function cancel({ id }: Invitation) {
    const input = organizationInput(organization.id, { invitation: id });
    await api('DELETE /api/organizations/{organization}/invitations/{invitation}', input);
    await mutate();
    toast('Invitation cancelled.');
  }

  return (
    <>
      <DataTable
        label="Pending invitations"
        columns={columns}
        rows={data?.pending_invitations}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        count={countText(data?.pending_invitations.length, 'invitation')}
        expected={1}
        empty={
          <EmptyState
            title="No pending invitations"
            cause="Invite somebody: invitations are listed here until they are answered."
            action={<Button onClick={onInvite}>Invite member</Button>}
          />
        }
        isChanging={({ id }) => id === resending}
        actions={invitation => [
          { id: 'again', label: 'Invite again', run: () => void inviteAgain(invitation) },
          { id: 'cancel', label: 'Cancel invitation', danger: true, run: () => setCancelling(invitation) },
        ]}
      />
      {cancelling && (
        <ConfirmDialog
          title="Cancel this invitation?"
          confirm="Cancel invitation"
          cancel="Keep it"
          loadingText="Cancelling..."
          failure="Failed to cancel invitation"
          onConfirm={() => cancel(cancelling)}
          onClose={() => setCancelling(undefined)}
        >
          The link that was sent to {cancelling.email} ends at once.
        </ConfirmDialog>
      )}
    </>
  );
}
