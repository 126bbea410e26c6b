import type { Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { useOrganizationData } from '../../lib/data.ts';

/** Whether the organization has other members or pending invitations; asked for who may invite some. */
export function useHasColleagues({ id, role }: Organization) {
  const isAsked = may(role, 'members:invite');
  const { data, error } = useOrganizationData(
    isAsked ? 'GET /api/organizations/{organization}/members' : undefined,
    { params: { organization: String(id) } },
  );
  return {
    hasColleagues: data && data.members.length + data.pending_invitations.length > 1,
    isLoading: isAsked && !data && !error,
  };
}
