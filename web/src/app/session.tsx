import { type ReactNode, useContext } from 'react';
import { Outlet, useMatches } from 'react-router';
import type { Action } from '#shared/permissions.ts';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/failure.tsx';
import { PageShape } from '../components/loading.tsx';
import { onDemand } from '../components/on-demand.tsx';
import { Page } from '../components/page.tsx';
import { OrganizationsProvider } from '../features/organization/organizations.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { api } from '../lib/api.ts';
import { usePersonalData } from '../lib/data.ts';
import { useMay } from '../lib/organization.ts';
import { loginFrom, paths } from '../lib/paths.ts';
import { messageOf } from '../lib/problem.ts';
import { clearSession, token, UserContext } from '../lib/session.ts';
import { discardUnsaved, leaveBy } from '../lib/unsaved.ts';

const TermsOverlay = onDemand(() => import('../features/legal/terms-overlay.tsx'), null);

/** Provides the signed-in user, and shows the terms until they are accepted. */
export function Session({ children }: { children: ReactNode }) {
  const { data: user, mutate } = useSignedIn();
  return (
    <UserContext value={user}>
      <OrganizationsProvider>{children}</OrganizationsProvider>
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
  if (!token()) {
    location.replace(loginFrom(location));
    return null;
  }
  // Until the terms are accepted, the API refuses the requests of the pages.
  if (user) return user.terms_accepted ? <Outlet /> : null;
  if (!error) return <PageShape />;
  return (
    <Page title="Not available" heading="Your account could not be loaded">
      <Failure problem={error} onRetry={() => mutate()}>
        <Button variant="ghost" onClick={logOut}>
          Logout
        </Button>
      </Failure>
    </Page>
  );
}

type Without = { title?: string; children?: ReactNode };

/** Routes that need an active organization, and the right of their page. If the user has none, the shell shows a notice, and `children` may say more. */
export function WithOrganization({ title = 'No organization', children = null }: Without) {
  const { active, problem, retry } = useOrganizations();
  const right = useMatches().at(-1)?.handle as Action | undefined;
  const may = useMay();
  if (active && may(right)) return <Outlet />;
  if (active) {
    return (
      <Page title="Not available" heading="You can view this organization, but not change it">
        <p>To change something, please contact an admin or owner.</p>
      </Page>
    );
  }
  if (!problem) return <Page title={title}>{children}</Page>;
  const message = `Failed to load organizations. ${messageOf(problem)}`;
  return (
    <Page title="Not available" heading="Your organizations could not be loaded">
      <Failure problem={problem} message={message} onRetry={retry} />
    </Page>
  );
}

/** Signing out waits this long for the server. */
const LOGOUT_WAIT_MS = 3000;

/** Asks first if a form is unsaved. */
export const logOut = () => leaveBy(endSession);

/** Signs out in this browser even if the request fails or takes too long. */
export async function endSession() {
  discardUnsaved();
  const waited = new Promise(resolve => setTimeout(resolve, LOGOUT_WAIT_MS));
  await Promise.race([api('POST /api/logout').catch(() => undefined), waited]);
  clearSession(paths.login());
}
