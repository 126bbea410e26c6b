import * as z from 'zod/mini';
import {
  type AutomationChange,
  automationFields as automation,
  count,
  Eligibility,
  include_existing,
  MailedList,
  MOST_DAYS,
  revision,
  STARTS,
} from './automation.ts';
import { BUDGETS } from './budgets.ts';
import { LOOKED_AT } from './forecast.ts';
import { LAST_PAGE, MOST_STEPS } from './limits.ts';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';
import { ANY_TIME, NEGATIVE, WEEKDAYS, ZONES_OF } from './schedule.ts';
import { line } from './text.ts';

/** `active` is the wish: nothing is sent while the sequence is not active. */
const Step = z.object({
  automation_id: z.string(),
  name: z.string(),
  delay_days: z.int(),
  delay_minutes: z.int(),
  active: z.boolean(),
  email_eligibility: Eligibility,
});

export const Sequence = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  email_list_ids: z.array(z.string()),
  email_lists: z.array(MailedList),
  metadata_trigger: z.nullable(z.string()),
  starts_at: z.enum(STARTS),
  audience: automation.audience,
  send_at: z.nullable(z.string()),
  time_zone_of: z.enum(ZONES_OF),
  days_off: z.array(z.enum(WEEKDAYS)),
  holdout_percent: z.int(),
  steps: z.array(Step),
  /** Where one sequence is answered: people who were there already are still to be queued. */
  mails_existing: z.optional(z.boolean()),
  created_at: z.iso.datetime(),
  /** Another one after each change. */
  revision: z.string(),
});
export type Sequence = z.infer<typeof Sequence>;

const STEP_ID = 'automation_id must be the id of a step; leave it out for a new one';

const StepInput = z.object(
  {
    automation_id: z.optional(z.string({ error: STEP_ID }).check(z.regex(/^[a-z0-9]{12}$/, STEP_ID))),
    name: z.optional(automation.name),
    delay_days: z.optional(count(0, NEGATIVE, MOST_DAYS)),
    delay_minutes: z.optional(automation.delay_minutes),
    active: z.optional(automation.active),
  },
  { error: 'A step must be an object with its delay' },
);
export type StepInput = z.infer<typeof StepInput>;

export const stepFault = (index: number, text: string) => `Step ${index + 1}: ${text}`;

const Steps = z.pipe(
  z
    .array(z.unknown(), { error: 'steps must be a list of steps' })
    .check(z.maxLength(MOST_STEPS, `A sequence has at most ${MOST_STEPS} steps: leave some out`)),
  z.transform((raw, context): StepInput[] =>
    raw.map((step, index) => {
      const parsed = StepInput.safeParse(step);
      for (const { message } of parsed.error?.issues ?? []) {
        context.issues.push({ code: 'custom', input: step, message: stepFault(index, message) });
      }
      return parsed.data ?? {};
    }),
  ),
);

export const NO_STEPS = 'Add a step before you activate the sequence';
export const NOT_LATER = 'It must go later than the step before it';
export const UNKNOWN_STEP =
  'It is not a step of this sequence any more: leave automation_id out to add a new step';
export const SAME_STEP = 'It is in the list already';

/** What all steps have in common: an automation of each has a copy. */
const shared = {
  email_list_ids: automation.email_list_ids,
  metadata_trigger: automation.metadata_trigger,
  starts_at: automation.starts_at,
  audience: automation.audience,
  send_at: automation.send_at,
  time_zone_of: automation.time_zone_of,
  days_off: automation.days_off,
  holdout_percent: automation.holdout_percent,
} satisfies { [Field in keyof AutomationChange]?: unknown };

const LONGEST_NAME = 100;
const fields = {
  name: line('Name is required', 'Name', LONGEST_NAME),
  active: automation.active,
  ...shared,
  steps: Steps,
};

export { fields as sequenceFields };

export const NewSequence = z.object({
  ...fields,
  active: z._default(fields.active, false),
  email_list_ids: z._default(fields.email_list_ids, []),
  metadata_trigger: z._default(fields.metadata_trigger, null),
  starts_at: z.optional(fields.starts_at),
  audience: z._default(fields.audience, null),
  send_at: z._default(fields.send_at, ANY_TIME.send_at),
  time_zone_of: z._default(fields.time_zone_of, ANY_TIME.time_zone_of),
  days_off: z._default(fields.days_off, ANY_TIME.days_off),
  holdout_percent: z._default(fields.holdout_percent, 0),
  steps: z._default(fields.steps, []),
  include_existing,
});
export type NewSequence = z.infer<typeof NewSequence>;

/** `steps` are all steps: those with their `automation_id` are kept, the others are new. */
export const SequenceChange = z.partial(z.object({ ...fields, include_existing, revision }));
export type SequenceChange = z.infer<typeof SequenceChange>;

export const SequencePeople = z.object({
  /** How many people wait for each step, in the order of the steps; of a step that is off, none. */
  steps: z.array(z.object({ automation_id: z.string(), people: z.int() })),
  /** The margin is that of the step whose number is the least certain. */
  ...LOOKED_AT,
});
export type SequencePeople = z.infer<typeof SequencePeople>;

// biome-ignore format: a table of routes
export const sequenceRoutes = {
  'GET /api/sequences': { id: 'listSequences', v1: true, mcp: true, permission: 'automations:read',
    query: z.object({ page: z._default(whole('page', LAST_PAGE), 1) }), answer: z.array(Sequence),
    summary: 'A page of 100 sequences of the active organization, by name' },
  'POST /api/sequences': { id: 'createSequence', v1: true, permission: 'automations:edit', switches: true,
    body: NewSequence, status: 201, answer: Sequence,
    summary: 'Create a sequence, with its steps' },
  'GET /api/sequences/{sequence}': { id: 'getSequence', v1: true, permission: 'automations:read', answer: Sequence,
    summary: 'A sequence' },
  'PUT /api/sequences/{sequence}': { id: 'updateSequence', v1: true, permission: 'automations:edit', switches: true,
    body: SequenceChange, answer: Sequence,
    summary: 'Change a sequence and its steps, activate or deactivate it' },
  'GET /api/sequences/{sequence}/people': { id: 'countSequencePeople', v1: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: SequencePeople,
    summary: 'How many people wait for each step of a sequence' },
  'DELETE /api/sequences/{sequence}': { id: 'deleteSequence', v1: true, permission: 'automations:edit',
    summary: 'Delete a sequence with its steps' },
} as const satisfies RouteTable;
