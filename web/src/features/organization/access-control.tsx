import type { Organization } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import { Button } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { DeleteOrganization } from './delete-organization.tsx';
import { Details } from './details.tsx';
import { MembersTable } from './members-table.tsx';
import { OrganizationCards } from './organization-cards.tsx';
import { PendingTable } from './pending-table.tsx';
import { useMembers } from './use-members.ts';
import { useOrganizations } from './use-organizations.ts';

const PersonalData = onDemand(() => import('./personal-data.tsx'), <Loading shape={['title', 106, 120]} />);
const InviteDialog = onDemand(() => import('./invite-dialog.tsx'));

/** The user's organizations, and the management of the active one. */
export function AccessControl() {
  const { all, active, problem, retry, create } = useOrganizations();
  if (!all) {
    return (
      <Page title="Organizations">
        {problem ? (
          <Failure problem={problem} fallback="Failed to load organizations" onRetry={retry} />
        ) : (
          <Loading shape={[72, 'title', 186, 'title', 120]} />
        )}
      </Page>
    );
  }
  return (
    <Page title="Organizations" actions={<Button onClick={create}>Create organization</Button>}>
      <OrganizationCards />
      {active ? (
        // The key remounts these sections, but not the page, when another organization becomes active.
        <Managed key={active.id} organization={active} />
      ) : (
        <EmptyState
          title="No organization selected"
          cause="You are not a member of any organization. Accept an invitation, or create one of your own."
        />
      )}
    </Page>
  );
}

function Managed({ organization }: { organization: Organization }) {
  return (
    <>
      {!may(organization.role, 'organization:edit') && (
        <Notice tone="info" mb="5">
          You can view this organization, but not change it. To change something, please contact an admin or
          owner.
        </Notice>
      )}
      <Details organization={organization} />
      <MembersAndInvitations organization={organization} />
      {may(organization.role, 'record:read') && <PersonalData organization={organization} />}
      {may(organization.role, 'organization:delete') && <DeleteOrganization organization={organization} />}
    </>
  );
}

/** The members of the organization, and its pending invitations. */
function MembersAndInvitations({ organization }: { organization: Organization }) {
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
