import { useEffect, useEffectEvent, useState } from 'react';
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router';
import { PageShape } from '../components/loading.tsx';
import { onDemand } from '../components/on-demand.tsx';
import { type Missing, MissingContext } from '../entities/use-leave-missing.ts';
import { WithinOrganization } from '../features/organization/organizations.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { findOrganization } from '../lib/find-organization.ts';
import { paths } from '../lib/paths.ts';
import { isMissing } from '../lib/problem.ts';
import { toast } from '../lib/toasts.ts';

const MissingPage = onDemand(() => import('./missing-page.tsx'), <PageShape />);

/** Routes that show data of the active organization: they are remounted when another one becomes active. */
export function OrganizationBoundary() {
  const isOfPreviousOrganization = useIsOfPreviousOrganization();
  const { isLeaving, notFound, leave, retry } = useLeave();
  return (
    <WithinOrganization waiting={<PageShape />}>
      <MissingContext value={leave}>
        {isOfPreviousOrganization ? (
          <Navigate to={paths.lists()} replace />
        ) : notFound ? (
          <MissingPage {...notFound} onRetry={retry} />
        ) : isLeaving ? (
          <PageShape />
        ) : (
          <Outlet />
        )}
      </MissingContext>
    </WithinOrganization>
  );
}

/** Whether the path names an item of the organization that was active before the user switched. */
function useIsOfPreviousOrganization() {
  const { active, followed } = useOrganizations();
  const [shown, setShown] = useState(active?.id);
  const named = useMatches().some(({ params }) => Object.keys(params).length > 0);
  const isOfPreviousOrganization =
    named && shown !== undefined && shown !== active?.id && followed !== active?.id;
  useEffect(() => {
    if (!isOfPreviousOrganization) setShown(active?.id);
  }, [isOfPreviousOrganization, active?.id]);
  return isOfPreviousOrganization;
}

/** Leaves a page whose subject is missing: the page is unmounted until its organization or another page is found. */
function useLeave() {
  const { all = [], active, follow } = useOrganizations();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const here = `${active?.id} ${pathname}`;
  const [leaving, setLeaving] = useState<{ missing: Missing; from: string; message?: string }>();
  if (leaving && leaving.from !== here) setLeaving(undefined);

  const find = ({ problem, wasLoaded, call }: Missing, signal: AbortSignal) => {
    const others = all.filter(({ id }) => id !== active?.id);
    return isMissing(problem) && !wasLoaded ? findOrganization(others, call, signal) : undefined;
  };
  const locateOwner = useEffectEvent(async (missing: Missing, signal: AbortSignal) => {
    let { problem } = missing;
    const found = await find(missing, signal)?.catch(failure => {
      problem = failure;
    });
    if (signal.aborted) return;
    if (found) {
      follow(found.id);
      toast(`Switched to ${found.name}, which this ${missing.noun} belongs to.`, 'info');
    } else if (!isMissing(problem)) {
      setLeaving({ missing: { ...missing, problem }, from: here, message: missing.failed });
    } else if (missing.back) {
      setLeaving({ missing, from: here, message: missing.missing });
    } else {
      toast(missing.missing, 'error');
      await navigate(missing.to, { replace: true });
    }
  });
  useEffect(() => {
    if (!leaving || leaving.message) return;
    const search = new AbortController();
    void locateOwner(leaving.missing, search.signal);
    return () => search.abort();
  }, [leaving]);

  return {
    isLeaving: leaving !== undefined,
    notFound: leaving?.message ? { missing: leaving.missing, message: leaving.message } : undefined,
    leave: (missing: Missing) => setLeaving({ missing, from: here }),
    retry: () => setLeaving(undefined),
  };
}
