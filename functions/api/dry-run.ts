import * as automations from '#core/automation/automation.ts';
import * as effect from '#core/sending/effect/effect.ts';
import * as planned from '#core/sending/effect/planned.ts';
import { dryRunRoutes } from '#shared/dry-run.ts';
import { automation, list } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

type Needs = { active: { organization: { id: number } }; now: Date; hasTime: (besides?: number) => boolean };

const effectOf = ({ active, now, hasTime }: Needs, change: Parameters<typeof effect.effectOf>[2]) =>
  effect.effectOf({ table, now, hasTime }, active.organization.id, change);

export const handler = serve(
  dryRunRoutes,
  {
    'POST /api/automations/dry-run': async ({ body, ...needs }) => {
      const { automation } = await automations.newAutomation(
        { table, now: needs.now },
        needs.active.organization.id,
        body,
      );
      return effectOf(needs, planned.withAutomation(automation));
    },
    'PUT /api/automations/{automation}/dry-run': async ({ automation, body, ...needs }) =>
      effectOf(
        needs,
        planned.withAutomation(await automations.changed({ table, now: needs.now }, automation, body)),
      ),
    'PUT /api/automations/{automation}/content/dry-run': async ({ automation, body, ...needs }) =>
      effectOf(needs, await planned.withLinks(table, automation, body)),
    'PUT /api/safeguards/dry-run': ({ body, ...needs }) => effectOf(needs, planned.withSafeguards(body)),
    'PUT /api/sending-hours/dry-run': ({ body, ...needs }) =>
      effectOf(needs, planned.withSendingHours(body, needs.now)),
    'PUT /api/email-lists/{list}/dry-run': async ({ list, body, ...needs }) =>
      effectOf(needs, planned.withList(list, body, needs.now)),
    'PUT /api/email-lists/{list}/mailgun-key/dry-run': ({ list, body, ...needs }) =>
      effectOf(needs, planned.withSendingKey(list, body)),
    'POST /api/content-links/dry-run': async ({ body, ...needs }) =>
      effectOf(needs, await planned.withContent(table, needs.active.organization.id, body)),
  },
  { automation, list },
);
