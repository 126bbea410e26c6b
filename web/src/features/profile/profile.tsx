import { chakra } from '@chakra-ui/react';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { useUser } from '../../lib/user.ts';
import { ActiveSessions } from './active-sessions.tsx';

const Facts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(64px, max-content) 1fr',
    columnGap: '6',
    rowGap: '2',
    fontSize: 'md',
    '& dt': { color: 'fg.muted' },
    '& dd': { fontWeight: 'medium', overflowWrap: 'anywhere' },
  },
});

const Column = chakra('div', { base: { maxWidth: '960px' } });

export function Profile() {
  const { name, email } = useUser();
  return (
    <Page title="Profile">
      <Column>
        <Section title="Your account">
          <Facts>
            <dt>Name</dt>
            <dd>{name}</dd>
            <dt>Email</dt>
            <dd>{email}</dd>
          </Facts>
        </Section>
        <ActiveSessions />
      </Column>
    </Page>
  );
}
