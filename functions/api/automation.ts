import * as users from '#core/account/user.ts';
import * as automations from '#core/automation/automation.ts';
import * as firstSteps from '#core/home/first-steps.ts';
import * as forecast from '#core/sending/forecast.ts';
import * as previews from '#core/sending/preview.ts';
import { simulate } from '#core/sending/simulation.ts';
import { automationRoutes } from '#shared/automation.ts';
import { automation } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';

const publicUrl = () => env('PUBLIC_URL');

export const handler = serve(
  automationRoutes,
  {
    'GET /api/automations': ({ active, query }) =>
      automations.page({ table }, active.organization.id, query.page),
    'POST /api/automations': ({ active, body, user, now }) =>
      automations.create({ table, now, user }, active.organization.id, body),
    'GET /api/automations/{automation}': ({ automation }) => automations.detail({ table }, automation),
    'PUT /api/automations/{automation}': ({ automation, body, user, now }) =>
      automations.change({ table, now, user }, automation, body),
    'DELETE /api/automations/{automation}': ({ automation, user, now }) =>
      automations.remove({ table, now, user }, automation),
    'GET /api/automations/{automation}/simulate': async ({ automation, active, now, hasTime }) => {
      const simulation = await simulate({ table, now, hasTime }, automation);
      await firstSteps.recordSimulation({ table, now }, active);
      return simulation;
    },
    'GET /api/automations/{automation}/forecast': ({ automation, now, hasTime }) =>
      forecast.ofAutomation({ table, now, hasTime }, automation),
    'GET /api/forecast': ({ active, now, hasTime }) =>
      forecast.ofOrganization({ table, now, hasTime }, active.organization.id),
    'GET /api/upcoming': ({ active, now, hasTime }) =>
      forecast.upcoming({ table, now, hasTime }, active.organization.id),
    'GET /api/automations-for-assets': ({ active }) => automations.options({ table }, active.organization.id),
    'GET /api/automations-for-templates': ({ active }) =>
      automations.options({ table }, active.organization.id),
    'GET /api/automations/{automation}/preview': ({ automation, query, now }) =>
      previews.preview({ table, now, publicUrl: publicUrl() }, automation, {
        seed: previews.newSeed(),
        useTemplates: query.use_templates !== 'false',
        member: query.member,
      }),
    'GET /api/automations/{automation}/preview-members': ({ automation, query }) =>
      previews.membersFor({ table }, automation, query.search),
    'POST /api/automations/{automation}/test-email': async ({ automation, body, user, now }) => {
      const { email } = await users.find({ table }, user);
      const needs = { table, now, publicUrl: publicUrl(), vault, provider: mailgun };
      await previews.sendTest(needs, automation, {
        ...{ seed: body.seed, useTemplates: body.use_templates, member: body.member, to: email },
      });
      return { sent_to: email };
    },
  },
  { automation },
);
