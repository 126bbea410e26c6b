import * as users from '#core/account/user.ts';
import * as invitations from '#core/organization/invitation.ts';
import * as members from '#core/organization/member.ts';
import { invitationRoutes } from '#shared/invitation.ts';
import { memberRoutes } from '#shared/member.ts';
import { may } from '#shared/permissions.ts';
import { invitation, member } from '../http/path-params.ts';
import { serve } from '../http/serve.ts';
import { mailer } from '../platform/mailer.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

const linkTo = (secret: string) => `${env('PUBLIC_URL')}/invitations/accept/${secret}`;

export const handler = serve(
  { ...memberRoutes, ...invitationRoutes },
  {
    'GET /api/organizations/{organization}/members': async ({ active, query: { cursor }, now }) => {
      const seesInvitations = cursor === undefined && may(active.membership.role, 'invitations:read');
      return {
        ...(await members.page({ table }, active, cursor)),
        pending_invitations: seesInvitations ? await invitations.pendingOf({ table, now }, active) : [],
      };
    },
    'POST /api/organizations/{organization}/members': ({ active, body, user, by, now }) =>
      invitations.send({ table, now, user, by, mailer, linkTo }, active, body),
    'PUT /api/organizations/{organization}/members/{member}': ({ active, member, body, user, by, now }) =>
      members.changeRole({ table, now, user, by }, active, member, body.role),
    'DELETE /api/organizations/{organization}/members/{member}': ({ active, member, user, by, now }) =>
      members.remove({ table, now, user, by }, active, member),
    'DELETE /api/organizations/{organization}/invitations/{invitation}': ({ invitation, user, by, now }) =>
      invitations.cancel({ table, now, user, by }, invitation),

    'GET /api/user/invitations': async ({ user, now }) => {
      const { email } = await users.find({ table }, user);
      return { invitations: await invitations.pendingFor({ table, now }, email) };
    },
    'GET /api/invitations/validate/{token}': async ({ user, params, now }) => {
      const reader = user === undefined ? undefined : await users.find({ table }, user);
      return invitations.validate({ table, now }, params.token, reader);
    },
    'POST /api/invitations/accept/{token}': async ({ user, by, params, now }) => {
      await invitations.accept({ table, now, user, by }, params.token, await users.find({ table }, user));
      return { success: true };
    },
    'POST /api/invitations/reject/{token}': async ({ user, params, now }) => {
      await invitations.reject({ table, now }, params.token, await users.find({ table }, user));
      return { success: true };
    },
  },
  { member, invitation },
);
