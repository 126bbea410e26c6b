import { Badge, Box, Grid, Text } from '@chakra-ui/react';
import { Mark } from '#web/components/mark.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Status } from '#web/components/status.tsx';
import { ROLE_NAMES } from './roles.ts';
import { useOrganizations } from './use-organizations.ts';

/** The user's organizations; choosing one makes it active. */
export function OrganizationCards() {
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
