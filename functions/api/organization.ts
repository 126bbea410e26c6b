import * as organization from '#core/organization/organization.ts';
import { organizationRoutes } from '#shared/organization.ts';
import { serve } from '../http/serve.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

export const handler = serve(organizationRoutes, {
  'GET /api/organizations': ({ user, query }) => organization.listOf({ table }, user, query.after),
  'POST /api/organizations': ({ user, body, now }) => organization.create({ table, now }, user, body.name),
  'PUT /api/organizations/{organization}': ({ active, body, user, now }) =>
    organization.change({ table, now, user }, active, body),
  'DELETE /api/organizations/{organization}': ({ active, now }) =>
    organization.remove({ table, now }, active),
  'PUT /api/organizations/{organization}/logo': ({ active, body }) =>
    organization.changeLogo({ table, objects }, active, body.logo),
});
