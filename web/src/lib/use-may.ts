import { type Action, may } from '../../../shared/permissions.ts';
import { useOrganization } from './organization.ts';

/** Tells what the user may do in the active organization: nothing while none is active. */
export function useMay() {
  const role = useOrganization()?.role;
  return (action: Action) => role !== undefined && may(role, action);
}
