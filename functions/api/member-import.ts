import * as memberImports from '#core/list/member-import/member-import.ts';
import { ofImport } from '#core/sending/forecast/forecast.ts';
import { memberImportRoutes } from '#shared/member-import.ts';
import { list, memberImport } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  memberImportRoutes,
  {
    'GET /api/email-lists/{list}/imports': ({ list }) => memberImports.importsOf({ table }, list),
    'POST /api/email-lists/{list}/imports': ({ list, body, user, now, active }) =>
      memberImports.create({ table, now, user, role: active.membership.role }, list, body),
    'POST /api/email-lists/{list}/imports/dry-run': async ({ list, body, now, active }) => ({
      results: await memberImports.check({ table, now, role: active.membership.role }, list, body),
    }),
    'POST /api/email-lists/{list}/imports/forecast': async ({ list, body, now, hasTimeLeft, active }) => {
      const tried = await memberImports.tryMembers({ table, now, role: active.membership.role }, list, body);
      return ofImport({ table, now, hasTimeLeft }, active.organization.id, tried, body);
    },
    'GET /api/email-lists/{list}/imports/{memberImport}': async ({ memberImport }) =>
      memberImports.shown(memberImport),
    'PUT /api/email-lists/{list}/imports/{memberImport}': ({ memberImport, now }) =>
      memberImports.cancel({ table, now }, memberImport),
    'POST /api/email-lists/{list}/imports/{memberImport}/rows': ({
      list,
      memberImport,
      body,
      ...request
    }) => {
      const { now, hasTimeLeft, active } = request;
      const needs = { table, now, hasTimeLeft, role: active.membership.role };
      return memberImports.addRows(needs, list, memberImport, body);
    },
    'POST /api/email-lists/{list}/imports/{memberImport}/undo': ({ memberImport, now, hasTimeLeft }) =>
      memberImports.undo({ table, now, hasTimeLeft }, memberImport),
    'GET /api/email-lists/{list}/imports/{memberImport}/members': ({ memberImport, query }) =>
      memberImports.members({ table }, memberImport, query.cursor),
    'GET /api/email-lists/{list}/imports/{memberImport}/errors': ({ memberImport, query }) =>
      memberImports.errors({ table }, memberImport, query.cursor),
  },
  { list, memberImport },
);
