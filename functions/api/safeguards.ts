import { safeguardsRoutes } from '../../shared/safeguards.ts';
import * as safeguards from '../core/organization/safeguards/safeguards.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(safeguardsRoutes, {
  'GET /api/safeguards': ({ active }) => safeguards.read(table, active.organization.id),
  'PUT /api/safeguards': ({ active, body, user, now }) =>
    safeguards.change({ table, now, user }, active.organization.id, body),
});
