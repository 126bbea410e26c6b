import { MEMBERS_A_CALL } from '#core/account/call-budgets.ts';
import * as events from '#core/list/event/event.ts';
import * as lists from '#core/list/list.ts';
import * as listMembers from '#core/list/list-member/rows.ts';
import * as value from '#core/reporting/value.ts';
import { PROGRAM_RATE } from '#shared/limits.ts';
import { MOST_BODY_BYTES } from '#shared/route.ts';
import { v1Routes } from '#shared/v1.ts';
import { list } from '../http/path-params.ts';
import { serveProgram } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serveProgram(
  v1Routes,
  {
    'GET /api/v1/me': async ({ active: { organization, membership }, scopes, max_people }) => ({
      organization: { id: organization.id, name: organization.name, currency: organization.currency ?? null },
      role: membership.role,
      scopes,
      limits: {
        calls: PROGRAM_RATE.most,
        seconds: PROGRAM_RATE.seconds,
        body_bytes: MOST_BODY_BYTES,
        rows: MEMBERS_A_CALL,
        max_people: max_people ?? null,
      },
    }),
    'GET /api/v1/email-lists': async ({ active, now }) =>
      (await lists.listOf({ table, now }, active.organization.id)).map(lists.summarized),
    'POST /api/v1/email-lists/{list}/members': async ({ list, body, now }) => ({
      results: await listMembers.upsertAll({ table, now }, list, body.members),
    }),
    'POST /api/v1/events': async ({ active, body, now }) => ({
      results: await events.storeAll({ table, now }, active.organization.id, body.events),
    }),
    'POST /api/v1/value': ({ active: { organization }, body, now }) =>
      value.post({ table, now, currency: organization.currency }, organization.id, body),
  },
  { list },
);
