import { Box, Flex, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { PRODUCT } from '#shared/brand.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';

/** The error boundary of a page, shown within the shell. */
export function PageError() {
  const error = useRouteError();
  useReloadOnceOnline(isFailedImport(error));
  return (
    <Page title="Something went wrong">
      <Text mb="4" color="fg.muted" maxWidth="60ch">
        {messageOf(error)}
      </Text>
      <Flex gap="2">
        <Button variant="solid" onClick={() => location.reload()}>
          Reload the page
        </Button>
        <ButtonLink to={paths.home()} reloadDocument>
          Go to Home
        </ButtonLink>
      </Flex>
    </Page>
  );
}

/** The error boundary of the shell itself. */
export const AppError = () => (
  <Box as="main" p="8" maxWidth="720px" mx="auto">
    <PageError />
  </Box>
);

/** The messages of browsers when a dynamic import fails, mostly because a new version was deployed. */
const IMPORT_FAILED = /dynamically imported module|importing a module script|module script failed/i;

const isFailedImport = (error: unknown) => error instanceof Error && IMPORT_FAILED.test(error.message);

function useReloadOnceOnline(isAwaited: boolean) {
  useEffect(() => {
    if (!isAwaited) return;
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isAwaited]);
}

function messageOf(error: unknown): string {
  return isFailedImport(error)
    ? `A part of ${PRODUCT} could not be loaded. There may be a newer version, or the connection failed: reload the page.`
    : 'This page ran into an error and stopped. Reload it; if that does not help, start again from Home. Nothing you saved is lost.';
}

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
