import { Invitation, MemberPageQuery, Members } from './invitation.ts';
import { Member, MemberInvite, RoleChange } from './organization.ts';
import type { RouteTable } from './route.ts';

// biome-ignore format: a table of routes
export const memberRoutes = {
  'GET /api/organizations/{organization}/members': { id: 'listMembers', permission: 'members:read',
    query: MemberPageQuery, answer: Members,
    summary: 'A page of the members of an organization; for its managers the first has the pending invitations' },
  'POST /api/organizations/{organization}/members': { id: 'inviteMember', permission: 'members:invite',
    body: MemberInvite, status: 201, answer: Invitation,
    summary: 'Invite an address, or invite it again' },
  'PUT /api/organizations/{organization}/members/{member}': { id: 'updateMember', permission: 'members:edit',
    body: RoleChange, answer: Member,
    summary: 'Change the role of a member' },
  'DELETE /api/organizations/{organization}/members/{member}': { id: 'removeMember', permission: 'members:remove',
    summary: 'Remove a member' },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': {
    id: 'cancelInvitation', permission: 'invitations:cancel',
    summary: 'Cancel a pending invitation' },
} as const satisfies RouteTable;
