import * as list from '../core/list/list.ts';
import * as listMember from '../core/list-member/list-member.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve<'v1'>({
  'GET /api/v1/email-lists': async ({ active }) =>
    (await list.listOf({ table }, active.organization.id)).map(list.summarized),
  'POST /api/v1/email-lists/{list}/members': async ({ list: found, body, now }) => ({
    results: await listMember.upsertAll({ table, now }, found, body.members),
  }),
});
