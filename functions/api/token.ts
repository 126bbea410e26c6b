import * as token from '#core/account/token.ts';
import { tokenRoutes } from '#shared/token.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(tokenRoutes, {
  'GET /api/tokens': async ({ user }) => ({ tokens: await token.listOf({ table }, user) }),
  'POST /api/tokens': async ({ user, body, now }) => ({
    token: await token.create({ table, now }, user, body),
  }),
  'DELETE /api/tokens': ({ user }) => token.removeAll({ table }, user),
  'DELETE /api/tokens/{id}': ({ user, params }) => token.remove({ table }, user, params.id),
});
