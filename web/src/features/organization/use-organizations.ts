import { createContext, useContext } from 'react';
import type { Organization } from '../../../../shared/organization.ts';

export type Organizations = {
  /** Undefined until they are loaded. */
  all: Organization[] | undefined;
  active: Organization | undefined;
  /** Why they could not be loaded. */
  problem: unknown;
  retry: () => void;
  /** Switches, after asking where something is unsaved. */
  activate: (id: number) => void;
  /** Shows an organization as it was just answered. */
  keep: (organization: Organization) => Promise<unknown>;
  /** Shows one no more that was just deleted. */
  drop: (id: number) => Promise<unknown>;
  /** Opens the dialog for a new one. */
  create: () => void;
};

export const OrganizationsContext = createContext<Organizations | undefined>(undefined);

export function useOrganizations(): Organizations {
  const organizations = useContext(OrganizationsContext);
  if (!organizations) throw new Error('useOrganizations is called outside of OrganizationsProvider.');
  return organizations;
}
