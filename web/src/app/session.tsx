import { type ReactNode, useContext } from 'react';
import { Outlet } from 'react-router';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/failure.tsx';
import { Page } from '../components/page.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useInvitations } from '../features/invitation/use-invitations.ts';
import { TermsOverlay } from '../features/legal/terms-overlay.tsx';
import { OrganizationsProvider } from '../features/organization/organizations.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { api } from '../lib/api.ts';
import { usePersonalData } from '../lib/data.ts';
import { paths } from '../lib/paths.ts';
import { messageOf } from '../lib/problem.ts';
import { forget, token } from '../lib/session.ts';
import { useElapsed } from '../lib/use-elapsed.ts';
import { UserContext } from '../lib/user.ts';

/** Provides the signed-in user, and shows the terms until they are accepted. */
export function Session({ children }: { children: ReactNode }) {
  const { data: user, mutate } = useSignedIn();
  return (
    <UserContext value={user}>
      <OrganizationsProvider signedIn={token() !== null}>{children}</OrganizationsProvider>
      {user && !user.terms_accepted && (
        <TermsOverlay onAccepted={accepted => mutate(accepted, { revalidate: false })} onLogout={logOut} />
      )}
    </UserContext>
  );
}

const useSignedIn = () => usePersonalData(token() ? 'GET /api/user' : undefined);

/** Routes that need a session and accepted terms. Without a session, the browser loads /login, a separate HTML document. */
export function SignedInOnly() {
  const user = useContext(UserContext);
  const { error, mutate } = useSignedIn();
  const isBannerKnown = useIsBannerKnown();
  if (!token()) {
    location.replace(paths.login());
    return null;
  }
  // Until the terms are accepted, the API refuses the requests of the pages.
  if (user && isBannerKnown) return user.terms_accepted ? <Outlet /> : null;
  if (!error) return <Spinner />;
  return (
    <Page title="Not available" heading="Your account could not be loaded">
      <Failure problem={error} onRetry={() => mutate()}>
        <Button look="quiet" onClick={logOut}>
          Logout
        </Button>
      </Failure>
    </Page>
  );
}

const PATIENCE_WITH_INVITATIONS = 1000;

/** Pending invitations are shown above the page, which would move if it was there first. */
function useIsBannerKnown() {
  const { data, error } = useInvitations(token() !== null);
  const isLate = useElapsed(PATIENCE_WITH_INVITATIONS);
  return isLate || data !== undefined || error !== undefined;
}

/** Routes that need an active organization; where the user has none, the shell shows a notice. */
export function WithOrganization() {
  const { active, problem, retry } = useOrganizations();
  if (active) return <Outlet />;
  if (!problem) return <Page title="No organization">{null}</Page>;
  const message = `Failed to load organizations. ${messageOf(problem)}`;
  return (
    <Page title="Not available" heading="Your organizations could not be loaded">
      <Failure problem={problem} message={message} onRetry={retry} />
    </Page>
  );
}

const PATIENCE = 3000;

/** Signs out in this browser even if the request fails or takes too long. */
export async function logOut() {
  const patience = new Promise(resolve => setTimeout(resolve, PATIENCE));
  await Promise.race([api('POST /api/logout').catch(() => undefined), patience]);
  forget(paths.login());
}
