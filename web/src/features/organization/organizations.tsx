import { Fragment, type ReactNode, useEffect, useState } from 'react';
import type { Organization } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { forgetOrganization, usePersonalData } from '#web/lib/data.ts';
import {
  chooseOrganization,
  OrganizationContext,
  onRefusal,
  storedOrganization,
  storeOrganization,
} from '#web/lib/organization.ts';
import { token } from '#web/lib/session.ts';
import { toast } from '#web/lib/toasts.ts';
import { leaveBy } from '#web/lib/unsaved.ts';
import {
  loadOrganizations,
  type Organizations,
  OrganizationsContext,
  useOrganizations,
} from './use-organizations.ts';

const NewOrganizationDialog = onDemand(() => import('./new-organization-dialog.tsx'));

const REFRESH = 60_000;
const LOST_ACCESS_TOAST_MS = 8_000;

export function OrganizationsProvider({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState(storedOrganization);
  const [followed, setFollowed] = useState<number>();
  const [creating, setCreating] = useState(false);
  const route = token() ? 'GET /api/organizations' : undefined;
  const {
    data: all,
    error,
    mutate,
  } = usePersonalData(route, undefined, {
    fetcher: loadOrganizations,
    refreshInterval: REFRESH,
    onSuccess: announceLostAccess,
  });
  const active = chooseOrganization(all ?? [], chosen);

  function announceLostAccess(fresh: Organization[]) {
    if (!active || fresh.some(({ id }) => id === active.id)) return;
    const next = chooseOrganization(fresh, null);
    const where = next ? ` You are now in ${next.name}.` : '';
    toast(`You no longer have access to ${active.name}.${where}`, 'warning', LOST_ACCESS_TOAST_MS);
  }

  useStoredActive(active?.id, setChosen);
  useEffect(() => onRefusal(() => void mutate()), [mutate]);

  // The switcher keeps its previous data, and each page shows the errors of its own requests.
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: a failed load of the organizations is only logged
    if (error) console.warn('Failed to load organizations', error);
  }, [error]);

  function choose(id: number, followedId?: number) {
    setFollowed(followedId);
    setChosen(String(id));
  }
  const updateInCache = (organization: Organization) =>
    mutate((known = []) => withThis(known, organization), { revalidate: false });
  const removeFromCache = (id: number) =>
    mutate((known = []) => known.filter(other => other.id !== id), { revalidate: false });

  const organizations: Organizations = {
    all,
    active,
    problem: error,
    retry: () => void mutate(),
    activate: id => leaveBy(() => choose(id)),
    follow: id => choose(id, id),
    followed,
    updateInCache,
    removeFromCache,
    create: () => setCreating(true),
    setSending:
      active && may(active.role, 'organization:edit')
        ? async to => (await import('./pausing.ts')).setSending(active, to, updateInCache)
        : undefined,
  };
  return (
    <OrganizationsContext value={organizations}>
      <OrganizationContext value={active}>{children}</OrganizationContext>
      {creating && <NewOrganizationDialog onClose={() => setCreating(false)} />}
    </OrganizationsContext>
  );
}

/** Stores the active organization, and clears the cache of the previous one. */
function useStoredActive(active: number | undefined, setChosen: (id: string) => void) {
  useEffect(() => {
    if (active === undefined) return;
    storeOrganization(active);
    // After a fallback to another organization, the previous choice must not become active again by itself.
    setChosen(String(active));
    return () => forgetOrganization(active);
  }, [active, setChosen]);
}

const withThis = (known: Organization[], organization: Organization) =>
  known.some(({ id }) => id === organization.id)
    ? known.map(other => (other.id === organization.id ? organization : other))
    : [...known, organization];

/** Renders `waiting` until the organizations are loaded, and remounts its children when another one becomes active. */
export function WithinOrganization({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const { all, active, problem } = useOrganizations();
  return all || problem ? <Fragment key={active?.id}>{children}</Fragment> : waiting;
}

/** Shown above every page while no organization is active. */
export function NoOrganization() {
  const { all, active } = useOrganizations();
  if (!all || active) return null;
  return (
    <Notice tone="warning" mb="5">
      <strong>No active organization</strong> - Please select an organization to continue.
    </Notice>
  );
}
