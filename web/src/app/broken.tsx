import { chakra } from '@chakra-ui/react';
import { useRouteError } from 'react-router';
import { PRODUCT } from '../../../shared/brand.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { paths } from '../lib/paths.ts';

const Text = chakra('p', { base: { mb: '4', color: 'fg.muted', maxWidth: '60ch' } });
const Ways = chakra('div', { base: { display: 'flex', gap: '2' } });
const Alone = chakra('main', { base: { p: '8', maxWidth: '720px', mx: 'auto' } });

/** A page that failed, within the shell that did not. */
export function BrokenPage() {
  return (
    <Page title="Something went wrong">
      <Text>{explain(useRouteError())}</Text>
      <Ways>
        <Button look="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
        <ButtonLink to={paths.home()} reloadDocument>
          Go to Home
        </ButtonLink>
      </Ways>
    </Page>
  );
}

export const BrokenApp = () => (
  <Alone>
    <BrokenPage />
  </Alone>
);

/** Browsers word it differently when a part of the app cannot be fetched: mostly after a new version was published. */
const NOT_FETCHED = /dynamically imported module|importing a module script|module script failed/i;

function explain(error: unknown): string {
  return error instanceof Error && NOT_FETCHED.test(error.message)
    ? `A part of ${PRODUCT} could not be loaded. There may be a newer version, or the connection failed: reload the page.`
    : 'This page ran into an error and stopped. Reload it; if that does not help, start again from Home. Nothing you saved is lost.';
}
