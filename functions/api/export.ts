import * as listMembers from '#core/list/list-member/export.ts';
import * as personExport from '#core/person/person-export.ts';
import { exportRoutes } from '#shared/export.ts';
import { list } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  exportRoutes,
  {
    'GET /api/email-lists/{list}/export': ({ list, query }) =>
      listMembers.exportPage({ table }, list, query.cursor),
    'POST /api/recipients/export': ({ active, body, now }) =>
      personExport.page({ table, now, publicUrl: env('PUBLIC_URL') }, active.organization.id, body),
  },
  { list },
);
