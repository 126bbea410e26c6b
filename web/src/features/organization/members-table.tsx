import { Badge, Box } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { Member, Members } from '#shared/member.ts';
import type { AssignableRole, Organization } from '#shared/organization.ts';
import { ASSIGNABLE_ROLES, may, mayTouch } from '#shared/permissions.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Select } from '#web/components/select.tsx';
import { api } from '#web/lib/api.ts';
import { plural } from '#web/lib/format.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useUser } from '#web/lib/session.ts';
import { toast } from '#web/lib/toasts.ts';
import { ROLE_NAMES, ROLE_OPTIONS } from './roles.ts';
import type { MembersData } from './use-members.ts';

type Props = { organization: Organization; list: MembersData };

export function MembersTable({ organization, list }: Props) {
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
      toast(`${member.name} is now ${role === 'ADMIN' ? 'an admin' : 'a user'}.`);
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
          {name}
          {id === me.id && <Badge ml="2">You</Badge>}
        </>
      ),
    },
    { key: 'email', header: 'Email', collapse: 'value', cell: ({ email }) => email },
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

type RoleProps = { member: Member; onChange: (role: AssignableRole) => void };

const RoleChoice = ({ member, onChange }: RoleProps) => (
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
