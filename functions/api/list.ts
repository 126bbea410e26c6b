import * as list from '../core/list/list.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve<'list'>({
  'GET /api/email-lists': ({ active }) => list.listOf({ table }, active.organization.id),
  'GET /api/v1/email-lists': ({ active }) => list.listOf({ table }, active.organization.id),
});
