import { createContext, useContext } from 'react';
import type { Organization } from '../../../shared/organization.ts';

const STORED = 'activeOrganizationId';

/** The organization whose data the pages show. */
export const OrganizationContext = createContext<Organization | undefined>(undefined);
export const useOrganization = () => useContext(OrganizationContext);

/** The one that was chosen last if the user still has it, else their default, else the first. */
export function chooseOrganization(organizations: readonly Organization[], stored: string | null) {
  return (
    organizations.find(({ id }) => String(id) === stored) ??
    organizations.find(({ is_default }) => is_default) ??
    organizations[0]
  );
}

export const storedOrganization = () => localStorage.getItem(STORED);
export const storeOrganization = (id: number) => localStorage.setItem(STORED, String(id));

const refusals = new EventTarget();

/** A call within an organization was refused: perhaps one is no member any more, or has another role. */
export const tellRefusal = () => refusals.dispatchEvent(new Event('refusal'));

export function onRefusal(listen: () => void) {
  refusals.addEventListener('refusal', listen);
  return () => refusals.removeEventListener('refusal', listen);
}
