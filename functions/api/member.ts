import { may } from '../../shared/permissions.ts';
import * as invitation from '../core/invitation/invitation.ts';
import * as organization from '../core/organization/organization.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { mailer } from '../platform/mailer.ts';
import { table } from '../platform/table.ts';

const linkTo = (secret: string) => `${env('PUBLIC_URL')}/invitations/accept/${secret}`;

export const handler = serve<'member'>({
  'GET /api/organizations/{organization}/members': async ({ active, query: { cursor }, now }) => {
    const seesInvitations = cursor === undefined && may(active.membership.role, 'invitations:read');
    return {
      ...(await organization.members({ table }, active, cursor)),
      pending_invitations: seesInvitations ? await invitation.pendingOf({ table, now }, active) : [],
    };
  },
  'POST /api/organizations/{organization}/members': ({ active, body, now }) =>
    invitation.send({ table, now, mailer, linkTo }, active, body),
  'PUT /api/organizations/{organization}/members/{member}': async request => {
    const member = await organization.memberToTouch({ table }, request.active, request.params.member);
    return organization.changeRole({ table }, request.active, member, request.body.role);
  },
  'DELETE /api/organizations/{organization}/members/{member}': async ({ active, params }) => {
    const member = await organization.memberToTouch({ table }, active, params.member);
    await organization.removeMember({ table }, active, member);
  },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': ({ active, params, now }) =>
    invitation.cancel({ table, now }, active, params.invitation),
});
