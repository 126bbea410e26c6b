import * as users from '#core/account/user.ts';
import * as automations from '#core/automation/automation.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as firstSteps from '#core/home/first-steps.ts';
import { allNamed } from '#core/list/event/event.store.ts';
import { earnersAfter } from '#core/reporting/earnings.ts';
import { estimateLimit } from '#core/reporting/limits.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { countMatching, countWaiting } from '#core/sending/forecast/audience-count.ts';
import * as dryRuns from '#core/sending/forecast/dry-run.ts';
import * as forecast from '#core/sending/forecast/forecast.ts';
import { type Change, withAutomation } from '#core/sending/forecast/predict.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import * as previews from '#core/sending/preview.ts';
import { automationRoutes } from '#shared/automation.ts';
import { broadcastRoutes } from '#shared/broadcast.ts';
import { dryRunRoutes } from '#shared/dry-run.ts';
import { eventRoutes } from '#shared/event.ts';
import { may } from '#shared/permissions.ts';
import { sequenceRoutes } from '#shared/sequence.ts';
import { testEmailRoutes } from '#shared/test-email.ts';
import { automation, broadcast, list, sequence } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { mailer } from '../platform/mailer.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';
import { ses } from '../providers/ses/ses.ts';

const publicUrl = () => env('PUBLIC_URL');

type Needs = {
  active: { organization: { id: number } };
  now: Date;
  hasTimeLeft: (reserveMs?: number) => boolean;
};

const testNeeds = <Of>(organization: Of, now: Date) => ({
  table,
  now,
  publicUrl: publicUrl(),
  organization,
  vault,
  providers: { mailgun, ses },
});

const dryRun = ({ active, now, hasTimeLeft }: Needs, change: Change, begun?: dryRuns.Begun) =>
  dryRuns.dryRun({ table, now, hasTimeLeft }, active.organization.id, change, begun);

