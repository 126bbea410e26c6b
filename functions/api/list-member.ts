import * as listMember from '../core/list-member/list-member.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve<'list-member'>({
  'GET /api/email-lists/{list}/members': ({ list, query }) => listMember.page({ table }, list, query),
  'POST /api/list-members': ({ active, body, now }) =>
    listMember.add({ table, now }, active.organization.id, body),
  'GET /api/list-members/{member}': ({ active, params }) =>
    listMember.find({ table }, active.organization.id, params.member),
  'PUT /api/list-members/{member}': request =>
    listMember.change(
      { table, now: request.now },
      request.active.organization.id,
      request.params.member,
      () => request.body,
    ),
  'DELETE /api/list-members/{member}': ({ active, params, now }) =>
    listMember.remove({ table, now }, active.organization.id, params.member),
  'GET /api/list-member-actions': ({ active, query }) =>
    listMember.actions({ table }, active.organization.id, query.list_member_id),
});
