import { listMemberRoutes } from '../../shared/list-member.ts';
import * as listMembers from '../core/list-member/list-member.ts';
import { list, listMember } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  listMemberRoutes,
  {
    'GET /api/email-lists/{list}/members': ({ list, query }) => listMembers.page({ table }, list, query),
    'GET /api/email-lists/{list}/metadata-columns': ({ list }) =>
      listMembers.metadataColumns({ table }, list),
    'POST /api/list-members': ({ active, body, now }) =>
      listMembers.add({ table, now }, active.organization.id, body),
    'GET /api/list-members/{listMember}': async ({ listMember: { list, state } }) =>
      listMembers.shown(list, state),
    'PUT /api/list-members/{listMember}': ({ listMember, body, now }) =>
      listMembers.change({ table, now }, listMember, body),
    'DELETE /api/list-members/{listMember}': ({ listMember, now }) =>
      listMembers.remove({ table, now }, listMember),
    'GET /api/list-member-actions': ({ active, query }) =>
      listMembers.actions({ table }, active.organization.id, query.list_member_id),
  },
  { list, listMember },
);
