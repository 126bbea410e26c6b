import { Text } from '@chakra-ui/react';
import { ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Text mb="4" color="fg.muted">
        The page you're looking for doesn't exist.
      </Text>
      {/* Without a session, the home page is a separate HTML document. */}
      <ButtonLink to={paths.home()} reloadDocument={!token()}>
        Go to Home
      </ButtonLink>
    </Page>
  );
}
