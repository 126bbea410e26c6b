import { Badge, Box, Grid, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { LOGO_TYPES, NOT_AN_IMAGE } from '#shared/limits.ts';
import type { Organization } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import type { ImageRules } from '#web/components/logo-upload.tsx';
import { Mark } from '#web/components/mark.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { ActiveStatus, Status } from '#web/components/status.tsx';
import { LastChanges } from '#web/entities/record/last-changes.tsx';
import { api } from '#web/lib/api.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { MembersAndInvitations } from './members.tsx';
import { ROLE_NAMES, useOrganizations } from './use-organizations.ts';

const PersonalData = onDemand(() => import('./personal-data.tsx'), <Loading shape={['title', 106, 120]} />);
const Webhooks = onDemand(
  () => import('#web/entities/webhook/webhooks.tsx'),
  <Loading shape={['title', 'line', 120]} />,
);
const DetailsForm = onDemand(() => import('./details-form.tsx'), <Box minHeight="268px" />);
const LogoUpload = onDemand(
  () => import('#web/components/logo-upload.tsx'),
  <Box flex="1 1 260px" maxWidth="420px" minHeight="139px" />,
);

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

function OrganizationCards() {
  const { all = [], active, activate } = useOrganizations();
  if (all.length === 0) return null;
  return (
    <Grid
      as="ul"
      aria-label="Your organizations"
      templateColumns="repeat(auto-fill, minmax(min(260px, 100%), 1fr))"
      gap="3"
      mb="6"
    >
      {all.map(organization => (
        <li key={organization.id}>
          <Panel pressable asChild p="3" alignItems="center">
            <button
              type="button"
              aria-pressed={organization.id === active?.id}
              onClick={() => organization.id !== active?.id && activate(organization.id)}
            >
              <Mark of={organization} />
              <Box as="span" flex="1" minWidth="0" color="fg.muted">
                <Text as="span" display="block" overflowWrap="anywhere" fontWeight="semibold" color="fg">
                  {organization.name}
                </Text>
                {ROLE_NAMES[organization.role]} {organization.is_default && <Badge>Default</Badge>}
              </Box>
              {!organization.active && <Status tone="off">Inactive</Status>}
            </button>
          </Panel>
        </li>
      ))}
    </Grid>
  );
}

type Props = { organization: Organization };

function Managed({ organization }: Props) {
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
      <Webhooks owner={{ organization: organization.id }} />
      {may(organization.role, 'record:read') && <PersonalData />}
      <LastChanges />
      {may(organization.role, 'organization:delete') && <DeleteOrganization organization={organization} />}
    </>
  );
}

function Details({ organization }: Props) {
  return (
    <Section title="Details" actions={<ButtonLink to={paths.look()}>Email design</ButtonLink>}>
      {may(organization.role, 'organization:edit') ? (
        <Panel display="flex" flexWrap="wrap-reverse" justifyContent="space-between" gap="6" p="4">
          <Box flex="1 1 260px" maxWidth="420px">
            <DetailsForm organization={organization} />
          </Box>
          <OrganizationLogo organization={organization} />
        </Panel>
      ) : (
        <Panel display="flex" alignItems="center" gap="5" p="4">
          <Mark of={organization} size="large" />
          <Facts>
            <Fact name="Name">{organization.name}</Fact>
            <Fact name="Status">
              <ActiveStatus active={organization.active} />
            </Fact>
            {organization.currency && <Fact name="Currency of values">{organization.currency}</Fact>}
          </Facts>
        </Panel>
      )}
    </Section>
  );
}

const RULES: ImageRules = {
  // The type of icons in Firefox.
  types: [...LOGO_TYPES, 'image/vnd.microsoft.icon'],
  wrongType: NOT_AN_IMAGE,
};

function OrganizationLogo({ organization }: Props) {
  const { updateInCache } = useOrganizations();
  async function save(logo: string | null, onUploadProgress: (share: number) => void) {
    const input = { ...organizationInput(organization.id), body: { logo }, onUploadProgress };
    await updateInCache(await api('PUT /api/organizations/{organization}/logo', input));
  }
  return (
    <LogoUpload
      of={organization}
      rules={RULES}
      hint="Any image except SVG, smaller than 500 KB."
      save={save}
    />
  );
}

/** Shown to the owner only, and disabled for their default organization. */
function DeleteOrganization({ organization }: Props) {
  const { id, name, is_default } = organization;
  const { removeFromCache } = useOrganizations();
  const [asking, setAsking] = useState(false);

  async function remove() {
    await api('DELETE /api/organizations/{organization}', organizationInput(id));
    toast(`${name} was deleted.`);
    await removeFromCache(id);
  }

  return (
    <Section title="Delete organization">
      <Panel display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="3" p="4">
        <Text id="why-delete" maxWidth="60ch" color="fg.muted">
          {is_default
            ? 'This is your default organization. The default organization cannot be deleted.'
            : 'Its lists, automations, content and reports are deleted for all its members. This cannot be undone.'}
        </Text>
        <Button disabled={is_default} aria-describedby="why-delete" onClick={() => setAsking(true)}>
          Delete organization
        </Button>
      </Panel>
      {asking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete organization"
          loadingText="Deleting..."
          failure="Failed to delete organization"
          typed={name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          Everything in it is deleted for all its members. This cannot be undone.
        </ConfirmDialog>
      )}
    </Section>
  );
}
