import * as z from 'zod/mini';
import { automationFields, count, MOST_DAYS, MOST_LISTS } from './automation.ts';
import { AUTOMATION_ID, MOST_LINKED } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { AssetValue } from './content-rules.ts';
import { AssetName, AssetType, IsActive } from './email-asset.ts';
import { EmailTemplateChange } from './email-template.ts';
import { LOOKED_AT } from './forecast.ts';
import { Holdout } from './holdout.ts';
import { MOST_STEPS } from './limits.ts';
import { SCOPE_NAMES } from './permissions.ts';
import type { RouteTable } from './route.ts';
import { SafeguardsChange, WINDOWS } from './safeguards.ts';
import { NEGATIVE } from './schedule.ts';
import { NOT_SENT, type NotSent } from './send-status.ts';
import { SendingHoursChange } from './sending-hours.ts';
import { sequenceFields } from './sequence.ts';

export const NO_FIELD = 'There is no such field';
const strict = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? NO_FIELD : undefined) });

const LONGEST_REFERENCE = 100;
/** What exists, by its id or by its name. */
const Reference = z
  .string({ error: 'Must be an id or a name' })
  .check(
    z.minLength(1, 'Must be an id or a name'),
    z.maxLength(LONGEST_REFERENCE, `Must have at most ${LONGEST_REFERENCE} characters`),
  );
const references = (what: string, most: number) =>
  z
    .array(Reference, { error: `${what} must be a list of ids or names` })
    .check(z.maxLength(most, `${what} can have at most ${most} entries`));

const MOST_ENTRIES = 1_000;
const entries = <S extends z.ZodMiniType>(what: string, entry: S) =>
  z.optional(
    z
      .array(entry, { error: `${what} must be a list` })
      .check(z.maxLength(MOST_ENTRIES, `${what} can have at most ${MOST_ENTRIES} entries`)),
  );

const IdOfEntry = z.optional(Reference);
const Lists = z.optional(references('email_lists', MOST_LISTS));
const Automations = z.optional(references('automations', MOST_LINKED));

const { email_list_ids: _, ...ofAutomation } = automationFields;
/** Fields that are left out stay as they are; of a new one they are as in the call that creates it. */
const PlannedAutomation = strict({
  id: IdOfEntry,
  ...z.partial(z.object(ofAutomation)).shape,
  email_lists: Lists,
});
export type PlannedAutomation = z.infer<typeof PlannedAutomation>;

const STEP_ID = 'automation_id must be the id of a step';
const STEP_NAME = 'Give each step its name, or its automation_id';
const PlannedStep = strict({
  automation_id: z.optional(z.string({ error: STEP_ID }).check(z.regex(AUTOMATION_ID, STEP_ID))),
  name: z.optional(automationFields.name),
  delay_days: z.optional(count(0, NEGATIVE, MOST_DAYS)),
  delay_minutes: z.optional(automationFields.delay_minutes),
  active: z.optional(automationFields.active),
}).check(
  z.refine(({ automation_id, name }) => (automation_id ?? name) !== undefined, {
    error: STEP_NAME,
    path: ['name'],
  }),
);

const { email_list_ids: __, steps: ___, ...ofSequence } = sequenceFields;
/** `steps` are all steps: one that the sequence has, by its automation_id or its name, is kept; the others are new. */
const PlannedSequence = strict({
  id: IdOfEntry,
  ...z.partial(z.object(ofSequence)).shape,
  email_lists: Lists,
  steps: z.optional(
    z
      .array(PlannedStep, { error: 'steps must be a list of steps' })
      .check(z.maxLength(MOST_STEPS, `A sequence has at most ${MOST_STEPS} steps: leave some out`)),
  ),
});
export type PlannedSequence = z.infer<typeof PlannedSequence>;

const { automation_ids: ____, ...ofTemplate } = EmailTemplateChange.shape;
/** Parts that differ make a new wording, with the links of the one before. */
const PlannedTemplate = strict({ id: IdOfEntry, ...ofTemplate, automations: Automations });
export type PlannedTemplate = z.infer<typeof PlannedTemplate>;

/** Found by its type and its name, as the assets of a set have one name. */
const PlannedAsset = strict({
  id: IdOfEntry,
  name: z.optional(z.nullable(AssetName)),
  type: z.optional(AssetType),
  value: z.optional(AssetValue),
  is_active: z.optional(IsActive),
  automations: Automations,
});
export type PlannedAsset = z.infer<typeof PlannedAsset>;

