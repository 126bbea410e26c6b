import { useEffect, useEffectEvent, useState } from 'react';
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router';
import { PageShape } from '../components/loading.tsx';
import { onDemand } from '../components/on-demand.tsx';
import { type Missing, MissingContext } from '../entities/use-leave-missing.ts';
import { WithinOrganization } from '../features/organization/organizations.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { inParallel } from '../lib/concurrency.ts';
import { paths } from '../lib/paths.ts';
import { isMissing, Problem } from '../lib/problem.ts';
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

const ASKED_AT_ONCE = 4;

/**
 * The organization in which a request succeeds; then no others are tried. Undefined if each of them refuses the request.
 * Rejects if none has the item but a request has failed, since that organization may have it.
 */
export async function findOrganization<T extends { id: number }>(
  organizations: readonly T[],
  call: (organization: number, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let found: T | undefined;
  let failure: unknown;

  async function ask(organization: T) {
    try {
      await call(organization.id, either);
      found ??= organization;
      ended.abort();
    } catch (problem) {
      if (!isRefused(problem)) failure ??= problem;
    }
  }

  await inParallel(organizations, ASKED_AT_ONCE, ask, () => either.aborted);
  if (!found && failure !== undefined) throw failure;
  return found;
}

/** 403 means that the user is not a member any more, or that their role lacks the right. */
const isRefused = (problem: unknown) =>
  problem instanceof Problem && [403, 404].includes(problem.status ?? 0);
