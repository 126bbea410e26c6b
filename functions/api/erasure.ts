import * as record from '#core/organization/record.ts';
import * as erasure from '#core/person/erasure.ts';
import { erasureRoutes } from '#shared/erasure.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(erasureRoutes, {
  'POST /api/recipients/erase': ({ active, body, user, now, hasTime }) =>
    erasure.erase({ table, now, user, hasTime }, active.organization.id, body.email),
  'GET /api/organizations/{organization}/record': ({ active, query }) =>
    record.page({ table }, active.organization.id, query.after),
});
