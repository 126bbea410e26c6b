import * as z from 'zod/mini';
import { AutomationChange, NewAutomation } from './automation.ts';
import { AutomationContentChange } from './automation-content.ts';
import { AutomationIds } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { PART_NAMES } from './email/content.ts';
import { LOOKED_AT } from './forecast.ts';
import { Holdout } from './holdout.ts';
import { ListChange, SendingKeyChange } from './list.ts';
import { OrganizationChange } from './organization.ts';
import { whole } from './page.ts';
import { EARNED_BY, Gain } from './reporting.ts';
import type { RouteTable } from './route.ts';
import { MOST_EMAILS, SafeguardsChange } from './safeguards.ts';
import { SendingHoursChange } from './sending-hours.ts';
import { NewSequence, SequenceChange } from './sequence.ts';

/** How many emails a change adds or removes within a time, as things are now. */
const Difference = z.object({
  /** How many more emails are sent; negative if fewer are. */
  emails: z.int(),
  /** How many people get more emails, and how many get fewer. */
  people_more: z.int(),
  people_fewer: z.int(),
});
export type Difference = z.infer<typeof Difference>;

export const DryRun = z.object({
  next_24_hours: Difference,
  next_7_days: Difference,
  /** When the first email is due that would not be sent without the change; null if there is none. */
  first_at: z.nullable(z.iso.datetime()),
  /** Whom `include_existing` would mail, or mails: people whose first email would have been due already. */
  existing: z.int(),
  ...LOOKED_AT,
});
export type DryRun = z.infer<typeof DryRun>;

const KINDS = ['template', ...PART_NAMES] as const;

const MANY_KINDS = 'kinds must be template or types of email assets';

/** Content that would be created, or existing content that would be linked, unlinked, activated or deactivated. */
export const ContentLinks = z
  .object({
    /** The id of existing content. Omitted fields stay as they are. */
    id: z.optional(z.string({ error: 'id must be the id of content' }).check(z.maxLength(64))),
    kind: z.optional(z.enum(KINDS, { error: 'kind must be template or a type of email assets' })),
    kinds: z.optional(
      z
        .array(z.enum(KINDS, { error: MANY_KINDS }), { error: MANY_KINDS })
        .check(z.minLength(1, MANY_KINDS), z.maxLength(KINDS.length, MANY_KINDS)),
    ),
    is_active: z.optional(z.boolean({ error: 'is_active must be true or false' })),
    automation_ids: z.optional(AutomationIds),
  })
  .check(
    z.refine(({ id, kind, kinds }) => [id, kind, kinds].filter(one => one !== undefined).length === 1, {
      error: 'Name either an id or, of new content, its kind or its kinds',
      path: ['kind'],
    }),
  );
export type ContentLinks = z.infer<typeof ContentLinks>;

export const LimitQuery = z.object({ max_emails_1_week: whole('max_emails_1_week', MOST_EMAILS) });

/** The next 30 days with this limit, and as limits are now: how much more is sent, or less. */
export const LimitEstimate = z.object({
  ...Difference.shape,
  earned_by: z.enum(EARNED_BY),
  /** What these emails probably earn; null while too little is known, or where there is no difference. */
  earned: z.nullable(Gain),
  ...LOOKED_AT,
});
export type LimitEstimate = z.infer<typeof LimitEstimate>;

const DRY_RUN = { budget: BUDGETS.predictions, answer: DryRun } as const;

// biome-ignore format: a table of routes
export const dryRunRoutes = {
  'POST /api/automations/dry-run': { id: 'tryCreateAutomation', v1: true, permission: 'automations:read',
    ...DRY_RUN, body: NewAutomation,
    summary: 'What a new automation would send; nothing is stored' },
  'PUT /api/automations/{automation}/dry-run': { id: 'tryUpdateAutomation', v1: true, permission: 'automations:read',
    ...DRY_RUN, body: AutomationChange,
    summary: 'What would be sent after a change of an automation, and what not any more; nothing is stored' },
  'PUT /api/automations/{automation}/content/dry-run': { id: 'tryLinkAutomationContent', v1: true, permission: 'content:read',
    ...DRY_RUN, body: AutomationContentChange,
    summary: 'What would be sent if other content were linked to an automation; nothing is stored' },
  'POST /api/sequences/dry-run': { id: 'tryCreateSequence', v1: true, permission: 'automations:read',
    ...DRY_RUN, body: NewSequence,
    summary: 'What a new sequence would send; nothing is stored' },
  'PUT /api/sequences/{sequence}/dry-run': { id: 'tryUpdateSequence', v1: true, permission: 'automations:read',
    ...DRY_RUN, body: SequenceChange,
    summary: 'What would be sent after a change of a sequence, and what not any more; nothing is stored' },
  'PUT /api/safeguards/dry-run': { id: 'tryUpdateSafeguards', v1: true, permission: 'safeguards:edit', scope: 'read',
    ...DRY_RUN, body: SafeguardsChange,
    summary: 'What would be sent after a change of the limits, and what not any more; nothing is stored' },
  'GET /api/safeguards/estimate': { id: 'estimateSafeguards', v1: true, permission: 'safeguards:read',
    ...DRY_RUN, query: LimitQuery, answer: LimitEstimate,
    summary: 'How much more would be sent in the next 30 days with another limit of a week, or less, and what that probably earns' },
  'PUT /api/sending-hours/dry-run': { id: 'tryUpdateSendingHours', v1: true, permission: 'safeguards:edit', scope: 'read',
    ...DRY_RUN, body: SendingHoursChange,
    summary: 'What would be sent with another time zone or other quiet hours, and what not any more; nothing is stored' },
  'PUT /api/holdout/dry-run': { id: 'tryUpdateHoldout', v1: true, permission: 'safeguards:edit', scope: 'read',
    ...DRY_RUN, body: Holdout,
    summary: 'What would be sent if more people were held out, or fewer; nothing is stored' },
  'PUT /api/organizations/{organization}/dry-run': { id: 'tryUpdateOrganization', v1: true, permission: 'organization:edit', scope: 'read',
    ...DRY_RUN, body: OrganizationChange,
    summary: 'What would be sent after an organization is activated, and what not any more after it is deactivated; nothing is stored' },
  'PUT /api/email-lists/{list}/dry-run': { id: 'tryUpdateEmailList', v1: true, permission: 'lists:read',
    ...DRY_RUN, body: ListChange,
    summary: 'What would be sent after a change of an email list, and what not any more; nothing is stored' },
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': { id: 'trySetSendingKey', permission: 'sending-key:edit',
    ...DRY_RUN, body: SendingKeyChange,
    summary: 'What would be sent with another sending key, and what not any more; nothing is stored' },
  'POST /api/content-links/dry-run': { id: 'tryLinkContent', v1: true, permission: 'content:read',
    ...DRY_RUN, body: ContentLinks,
    summary: 'What would be sent if content were linked to automations; nothing is stored' },
} as const satisfies RouteTable;
