import type { Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';
import { PendingTable } from './pending-table.tsx';
import { useMembers } from './use-members.ts';

/** Who belongs to the organization, and who has been asked to. */
export function MembersAndInvitations({ organization }: { organization: Organization }) {
  const { data, error, mutate } = useMembers(organization);
  const dialog = useDialog('invite');
  const mayInvite = may(organization.role, 'members:invite');
  return (
    <>
      <Section title="Members" actions={mayInvite && <Button onClick={dialog.open}>Invite member</Button>}>
        <MembersTable organization={organization} />
      </Section>
      {/* Why both could not be loaded is said once. */}
      {may(organization.role, 'invitations:read') && (data || !error) && (
        <Section title="Pending invitations" note="An invitation can be accepted for 7 days.">
          <PendingTable organization={organization} onInvite={dialog.open} />
        </Section>
      )}
      {mayInvite && dialog.isOpen && (
        <InviteDialog organization={organization} onInvited={mutate} onClose={dialog.close} />
      )}
    </>
  );
}
