import type { Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';
import { PendingTable } from './pending-table.tsx';
import { useMembers } from './use-members.ts';

/** The members of the organization, and its pending invitations. */
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
      {/* Both come from one request: an error is shown once. */}
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
