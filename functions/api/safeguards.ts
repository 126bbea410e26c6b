import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { safeguardsRoutes } from '#shared/safeguards.ts';
import { sendingHoursRoutes } from '#shared/sending-hours.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  { ...safeguardsRoutes, ...sendingHoursRoutes },
  {
    'GET /api/safeguards': ({ active }) => safeguards.read(table, active.organization.id),
    'PUT /api/safeguards': ({ active, body, user, now }) =>
      safeguards.change({ table, now, user }, active.organization.id, body),
    'GET /api/sending-hours': async ({ active }) => sendingHours.shown(active.organization),
    'PUT /api/sending-hours': ({ active, body, now }) =>
      sendingHours.change({ table, now }, active.organization, body),
  },
);
