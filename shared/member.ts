import * as z from 'zod/mini';
import { Address } from './address.ts';
import { Invitation } from './invitation.ts';
import { AssignableRole, Role } from './organization.ts';
import type { RouteTable } from './route.ts';

export const Member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  is_owner: z.boolean(),
});
export type Member = z.infer<typeof Member>;

export const MemberInvite = z.object({ email: Address, role: AssignableRole });
const RoleChange = z.object({ role: AssignableRole });

const LONGEST_CURSOR = 200;
const MembersQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(LONGEST_CURSOR, 'This cursor is not valid'))),
});
export const Members = z.object({
  members: z.array(Member),
  next_cursor: z.nullable(z.string()),
  /** All pending invitations, on the first page of members only. */
  pending_invitations: z.array(Invitation),
});
export type Members = z.infer<typeof Members>;

// biome-ignore format: a table of routes
export const memberRoutes = {
  'GET /api/organizations/{organization}/members': { id: 'listMembers', permission: 'members:read',
    query: MembersQuery, answer: Members,
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
