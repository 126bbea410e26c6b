import { createContext, useContext } from 'react';
import type { Organization } from '#shared/organization.ts';
import { type Action, may } from '#shared/permissions.ts';
import { readStored, writeStored } from './storage.ts';

const STORED = 'activeOrganizationId';

export const OrganizationContext = createContext<Organization | undefined>(undefined);
export const useOrganization = () => useContext(OrganizationContext);

/** The stored organization if the user is still a member, else their default one, else the first one. */
export function chooseOrganization(organizations: readonly Organization[], stored: string | null) {
  return (
    organizations.find(({ id }) => String(id) === stored) ??
    organizations.find(({ is_default }) => is_default) ??
    organizations[0]
  );
}

export const storedOrganization = () => readStored(STORED);
export const storeOrganization = (id: number) => writeStored(STORED, String(id));

/** The input of a request about an organization and within it; `more` are further path parameters. */
export const organizationInput = <More extends object>(id: number, more?: More) => ({
  params: { organization: String(id), ...(more as More) },
  organization: id,
});

const refusals = new EventTarget();

/** Called after a 403 or 404 within an organization: the user may have been removed, or have another role. */
export const emitRefusal = () => refusals.dispatchEvent(new Event('refusal'));

export function onRefusal(listen: () => void) {
  refusals.addEventListener('refusal', listen);
  return () => refusals.removeEventListener('refusal', listen);
}

/** Whether the user has a right. Components with a prop `right` show what needs it to those alone who have it. */
export function useMay() {
  const role = useOrganization()?.role;
  return (right?: Action) => !right || (role !== undefined && may(role, right));
}
