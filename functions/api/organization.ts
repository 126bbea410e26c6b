import { attention } from '#core/home/attention.ts';
import * as firstSteps from '#core/home/first-steps.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organization from '#core/organization/organization.ts';
import * as record from '#core/organization/record.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { attentionRoutes } from '#shared/attention.ts';
import { firstStepsRoutes } from '#shared/first-steps.ts';
import { holdoutRoutes } from '#shared/holdout.ts';
import { organizationRoutes } from '#shared/organization.ts';
import { recordRoutes } from '#shared/record.ts';
import { safeguardsRoutes } from '#shared/safeguards.ts';
import { sendingHoursRoutes } from '#shared/sending-hours.ts';
import { serveBoth } from '../http/serve.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  {
    ...organizationRoutes,
    ...recordRoutes,
    ...attentionRoutes,
    ...firstStepsRoutes,
    ...safeguardsRoutes,
    ...sendingHoursRoutes,
    ...holdoutRoutes,
  },
  {
    'GET /api/organizations': ({ user, query }) => organization.listOf({ table }, user, query.after),
    'POST /api/organizations': ({ user, body, now }) =>
      organization.create({ table, now }, user, body.name, body.time_zone),
    'PUT /api/organizations/{organization}': ({ active, body, user, by, now }) =>
      organization.change({ table, now, user, by }, active, body),
    'DELETE /api/organizations/{organization}': ({ active, now }) =>
      organization.remove({ table, now }, active),
    'PUT /api/organizations/{organization}/logo': ({ active, body, user, by, now }) =>
      organization.changeLogo({ table, now, user, by, objects }, active, body.logo),
    'GET /api/organizations/{organization}/record': ({ active, query }) =>
      record.page({ table }, active.organization.id, query),

    'GET /api/attention': ({ active, now }) => attention({ table, now }, active),
    'GET /api/first-steps': ({ active, now }) => firstSteps.firstSteps({ table, now }, active),
    'PUT /api/first-steps': ({ active, body, now }) =>
      firstSteps.dismiss({ table, now }, active, body.dismissed),

    'GET /api/safeguards': ({ active }) => safeguards.read(table, active.organization.id),
    'PUT /api/safeguards': ({ active, body, user, by, now }) =>
      safeguards.change({ table, now, user, by, role: active.membership.role }, active.organization.id, body),
    'GET /api/holdout': async ({ active }) => holdout.shown(active.organization),
    'PUT /api/holdout': ({ active, body, user, by, now }) =>
      holdout.change({ table, now, user, by }, active.organization, body),
    'GET /api/sending-hours': async ({ active }) => sendingHours.shown(active.organization),
    'PUT /api/sending-hours': ({ active, body, user, by, now }) =>
      sendingHours.change({ table, now, user, by }, active.organization, body),
  },
);
