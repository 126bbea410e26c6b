import * as rate from '#core/account/call-budgets.ts';
import { whenFor } from '#core/automation/due/send-slots.ts';
import * as columns from '#core/list/list-member/columns.ts';
import * as listExport from '#core/list/list-member/export.ts';
import * as listMembers from '#core/list/list-member/list-member.ts';
import * as activity from '#core/person/activity.ts';
import * as erasure from '#core/person/erasure.ts';
import { explain } from '#core/person/explanation.ts';
import * as personExport from '#core/person/person-export.ts';
import { listsOf } from '#shared/audience.ts';
import { BUDGETS } from '#shared/budgets.ts';
import { erasureRoutes } from '#shared/erasure.ts';
import { explanationRoutes } from '#shared/explanation.ts';
import { exportRoutes } from '#shared/export.ts';
import { listMemberRoutes } from '#shared/list-member.ts';
import { automation, list, listMember, listMemberAction } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { described, log } from '../platform/log.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

const failed = (what: string, error: unknown) => log.error(what, { error: described(error) });

export const handler = serveBoth(
  { ...listMemberRoutes, ...exportRoutes, ...erasureRoutes, ...explanationRoutes },
  {
    'GET /api/email-lists/{list}/members': async ({ list, query, active, now }) => {
      const whenOf = whenFor({}, { organization: active.organization, list: undefined }, now);
      const { audience } = query;
      if (audience) {
        // Each list that the conditions name is read for all members.
        const reads = 1 + new Set(listsOf(audience)).size;
        await rate.countCalls({ table, now }, active.organization.id, BUDGETS.filters, reads);
      }
      return listMembers.page({ table }, list, query, audience && { audience, whenOf });
    },
    'POST /api/email-lists/{list}/members/actions': async ({ list, body, now, hasTimeLeft }) => ({
      results: await listMembers.changeMany({ table, now, hasTimeLeft, failed }, list, body),
    }),
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
      activity.actions({ table, now }, active.organization.id, query.list_member_id),
    'GET /api/list-member-actions/{listMemberAction}/email-content': ({ active, listMemberAction, now }) =>
      activity.emailContent(
        { table, now, publicUrl: env('PUBLIC_URL'), organization: active.organization },
        listMemberAction,
      ),

    'GET /api/email-lists/{list}/export': ({ list, query, user, by, now }) =>
      listExport.exportPage({ table, now, user, by }, list, query.cursor),
    'POST /api/recipients/export': ({ active, body, user, by, now }) =>
      personExport.page({ table, now, user, by }, active.organization.id, body),

    'POST /api/recipients/erase': ({ active, body, user, by, now, hasTimeLeft }) =>
      erasure.erase({ table, now, user, by, hasTimeLeft }, active.organization.id, body.email),

    'GET /api/list-members/{listMember}/automations/{automation}': ({ listMember, automation, now }) =>
      explain({ table, now }, listMember, automation),
  },
  { automation, list, listMember, listMemberAction },
);
