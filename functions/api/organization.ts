import * as organization from '../core/organization/organization.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve<'organization'>({
  'GET /api/organizations': ({ session }) => organization.listOf({ table }, session.user_id),
});