const deleted = (what: string) => z.optional(references(what, MOST_ENTRIES));

export const DesiredState = strict({
  automations: entries('automations', PlannedAutomation),
  sequences: entries('sequences', PlannedSequence),
  templates: entries('templates', PlannedTemplate),
  assets: entries('assets', PlannedAsset),
  safeguards: z.optional(strict(SafeguardsChange.shape)),
  sending_hours: z.optional(strict(SendingHoursChange.shape)),
  holdout: z.optional(strict(Holdout.shape)),
  delete: z.optional(
    strict({
      automations: deleted('automations'),
      sequences: deleted('sequences'),
      templates: deleted('templates'),
      assets: deleted('assets'),
    }),
  ),
});
export type DesiredState = z.infer<typeof DesiredState>;

export const PLANNED = [
  'automation',
  'sequence',
  'template',
  'asset',
  'safeguards',
  'sending_hours',
  'holdout',
] as const;
export type Planned = (typeof PLANNED)[number];

/** The fields that differ. Lists and automations are shown by their names. */
const Fields = z.nullable(z.record(z.string(), z.unknown()));

export const PlannedChange = z.object({
  kind: z.enum(PLANNED),
  /** Of what the plan creates, null until it is applied. */
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  action: z.enum(['create', 'change', 'delete', 'new_wording']),
  before: Fields,
  after: Fields,
});
export type PlannedChange = z.infer<typeof PlannedChange>;

export const MOST_REACHED_SAMPLES = 10;
/** People for whom a plan begins, or ends, the emails of an automation within the 30 days. */
const Reached = z.object({
  count: z.int(),
  /** As in `sampled`, for this count. */
  margin: z.int(),
  samples: z.array(z.object({ list_member_id: z.string(), email: z.string() })),
});
export type Reached = z.infer<typeof Reached>;

const NOT_SENT_REASONS = Object.keys(NOT_SENT) as [NotSent, ...NotSent[]];
const CAPS = WINDOWS.map(({ field }) => field);

export const PlanEffect = z.object({
  /** UTC days. The first one is the rest of today. */
  days: z.array(z.object({ date: z.iso.date(), more: z.int(), fewer: z.int() })),
  newly_reached: Reached,
  no_longer_reached: Reached,
  /** The emails that each limit of the safeguards skips, to the people whom the plan touches: now, and with it. */
  binding_caps: z.array(z.object({ cap: z.enum(CAPS), emails_now: z.int(), emails: z.int() })),
  /** Why what the plan changes sends nothing to some: the emails that are left out. */
  obstacles: z.array(
    z.object({ automation: z.string(), reason: z.enum(NOT_SENT_REASONS), text: z.string(), emails: z.int() }),
  ),
  /** The margin is that of the emails, more and fewer. */
  ...LOOKED_AT,
});
export type PlanEffect = z.infer<typeof PlanEffect>;

const By = z.nullable(z.object({ id: z.string(), name: z.string() }));

export const Plan = z.object({
  hash: z.string(),
  made_at: z.iso.datetime(),
  made_by: By,
  expires_at: z.iso.datetime(),
  applied_at: z.nullable(z.iso.datetime()),
  applied_by: By,
  /** What an API token needs, besides `read`, to make and to apply it. */
  scopes: z.array(z.enum(SCOPE_NAMES)),
  changes: z.array(PlannedChange),
  effect: PlanEffect,
});
export type Plan = z.infer<typeof Plan>;

const MOST = 'max_people must be a whole number from 0 on';
export const PlanApplication = strict({
  max_people: z.optional(z.int({ error: MOST }).check(z.gte(0, MOST))),
});
export type PlanApplication = z.infer<typeof PlanApplication>;

// biome-ignore format: a table of routes
export const planRoutes = {
  'POST /api/plans': { id: 'createPlan', v1: true, mcp: true, permission: 'automations:edit', scope: 'read',
    budget: BUDGETS.predictions, body: DesiredState, status: 201, answer: Plan,
    summary: 'What it takes to reach a desired state, and which people it touches; nothing is changed' },
  'GET /api/plans/{hash}': { id: 'getPlan', v1: true, mcp: true, permission: 'automations:read', answer: Plan,
    summary: 'A plan of the last 24 hours' },
  'POST /api/plans/{hash}/apply': { id: 'applyPlan', v1: true, mcp: true, permission: 'automations:edit', scope: 'read',
    body: PlanApplication, answer: Plan,
    summary: 'Do what a plan says, once, unless something of it has changed since' },
} as const satisfies RouteTable;
