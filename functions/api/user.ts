import * as session from '#core/account/session.ts';
import * as token from '#core/account/token.ts';
import * as user from '#core/account/user.ts';
import * as organization from '#core/organization/organization.ts';
import * as record from '#core/organization/record.ts';
import { tokenRoutes } from '#shared/token.ts';
import { userRoutes } from '#shared/user.ts';
import { serveUser } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serveUser(
  { ...userRoutes, ...tokenRoutes },
  {
    'GET /api/user': async ({ session: { user_id } }) => user.shown(await user.find({ table }, user_id)),
    'POST /api/user/accept-terms': ({ session: { user_id }, now }) =>
      user.acceptTerms({ table, now }, user_id),
    'GET /api/user/sessions': async ({ session: current, now }) => ({
      sessions: await session.listed({ table, now }, current),
    }),
    'DELETE /api/user/sessions': ({ session: current }) => session.endOthers({ table }, current),
    'DELETE /api/user/sessions/{id}': ({ session: current, params }) =>
      session.endOne({ table }, current, params.id),

    'GET /api/tokens': async ({ user }) => ({ tokens: await token.listOf({ table }, user) }),
    'POST /api/tokens': async ({ user, by, body, named, now }) => {
      const chosen = named();
      if (chosen !== undefined || body.scopes)
        await organization.requireScopes({ table }, user, chosen, body.scopes ?? []);
      const recorded = await record.recordedOf({ table, now, user, by }, 'token');
      return {
        token: await token.create({ table, now, recorded }, user, { ...body, organization_id: chosen }),
      };
    },
    'DELETE /api/tokens': async ({ user, by, now }) => {
      const recorded = await record.recordedOf({ table, now, user, by }, 'token');
      return token.removeAll({ table, recorded }, user);
    },
    'DELETE /api/tokens/{id}': async ({ user, by, now, params }) => {
      const recorded = await record.recordedOf({ table, now, user, by }, 'token');
      return token.remove({ table, recorded }, user, params.id);
    },
  },
);
