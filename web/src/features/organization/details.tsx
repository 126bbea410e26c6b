import { Box } from '@chakra-ui/react';
import { LOGO_TYPES, NOT_AN_IMAGE } from '#shared/limits.ts';
import type { Organization } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import type { ImageRules } from '#web/components/logo-upload.tsx';
import { Mark } from '#web/components/mark.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { api } from '#web/lib/api.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { useOrganizations } from './use-organizations.ts';

const DetailsForm = onDemand(() => import('./details-form.tsx'), <Box minHeight="186px" />);
const LogoUpload = onDemand(
  () => import('#web/components/logo-upload.tsx'),
  <Box flex="1 1 260px" maxWidth="420px" minHeight="139px" />,
);

type Props = { organization: Organization };

/** Name, logo, and whether the organization is active. */
export function Details({ organization }: Props) {
  return (
    <Section title="Details">
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
