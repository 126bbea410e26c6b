import * as automations from '#core/automation/automation.ts';
import * as dryRuns from '#core/sending/dry-run.ts';
import { withAutomation } from '#core/sending/predict.ts';
import { dryRunRoutes } from '#shared/dry-run.ts';
import { automation, list } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

type Needs = { active: { organization: { id: number } }; now: Date; hasTime: (besides?: number) => boolean };

const dryRun = ({ active, now, hasTime }: Needs, change: dryRuns.Change) =>
  dryRuns.dryRun({ table, now, hasTime }, active.organization.id, change);

export const handler = serve(
  dryRunRoutes,
  {
    'POST /api/automations/dry-run': async ({ body, ...needs }) => {
      const { id } = needs.active.organization;
      const { automation } = await automations.newAutomation({ table, now: needs.now }, id, body);
      return dryRun(needs, state => withAutomation(state, automation));
    },
    'PUT /api/automations/{automation}/dry-run': async ({ automation, body, ...needs }) => {
      const changed = await automations.changed({ table, now: needs.now }, automation, body);
      return dryRun(needs, state => withAutomation(state, changed));
    },
    'PUT /api/automations/{automation}/content/dry-run': async ({ automation, body, ...needs }) =>
      dryRun(needs, await dryRuns.withLinks(table, automation, body)),
    'PUT /api/safeguards/dry-run': ({ body, ...needs }) => dryRun(needs, dryRuns.withSafeguards(body)),
    'PUT /api/sending-hours/dry-run': ({ body, ...needs }) =>
      dryRun(needs, dryRuns.withSendingHours(body, needs.now)),
    'PUT /api/email-lists/{list}/dry-run': async ({ list, body, ...needs }) =>
      dryRun(needs, dryRuns.withList(list, body, needs.now)),
    'PUT /api/email-lists/{list}/mailgun-key/dry-run': ({ list, body, ...needs }) =>
      dryRun(needs, dryRuns.withSendingKey(list, body)),
    'POST /api/content-links/dry-run': async ({ body, ...needs }) =>
      dryRun(needs, await dryRuns.withContent(table, needs.active.organization.id, body)),
  },
  { automation, list },
);
