import * as columns from '#core/list/list-member/columns.ts';
import * as listMembers from '#core/list/list-member/list-member.ts';
import * as activity from '#core/person/activity.ts';
import { listMemberRoutes } from '#shared/list-member.ts';
import { list, listMember, listMemberAction } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { table } from '../platform/table.ts';

const needs = (now: Date) => ({ table, now, publicUrl: env('PUBLIC_URL') });

export const handler = serve(
  listMemberRoutes,
  {
    'GET /api/email-lists/{list}/members': ({ list, query }) => listMembers.page({ table }, list, query),
    'GET /api/email-lists/{list}/metadata-columns': ({ list }) => columns.metadataColumns({ table }, list),
    'POST /api/list-members': ({ active, body, now }) =>
      listMembers.add({ table, now }, active.organization.id, body),
    'GET /api/list-members/{listMember}': async ({ listMember: { list, state } }) =>
      listMembers.shown(list, state),
    'PUT /api/list-members/{listMember}': ({ listMember, body, now }) =>
      listMembers.change({ table, now }, listMember, body),
    'DELETE /api/list-members/{listMember}': ({ listMember, now }) =>
      listMembers.remove({ table, now }, listMember),
    'GET /api/list-member-actions': ({ active, query, now }) =>
      activity.actions(needs(now), active.organization.id, query.list_member_id),
    'GET /api/list-member-actions/{listMemberAction}/email-content': ({ listMemberAction, now }) =>
      activity.emailContent(needs(now), listMemberAction),
  },
  { list, listMember, listMemberAction },
);
