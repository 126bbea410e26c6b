import * as z from 'zod/mini';
import { Role } from './organization.ts';
import type { RouteTable } from './route.ts';

export const INVITATION_DAYS = 7;

export const Invitation = z.object({
  id: z.string(),
  token: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z.object({ name: z.string() }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  organization: z.object({ name: z.string() }),
});
export type Invitation = z.infer<typeof Invitation>;

export const Invitations = z.object({ invitations: z.array(Invitation) });

/** Only fields that a signed-out user, or one with another address, may see. */
export const InvitationCheck = z.object({
  valid: z.boolean(),
  message: z.optional(z.string()),
  invitation: z.optional(z.partial(Invitation)),
  email_mismatch: z.optional(z.boolean()),
  invitation_email: z.optional(z.string()),
  user_email: z.optional(z.string()),
});
export type InvitationCheck = z.infer<typeof InvitationCheck>;

export const mismatch = (invited: string, signedIn: string) =>
  `This invitation was sent to ${invited}, but you're logged in as ${signedIn}.`;

const Answered = z.object({ success: z.literal(true) });

// biome-ignore format: a table of routes
export const invitationRoutes = {
  'GET /api/user/invitations': { id: 'listInvitations', permission: 'session', beforeTerms: true, answer: Invitations,
    summary: 'The pending invitations of the user who is signed in' },
  'GET /api/invitations/validate/{token}': { id: 'validateInvitation', permission: 'guest', answer: InvitationCheck,
    summary: 'Whether an invitation can be accepted' },
  'POST /api/invitations/accept/{token}': { id: 'acceptInvitation', permission: 'session', answer: Answered,
    summary: 'Accept an invitation' },
  'POST /api/invitations/reject/{token}': { id: 'rejectInvitation', permission: 'session', answer: Answered,
    summary: 'Reject an invitation' },
} as const satisfies RouteTable;
