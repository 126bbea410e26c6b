import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { ButtonLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { paths } from '#web/lib/paths.ts';
import { useUser } from '#web/lib/session.ts';
import { ActiveSessions } from './active-sessions.tsx';

/** The profile; `children` are the sections of other features. */
export function Profile({ children }: { children: ReactNode }) {
  const { name, email } = useUser();
  return (
    <Page
      title="Profile"
      actions={
        // Signing in leads to this page. The button leads on to the home page.
        <ButtonLink variant="solid" to={paths.home()}>
          Go to Home
        </ButtonLink>
      }
    >
      <Box maxWidth="960px">
        <Section title="Your account">
          <Facts>
            <Fact name="Name">{name}</Fact>
            <Fact name="Email">{email}</Fact>
          </Facts>
        </Section>
        {children}
        <ActiveSessions />
      </Box>
    </Page>
  );
}
