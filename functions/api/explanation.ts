import { explain } from '#core/person/explanation.ts';
import { explanationRoutes } from '#shared/explanation.ts';
import { automation, listMember } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  explanationRoutes,
  {
    'GET /api/list-members/{listMember}/automations/{automation}': ({ listMember, automation, now }) =>
      explain({ table, now }, listMember, automation),
  },
  { automation, listMember },
);
