import { useState } from 'react';
import type { Invitation } from '../../../../shared/invitation.ts';
import { ASSIGNABLE_ROLES, type Organization } from '../../../../shared/organization.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { api } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { messageOf, withFallbackMessage } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import type { MembersData } from './use-members.ts';

const columns: Column<Invitation>[] = [
  { key: 'email', header: 'Email', cell: ({ email }) => <span title={email}>{email}</span> },
  { key: 'role', header: 'Role', width: '80px', cell: ({ role }) => role.toLowerCase() },
  {
    key: 'invited_by',
    header: 'Invited by',
    width: '140px',
    cell: ({ invited_by }) => <span title={invited_by.name}>{invited_by.name}</span>,
  },
  {
    key: 'expires_at',
    header: 'Expires',
    width: '120px',
    cell: ({ expires_at }) => formatDate(expires_at),
  },
];

type Props = { organization: Organization; list: MembersData; onInvite: () => void };

export function PendingTable({ organization, list, onInvite }: Props) {
  const { data, error, mutate, failure } = list;
  const [cancelling, setCancelling] = useState<Invitation>();
  const [resending, setResending] = useState<string>();
  const params = { organization: String(organization.id) };

  async function inviteAgain({ id, email, role: given }: Invitation) {
    const role = ASSIGNABLE_ROLES.find(assignable => assignable === given) ?? 'USER';
    setResending(id);
    try {
      const call = api('POST /api/organizations/{organization}/members', {
        params,
        body: { email, role },
        organization: organization.id,
      });
      await withFallbackMessage(call, 'Failed to send invitation');
      await mutate();
      toast(`Invitation sent to ${email} again.`);
    } catch (problem) {
      toast(messageOf(problem), 'error');
      void mutate();
    } finally {
      setResending(undefined);
    }
  }

  async function cancel({ id }: Invitation) {
    const call = api('DELETE /api/organizations/{organization}/invitations/{invitation}', {
      params: { ...params, invitation: id },
      organization: organization.id,
    });
    await withFallbackMessage(call, 'Failed to cancel invitation');
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
        problem={error}
        failure={failure}
        onRetry={mutate}
        expected={1}
        actionsWidth="180px"
        minWidth="760px"
        empty={
          <EmptyState
            title="No pending invitations"
            cause="Invitations are listed here until they are answered."
            action={<Button onClick={onInvite}>Invite member</Button>}
          />
        }
        actions={invitation => (
          <span>
            <Button
              variant="ghost"
              loading={resending === invitation.id}
              loadingText="Sending..."
              aria-label={`Invite ${invitation.email} again`}
              onClick={() => inviteAgain(invitation)}
            >
              Invite again
            </Button>
            <Button
              variant="ghost"
              aria-label={`Cancel the invitation of ${invitation.email}`}
              onClick={() => setCancelling(invitation)}
            >
              Cancel
            </Button>
          </span>
        )}
      />
      {cancelling && (
        <ConfirmDialog
          title="Cancel this invitation?"
          confirm="Cancel invitation"
          cancel="Keep it"
          loadingText="Cancelling..."
          onConfirm={() => cancel(cancelling)}
          onClose={() => setCancelling(undefined)}
        >
          The link that was sent to {cancelling.email} ends at once.
        </ConfirmDialog>
      )}
    </>
  );
}