export const handler = serveBoth(
  {
    ...automationRoutes,
    ...testEmailRoutes,
    ...sequenceRoutes,
    ...broadcastRoutes,
    ...eventRoutes,
    ...dryRunRoutes,
  },
  {
    'GET /api/events': ({ active }) => allNamed(table, active.organization.id),
    'GET /api/automations': ({ active, query }) =>
      automations.page({ table }, active.organization.id, query.page),
    'POST /api/automations': ({ active, body, user, by, now }) =>
      automations.create({ table, now, user, by }, active.organization.id, body),
    'GET /api/automations/{automation}': ({ automation }) => automations.detail({ table }, automation),
    'PUT /api/automations/{automation}': ({ automation, body, user, by, now }) =>
      automations.change({ table, now, user, by }, automation, body),
    'DELETE /api/automations/{automation}': ({ automation, user, by, now }) =>
      automations.remove({ table, now, user, by }, automation),
    'GET /api/automations/{automation}/simulate': async ({ automation, active, now, hasTimeLeft }) => {
      automations.requireAutomation(automation);
      const simulation = await simulate({ table, now, hasTimeLeft }, automation);
      // A step of those who set up the organization: whoever only reads changes nothing.
      if (may(active.membership.role, 'automations:edit'))
        await firstSteps.recordSimulation({ table, now }, active);
      return simulation;
    },
    'GET /api/automations/{automation}/forecast': ({ automation, now, hasTimeLeft }) => {
      automations.requireAutomation(automation);
      return forecast.ofAutomation({ table, now, hasTimeLeft }, automation);
    },
    'POST /api/automations/forecast': async ({ active, body, query, now, hasTimeLeft }) => {
      const { automation } = await automations.newAutomation({ table, now }, active.organization.id, body);
      const draft = { ...automation, id: query.automation ?? automation.id, active: false };
      return forecast.ofDraft({ table, now, hasTimeLeft }, draft);
    },
    'GET /api/forecast': ({ active, now, hasTimeLeft }) =>
      forecast.ofOrganization({ table, now, hasTimeLeft }, active.organization.id),
    'GET /api/upcoming': ({ active, now, hasTimeLeft }) =>
      forecast.upcoming({ table, now, hasTimeLeft }, active.organization.id),
    'POST /api/audience/count': ({ active, body, now, hasTimeLeft }) =>
      countMatching({ table, now, hasTimeLeft }, active.organization, body),
    'GET /api/automations-for-assets': ({ active }) => automations.options({ table }, active.organization.id),
    'GET /api/automations-for-templates': ({ active }) =>
      automations.options({ table }, active.organization.id),
    'GET /api/automations/{automation}/preview': ({ active: { organization }, automation, query, now }) =>
      previews.preview({ table, now, publicUrl: publicUrl(), organization }, automation, {
        seed: previews.newSeed(),
        useTemplates: query.use_templates !== 'false',
        member: query.member,
      }),
    'GET /api/automations/{automation}/preview-members': ({ automation, query }) =>
      previews.membersFor({ table }, automation, query.search),
    'POST /api/automations/{automation}/test-email': async ({ active, automation, body, user, now }) => {
      const { email } = await users.find({ table }, user);
      await previews.sendTest(testNeeds(active.organization, now), automation, {
        seed: body.seed,
        useTemplates: body.use_templates,
        member: body.member,
        to: email,
      });
      return { sent_to: email };
    },
    'POST /api/test-emails': async ({ active, body, user, now }) => {
      const { email } = await users.find({ table }, user);
      await previews.sendDraftTest({ ...testNeeds(active.organization, now), mailer }, body, email);
      return { sent_to: email };
    },

    'GET /api/sequences': ({ active, query }) =>
      sequences.page({ table }, active.organization.id, query.page),
    'POST /api/sequences': ({ active, body, user, by, now }) =>
      sequences.create({ table, now, user, by }, active.organization.id, body),
    'GET /api/sequences/{sequence}': ({ sequence }) => sequences.detail({ table }, sequence),
    'PUT /api/sequences/{sequence}': ({ sequence, body, user, by, now }) =>
      sequences.change({ table, now, user, by }, sequence, body),
    'DELETE /api/sequences/{sequence}': ({ sequence, user, by, now }) =>
      sequences.remove({ table, now, user, by }, sequence),
    'GET /api/sequences/{sequence}/people': ({ sequence, now, hasTimeLeft }) =>
      countWaiting({ table, now, hasTimeLeft }, sequence),
    'GET /api/broadcasts': ({ active, query, now }) =>
      broadcasts.page({ table, now }, active.organization.id, query.page),
    'POST /api/broadcasts': ({ active, body, user, by, now }) =>
      broadcasts.create({ table, now, user, by }, active, body),
    'GET /api/broadcasts/{broadcast}': ({ broadcast, now }) => broadcasts.detail({ table, now }, broadcast),
    'PUT /api/broadcasts/{broadcast}': ({ active, broadcast, body, user, by, now }) =>
      broadcasts.change({ table, now, user, by }, active, broadcast, body),
    'DELETE /api/broadcasts/{broadcast}': ({ broadcast, user, by, now }) =>
      broadcasts.remove({ table, now, user, by }, broadcast),
    'GET /api/broadcasts/{broadcast}/forecast': ({ broadcast, now, hasTimeLeft }) =>
      forecast.forecastBroadcast({ table, now, hasTimeLeft }, broadcast),
    'POST /api/broadcasts/forecast': async ({ active, body, now, hasTimeLeft }) => {
      const { draft, linked } = await broadcasts.newBroadcast({ table, now }, active.organization.id, body);
      return forecast.forecastBroadcast({ table, now, hasTimeLeft }, draft, linked);
    },

    'POST /api/automations/dry-run': async ({ body, ...needs }) => {
      const { automation } = await automations.newAutomation(
        { table, now: needs.now },
        needs.active.organization.id,
        body,
      );
      return dryRun(needs, withAutomation(automation), dryRuns.begunBy(undefined, automation, body));
    },
    'PUT /api/automations/{automation}/dry-run': async ({ automation, body, ...needs }) => {
      const after = await automations.changed({ table, now: needs.now }, automation, body);
      return dryRun(needs, withAutomation(after), dryRuns.begunBy(automation, after, body));
    },
    'PUT /api/automations/{automation}/content/dry-run': async ({ automation, body, ...needs }) =>
      dryRun(needs, await dryRuns.withLinks(table, automation, body)),
    'POST /api/sequences/dry-run': ({ active, body, now, hasTimeLeft }) =>
      dryRuns.dryRunOfSequence({ table, now, hasTimeLeft }, active.organization.id, undefined, body),
    'PUT /api/sequences/{sequence}/dry-run': ({ active, sequence, body, now, hasTimeLeft }) =>
      dryRuns.dryRunOfSequence({ table, now, hasTimeLeft }, active.organization.id, sequence, body),
    'PUT /api/safeguards/dry-run': async ({ body, ...needs }) => {
      const { active, now, hasTimeLeft } = needs;
      const earners = await earnersAfter({ table, now, hasTimeLeft }, active.organization.id, body);
      return dryRun(needs, dryRuns.withSafeguards(body, earners));
    },
    'GET /api/safeguards/estimate': ({ active, query, now, hasTimeLeft }) =>
      estimateLimit({ table, now, hasTimeLeft }, active.organization.id, query),
    'PUT /api/sending-hours/dry-run': ({ body, ...needs }) =>
      dryRun(needs, dryRuns.withSendingHours(body, needs.now)),
    'PUT /api/holdout/dry-run': ({ body, ...needs }) => dryRun(needs, dryRuns.withHoldout(body)),
    'PUT /api/organizations/{organization}/dry-run': ({ body, ...needs }) =>
      dryRun(needs, dryRuns.withOrganization(body, needs.now)),
    'PUT /api/email-lists/{list}/dry-run': async ({ list, body, ...needs }) =>
      dryRun(needs, await dryRuns.withList({ table, now: needs.now }, list, body)),
    'PUT /api/email-lists/{list}/mailgun-key/dry-run': async ({ list, body, ...needs }) =>
      dryRun(needs, await dryRuns.withSendingKey(table, list, body)),
    'POST /api/content-links/dry-run': async ({ body, ...needs }) =>
      dryRun(needs, await dryRuns.withContent(table, needs.active.organization.id, body)),
  },
  { automation, broadcast, list, sequence },
);
