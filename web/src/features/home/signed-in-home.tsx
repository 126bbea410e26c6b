import { Box, Grid, Text } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Page } from '#web/components/page.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useUser } from '#web/lib/session.ts';

type Destination = { path: string; label: string; about: string; icon: LucideIcon };
type Props = {
  destinations: Destination[];
  /** The height of `children` is not known yet. */
  isLoading: boolean;
  children: ReactNode;
};

export function SignedInHome({ destinations, isLoading, children }: Props) {
  const { name } = useUser();
  return (
    <Page title="Home" heading={`Welcome, ${name}`}>
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 320px' }}
        gap="8"
        alignItems="start"
        maxWidth="1120px"
      >
        <div>{children}</div>
        {/* In one column the links are below the rest, and would move when it is loaded. */}
        <Box as="nav" aria-label="Pages" display={isLoading ? { base: 'none', xl: 'block' } : undefined}>
          <Grid as="ul" templateColumns="repeat(auto-fill, minmax(min(240px, 100%), 1fr))" gap="3">
            {destinations.map(({ path, label, about, icon: Icon }) => (
              <li key={path}>
                <Panel pressable asChild p="4">
                  <Link to={path}>
                    <Box as={Icon} flexShrink="0" width="5" height="5" color="fg.muted" aria-hidden />
                    <div>
                      <Text fontWeight="semibold">{label}</Text>
                      <Text color="fg.muted">{about}</Text>
                    </div>
                  </Link>
                </Panel>
              </li>
            ))}
          </Grid>
        </Box>
      </Grid>
    </Page>
  );
}
