import { Fragment } from 'react';
import type { Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { DeleteOrganization } from './delete-organization.tsx';
import { Details } from './details.tsx';
import { MembersAndInvitations } from './members-and-invitations.tsx';
import { OrganizationCards } from './organization-cards.tsx';
import { useOrganizations } from './use-organizations.ts';

/** The user's organizations, and the management of the active one. */
export function AccessControl() {
  const { all, active, problem, retry, create } = useOrganizations();
  if (!all) {
    return (
      <Page title="Organizations">
        {problem ? (
          <Failure problem={problem} fallback="Failed to load organizations" onRetry={retry} />
        ) : (
          <Spinner />
        )}
      </Page>
    );
  }
  return (
    <Page title="Organizations" actions={<Button onClick={create}>Create organization</Button>}>
      <OrganizationCards />
      {active ? (
        // The key remounts these sections, but not the page, when another organization becomes active.
        <Fragment key={active.id}>
          <Managed organization={active} />
        </Fragment>
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
      {may(organization.role, 'organization:delete') && <DeleteOrganization organization={organization} />}
    </>
  );
}
