import { Box, chakra } from '@chakra-ui/react';
import type { Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mark } from '../../components/mark.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { OrganizationLogo } from './logo.tsx';

const DetailsForm = onDemand(() => import('./details-form.tsx'), <Box flex="1 1 260px" minHeight="202px" />);

const Editable = chakra(Panel, {
  base: {
    display: 'flex',
    flexWrap: 'wrap-reverse',
    justifyContent: 'space-between',
    gap: '6',
    p: '4',
    '& form': { flex: '1 1 260px', maxWidth: '420px' },
  },
});

type Props = { organization: Organization };

/** Name, logo, and whether the organization is active. */
export function Details({ organization }: Props) {
  return (
    <Section title="Details">
      {may(organization.role, 'organization:edit') ? (
        <Editable>
          <DetailsForm organization={organization} />
          <OrganizationLogo organization={organization} />
        </Editable>
      ) : (
        <Panel display="flex" alignItems="center" gap="5" p="4">
          <Mark of={organization} size="large" />
          <Facts>
            <Fact name="Name">{organization.name}</Fact>
            <Fact name="Status">
              <Status tone={organization.active ? 'usual' : 'off'}>
                {organization.active ? 'Active' : 'Inactive'}
              </Status>
            </Fact>
          </Facts>
        </Panel>
      )}
    </Section>
  );
}
