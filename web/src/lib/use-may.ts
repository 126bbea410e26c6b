import { type Action, may } from '#shared/permissions.ts';
import { useOrganization } from './organization.ts';

/** Tells which actions the user may do in the active organization; none while there is no active one. */
export function useMay() {
  const role = useOrganization()?.role;
  return (action: Action) => role !== undefined && may(role, action);
}
