import { createContext, useContext } from 'react';
import type { Organization } from '#shared/organization.ts';

export type Organizations = {
  /** Undefined until they are loaded. */
  all: Organization[] | undefined;
  active: Organization | undefined;
  /** Why they could not be loaded. */
  problem: unknown;
  retry: () => void;
  /** Switches to another one; asks first if a form is unsaved. */
  activate: (id: number) => void;
  /** Switches to the organization that the item of the current page belongs to. The page stays. */
  follow: (id: number) => void;
  /** The organization that `follow` has switched to, until the user switches to another one. */
  followed: number | undefined;
  /** Updates an organization in the cache. */
  updateInCache: (organization: Organization) => Promise<unknown>;
  /** Removes a deleted organization from the cache. */
  removeFromCache: (id: number) => Promise<unknown>;
  /** Opens the dialog for a new organization. */
  create: () => void;
};

export const OrganizationsContext = createContext<Organizations | undefined>(undefined);

export function useOrganizations(): Organizations {
  const organizations = useContext(OrganizationsContext);
  if (!organizations) throw new Error('useOrganizations is called outside of OrganizationsProvider.');
  return organizations;
}
