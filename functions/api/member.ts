import * as invitations from '#core/organization/invitation/invitation.ts';
import * as sendStore from '#core/organization/invitation/send.ts';
import * as members from '#core/organization/member.ts';
import * as organizations from '#core/organization/organization.ts';
import { memberRoutes } from '#shared/member.ts';
import { may } from '#shared/permissions.ts';
import { invitation, member } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { mailer } from '../platform/mailer.ts';
import { table } from '../platform/table.ts';

const linkTo = (secret: string) => `${env('PUBLIC_URL')}/invitations/accept/${secret}`;

export const handler = serve(
  memberRoutes,
  {
    'GET /api/organizations/{organization}/members': async ({ active, query: { cursor }, now }) => {
      const seesInvitations = cursor === undefined && may(active.membership.role, 'invitations:read');
      return {
        ...(await organizations.members({ table }, active, cursor)),
        pending_invitations: seesInvitations ? await invitations.pendingOf({ table, now }, active) : [],
      };
    },
    'POST /api/organizations/{organization}/members': ({ active, body, now }) =>
      sendStore.send({ table, now, mailer, linkTo }, active, body),
    'PUT /api/organizations/{organization}/members/{member}': ({ active, member, body }) =>
      members.changeRole({ table }, active, member, body.role),
    'DELETE /api/organizations/{organization}/members/{member}': ({ active, member }) =>
      members.remove({ table }, active, member),
    'DELETE /api/organizations/{organization}/invitations/{invitation}': ({ invitation, now }) =>
      invitations.cancel({ table, now }, invitation),
  },
  { member, invitation },
);
