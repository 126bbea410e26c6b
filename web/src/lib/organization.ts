import { createContext, useContext } from 'react';
import type { Organization } from '../../../shared/organization.ts';
import { readStored, writeStored } from './storage.ts';

const STORED = 'activeOrganizationId';

/** The organization whose data the pages show. */
export const OrganizationContext = createContext<Organization | undefined>(undefined);
export const useOrganization = () => useContext(OrganizationContext);

/** The stored one if the user is still its member, else their default, else the first. */
export function chooseOrganization(organizations: readonly Organization[], stored: string | null) {
  return (
    organizations.find(({ id }) => String(id) === stored) ??
    organizations.find(({ is_default }) => is_default) ??
    organizations[0]
  );
}

export const storedOrganization = () => readStored(STORED);
export const storeOrganization = (id: number) => writeStored(STORED, String(id));

/** The input of a call about an organization, which is made within it; `more` are the other names in its path. */
export const organizationInput = <More extends object>(id: number, more?: More) => ({
  params: { organization: String(id), ...(more as More) },
  organization: id,
});

const refusals = new EventTarget();

/** A call within an organization was answered 403 or 404: the user may have been removed, or have another role. */
export const emitRefusal = () => refusals.dispatchEvent(new Event('refusal'));

export function onRefusal(listen: () => void) {
  refusals.addEventListener('refusal', listen);
  return () => refusals.removeEventListener('refusal', listen);
}
