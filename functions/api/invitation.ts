import * as user from '#core/account/user.ts';
import * as invitation from '#core/organization/invitation/invitation.ts';
import { invitationRoutes } from '#shared/invitation.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(invitationRoutes, {
  'GET /api/user/invitations': async ({ user: id, now }) => {
    const { email } = await user.find({ table }, id);
    return { invitations: await invitation.pendingFor({ table, now }, email) };
  },
  'GET /api/invitations/validate/{token}': async ({ user: id, params, now }) => {
    const reader = id === undefined ? undefined : await user.find({ table }, id);
    return invitation.validate({ table, now }, params.token, reader);
  },
  'POST /api/invitations/accept/{token}': async ({ user: id, params, now }) => {
    await invitation.accept({ table, now }, params.token, await user.find({ table }, id));
    return { success: true };
  },
  'POST /api/invitations/reject/{token}': async ({ user: id, params, now }) => {
    await invitation.reject({ table, now }, params.token, await user.find({ table }, id));
    return { success: true };
  },
});
