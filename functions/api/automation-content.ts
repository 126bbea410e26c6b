import * as automationContent from '#core/content/automation-content.ts';
import { automationContentRoutes } from '#shared/automation-content.ts';
import { automation } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  automationContentRoutes,
  {
    'GET /api/automations/{automation}/content': ({ automation }) =>
      automationContent.detail({ table }, automation),
    'PUT /api/automations/{automation}/content': ({ active, automation, body, now }) =>
      automationContent.change({ table, now }, active, automation, body),
  },
  { automation },
);
