import { Badge, Box } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { Invitation } from '#shared/invitation.ts';
import type { Member, Members } from '#shared/member.ts';
import type { AssignableRole, Organization } from '#shared/organization.ts';
import { ASSIGNABLE_ROLES, may, mayTouch } from '#shared/permissions.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { Select } from '#web/components/select.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { api } from '#web/lib/api.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatDate, plural } from '#web/lib/format.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useUser } from '#web/lib/session.ts';
import { toast } from '#web/lib/toasts.ts';
import { ROLE_NAMES, ROLE_OPTIONS } from './use-organizations.ts';

const InviteDialog = onDemand(() => import('./invite-dialog.tsx'));

export function MembersAndInvitations({ organization }: { organization: Organization }) {
  const members = useMembers(organization);
  const { data, error, mutate } = members;
  const dialog = useDialog('invite');
  const mayInvite = may(organization.role, 'members:invite');
  return (
    <>
      <Section title="Members" actions={mayInvite && <Button onClick={dialog.open}>Invite member</Button>}>
        <MembersTable organization={organization} list={members} />
      </Section>
      {/* Both come from one request, so an error is shown only once. */}
      {may(organization.role, 'invitations:read') && (data || !error) && (
        <Section title="Pending invitations" note="An invitation can be accepted for 7 days.">
          <PendingTable organization={organization} list={members} onInvite={dialog.open} />
        </Section>
      )}
      {mayInvite && dialog.isOpen && (
        <InviteDialog organization={organization} onInvited={mutate} onClose={dialog.close} />
      )}
    </>
  );
}

const ROUTE = 'GET /api/organizations/{organization}/members';

/** The members of the active organization, with as many pages as were requested, and its pending invitations. */
function useMembers({ id }: Organization) {
  const pages = useRef(1);
  const [loadingMore, setLoadingMore] = useState(false);
  const input = { params: { organization: String(id) } };
  const fetcher = () => loadMembers(id, pages.current);
  const { data, error, mutate } = useOrganizationData(ROUTE, input, { fetcher });

  async function showMore() {
    pages.current++;
    setLoadingMore(true);
    await mutate();
    setLoadingMore(false);
  }

  const failure = serverMessageOr(error, 'Failed to load organization members');
  return { data, error, mutate, failure, showMore, loadingMore };
}

async function loadMembers(organization: number, pages: number): Promise<Members> {
  const input = organizationInput(organization);
  const loaded = await api(ROUTE, input);
  for (let page = 1; page < pages && loaded.next_cursor; page++) {
    const next = await api(ROUTE, { ...input, query: { cursor: loaded.next_cursor } });
    loaded.members.push(...next.members);
    loaded.next_cursor = next.next_cursor;
  }
  return loaded;
}

type TableProps = { organization: Organization; list: ReturnType<typeof useMembers> };

function MembersTable({ organization, list }: TableProps) {
  const { data, error, mutate, failure, loadingMore } = list;
  const frame = useRef<HTMLDivElement>(null);
  const firstNew = useRef<number>(undefined);
  const [removing, setRemoving] = useState<Member>();
  const user = useUser();
  const me = { id: user.id, role: organization.role };
  const pathOf = (member: Member) => organizationInput(organization.id, { member: member.id });

  const shown = data?.members.length ?? 0;
  // The button may disappear with the next page, so the focus moves to the first new row.
  useEffect(() => {
    if (firstNew.current === undefined || shown <= firstNew.current) return;
    frame.current?.querySelectorAll<HTMLElement>('tbody tr')[firstNew.current]?.focus();
    firstNew.current = undefined;
  }, [shown]);

  function showMore() {
    firstNew.current = shown;
    void list.showMore();
  }

  async function changeRole(member: Member, role: AssignableRole) {
    const input = { ...pathOf(member), body: { role } };
    // One by one: of two optimistic updates at the same time, SWR forgets the first.
    const show = (shown: Member) =>
      mutate(current => current && withMember(current, shown), { revalidate: false });
    try {
      await show({ ...member, role });
      await show(await api('PUT /api/organizations/{organization}/members/{member}', input));
      toast(`${member.name} is now ${role === 'ADMIN' ? 'an' : 'a'} ${role.toLowerCase()}.`);
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to update member role'), 'error');
      await show(member);
      void mutate();
    }
  }

  async function remove(member: Member) {
    await api('DELETE /api/organizations/{organization}/members/{member}', pathOf(member));
    await mutate();
    toast(`${member.name} was removed.`);
  }

  const columns: Column<Member>[] = [
    {
      key: 'name',
      header: 'Name',
      cell: ({ id, name }) => (
        <>
          <Breakable>{name}</Breakable>
          {id === me.id && <Badge ml="2">You</Badge>}
        </>
      ),
    },
    { key: 'email', header: 'Email', collapse: 'value', cell: ({ email }) => <Breakable>{email}</Breakable> },
    {
      key: 'role',
      header: 'Role',
      width: '140px',
      cell: member =>
        mayTouch(me, member) ? (
          <RoleChoice member={member} onChange={role => changeRole(member, role)} />
        ) : (
          ROLE_NAMES[member.role]
        ),
    },
  ];
  return (
    <div ref={frame}>
      <DataTable
        label="Members"
        columns={columns}
        rows={data?.members}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        count={data && countOf(data)}
        problem={error}
        failure={failure}
        onRetry={mutate}
        expected={2}
        empty={<EmptyState title="No members" />}
        actions={
          may(me.role, 'members:remove')
            ? member =>
                mayTouch(me, member)
                  ? [{ id: 'remove', label: 'Remove', danger: true, run: () => setRemoving(member) }]
                  : []
            : undefined
        }
      />
      {data?.next_cursor && (
        <Box mt="3">
          <Button loading={loadingMore} loadingText="Loading..." onClick={showMore}>
            Show more members
          </Button>
        </Box>
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          confirm="Remove member"
          loadingText="Removing..."
          failure="Failed to remove member"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          {removing.email} loses access to {organization.name} at once. What they made stays.
        </ConfirmDialog>
      )}
    </div>
  );
}

const countOf = ({ members, next_cursor }: Members) =>
  next_cursor ? `The first ${plural(members.length, 'member')}` : plural(members.length, 'member');

const withMember = (list: Members, changed: Member): Members => ({
  ...list,
  members: list.members.map(member => (member.id === changed.id ? changed : member)),
});

const RoleChoice = ({ member, onChange }: { member: Member; onChange: (role: AssignableRole) => void }) => (
  <Select
    aria-label={`Role of ${member.name}`}
    options={ROLE_OPTIONS}
    value={member.role}
    onChange={event => {
      const role = ASSIGNABLE_ROLES.find(assignable => assignable === event.target.value);
      if (role) onChange(role);
    }}
  />
);

const invitationColumns: Column<Invitation>[] = [
  { key: 'email', header: 'Email', cell: ({ email }) => <Breakable>{email}</Breakable> },
  { key: 'role', header: 'Role', width: '80px', cell: ({ role }) => role.toLowerCase() },
  { key: 'invited_by', header: 'Invited by', width: '140px', cell: ({ invited_by }) => invited_by.name },
  { key: 'expires_at', header: 'Expires', width: '120px', cell: ({ expires_at }) => formatDate(expires_at) },
];

type PendingProps = TableProps & { onInvite: () => void };

function PendingTable({ organization, list, onInvite }: PendingProps) {
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
        columns={invitationColumns}
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
