import { chakra } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router';
import { PRODUCT } from '../../../../shared/brand.ts';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { useUser } from '../../lib/user.ts';

const List = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: '3',
    maxWidth: '960px',
  },
});

const Card = chakra(Panel, {
  base: { p: '4', _icon: { width: '5', height: '5', flexShrink: 0, color: 'fg.muted' } },
});

const Name = chakra('span', { base: { display: 'block', fontWeight: 'semibold' } });
const About = chakra('span', { base: { display: 'block', fontSize: 'sm', color: 'fg.muted' } });
const Welcome = chakra('p', { base: { mb: '5', color: 'fg.muted', maxWidth: '65ch' } });

type Destination = { path: string; label: string; about: string; icon: LucideIcon };

/** The home page of the app: links to its other pages. */
export function SignedInHome({ destinations }: { destinations: Destination[] }) {
  const { name } = useUser();
  return (
    <Page title="Home" heading={`Welcome, ${name}`}>
      <Welcome>{PRODUCT} is in private alpha. New pages are added here.</Welcome>
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
    </Page>
  );
}
