import { createContext, useContext } from 'react';
import { ORGANIZATIONS_PAGE } from '#shared/limits.ts';
import type { Organization, Role } from '#shared/organization.ts';
import { ASSIGNABLE_ROLES } from '#shared/permissions.ts';
import { api } from '#web/lib/api.ts';

export type Organizations = {
  all: Organization[] | undefined;
  active: Organization | undefined;
  problem: unknown;
  retry: () => void;
  /** Switches to another one; asks first if a form is unsaved. */
  activate: (id: number) => void;
  /** Switches to the organization that the item of the current page belongs to. The page stays. */
  follow: (id: number) => void;
  /** The organization that `follow` has switched to, until the user switches to another one. */
  followed: number | undefined;
  updateInCache: (organization: Organization) => Promise<unknown>;
  removeFromCache: (id: number) => Promise<unknown>;
  create: () => void;
  /** Pauses all sending of the active organization, or resumes it; undefined if the user may not. */
  setSending: ((active: boolean) => void) | undefined;
};

export const OrganizationsContext = createContext<Organizations | undefined>(undefined);

export function useOrganizations(): Organizations {
  const organizations = useContext(OrganizationsContext);
  if (!organizations) throw new Error('useOrganizations is called outside of OrganizationsProvider.');
  return organizations;
}

/** All organizations of the user, page by page: the default one first, then in the order they were created. */
export async function loadOrganizations(): Promise<Organization[]> {
  const all: Organization[] = [];
  for (let page = await api('GET /api/organizations'); ; ) {
    all.push(...page);
    if (page.length < ORGANIZATIONS_PAGE) break;
    const after = String(Math.max(...page.map(({ id }) => id)));
    page = await api('GET /api/organizations', { query: { after } });
  }
  return all.sort((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id);
}

export const ROLE_NAMES: Record<Role, string> = {
  OWNER: 'Owner',
  ADMIN: 'Admin',
  USER: 'User',
  VIEWER: 'Viewer',
};

export const ROLE_OPTIONS = ASSIGNABLE_ROLES.map(role => ({ value: role, label: ROLE_NAMES[role] }));

/** What pauses or resumes all sending is called everywhere. */
export const sendingText = (active: boolean) => (active ? 'Pause all sending' : 'Resume sending');
