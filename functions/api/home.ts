import { attention } from '#core/home/attention.ts';
import * as firstSteps from '#core/home/first-steps.ts';
import { attentionRoutes } from '#shared/attention.ts';
import { firstStepsRoutes } from '#shared/first-steps.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  { ...attentionRoutes, ...firstStepsRoutes },
  {
    'GET /api/attention': ({ active, now }) => attention({ table, now }, active),
    'GET /api/first-steps': ({ active, now }) => firstSteps.firstSteps({ table, now }, active),
    'PUT /api/first-steps': ({ active, body, now }) =>
      firstSteps.dismiss({ table, now }, active, body.dismissed),
  },
);
