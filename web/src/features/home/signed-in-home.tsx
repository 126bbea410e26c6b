import { chakra } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { useUser } from '../../lib/user.ts';

const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 320px' },
    columnGap: '8',
    rowGap: '8',
    alignItems: 'start',
    maxWidth: '1120px',
  },
});

const List = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(240px, 100%), 1fr))',
    gap: '3',
  },
});
const Card = chakra(Panel, {
  base: { p: '4', _icon: { width: '5', height: '5', flexShrink: 0, color: 'fg.muted' } },
});
const Name = chakra('span', { base: { display: 'block', fontWeight: 'semibold' } });
const About = chakra('span', { base: { display: 'block', color: 'fg.muted' } });

type Destination = { path: string; label: string; about: string; icon: LucideIcon };
type Props = {
  destinations: Destination[];
  /** The height of `children` is not known yet. */
  isLoading: boolean;
  children: ReactNode;
};

/** The home page of the app: `children` about the organization, and links to the other pages. */
export function SignedInHome({ destinations, isLoading, children }: Props) {
  const { name } = useUser();
  return (
    <Page title="Home" heading={`Welcome, ${name}`}>
      <Columns>
        <div>{children}</div>
        {/* In one column the links are below, where they would move once the rest is loaded. */}
        <chakra.nav aria-label="Pages" display={isLoading ? { base: 'none', xl: 'block' } : undefined}>
          <List>
            {destinations.map(({ path, label, about, icon: Icon }) => (
              <li key={path}>
                <Card pressable asChild>
                  <Link to={path}>
                    <Icon aria-hidden />
                    <span>
                      <Name>{label}</Name>
                      <About>{about}</About>
                    </span>
                  </Link>
                </Card>
              </li>
            ))}
          </List>
        </chakra.nav>
      </Columns>
    </Page>
  );
}
