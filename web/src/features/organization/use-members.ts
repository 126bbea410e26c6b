import type { Organization } from '../../../../shared/organization.ts';
import { useOrganizationData } from '../../lib/data.ts';
import { saidOr } from '../../lib/problem.ts';

/** The members and pending invitations of the active organization. */
export function useMembers({ id }: Organization) {
  const { data, error, mutate } = useOrganizationData('GET /api/organizations/{organization}/members', {
    params: { organization: String(id) },
  });
  return { data, error, mutate, failure: saidOr(error, 'Failed to load organization members') };
}
