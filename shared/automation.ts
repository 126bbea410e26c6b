import * as z from 'zod/mini';
import { ALLOCATIONS } from './allocation.ts';
import { Audience } from './audience-shapes.ts';
import { AUTOMATION_ID, AutomationOption } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { REQUIRED_PARTS } from './email/content.ts';
import { AudienceCount, Forecast, Upcoming } from './forecast.ts';
import { Paused } from './guard.ts';
import { HoldoutPercent } from './holdout.ts';
import { LAST_PAGE, LONGEST_SEARCH } from './limits.ts';
import { whole } from './page.ts';
import { ReplyTo } from './reply-to.ts';
import type { RouteTable } from './route.ts';
import {
  ANY_TIME,
  MOST_BEFORE,
  type MultipleSends,
  NEGATIVE,
  OCCURRENCES,
  type Occurrence,
  ORDINALS,
  PLAIN,
  REPEATS,
  scheduleFaults,
  WEEKDAYS,
  ZONES_OF,
} from './schedule.ts';
import { sendTimes } from './send-times.ts';
import { Simulation } from './simulation.ts';
import { MINUTES_OF_DAY } from './time.ts';

const FLAGS = OCCURRENCES.flatMap(nth => [`double_send_${nth}`, `triple_send_${nth}`] as const);

const flags = Object.fromEntries(
  FLAGS.map(flag => [flag, z.boolean({ error: `${flag} must be true or false` })]),
) as Record<(typeof FLAGS)[number], z.ZodMiniBoolean>;

export const Eligibility = z.object({
  is_eligible: z.boolean(),
  ...(Object.fromEntries(REQUIRED_PARTS.map(part => [part, z.boolean()])) as Record<
    (typeof REQUIRED_PARTS)[number],
    z.ZodMiniBoolean
  >),
});
export type Eligibility = z.infer<typeof Eligibility>;

export const LIST_PAUSES = ['inactive', 'no_key', 'not_verified', 'key_refused'] as const;

/** A list that an automation mails. */
export const MailedList = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  /** Why nothing is sent to it now; absent if emails are sent. */
  paused: z.optional(z.enum(LIST_PAUSES)),
});

/** What the days are counted from: when a member was added, a date in their metadata, or an event, which sets such a date. */
export const STARTS = ['added', 'date', 'event'] as const;
export type Start = (typeof STARTS)[number];

export const Automation = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  repeat: z.enum(REPEATS),
  every_x_days: z.int(),
  delay_days: z.int(),
  delay_minutes: z.int(),
  stop_after_days: z.nullable(z.int()),
  metadata_trigger: z.nullable(z.string()),
  starts_at: z.enum(STARTS),
  email_lists: z.array(MailedList),
  email_eligibility: Eligibility,
  created_at: z.iso.datetime(),
  /** Of a step: its sequence has its schedule and switches it. */
  sequence_id: z.nullable(z.string()),
  ...flags,
  send_at: z.nullable(z.string()),
  time_zone_of: z.enum(ZONES_OF),
  days_off: z.array(z.enum(WEEKDAYS)),
  dates_off: z.array(z.string()),
  audience: Audience,
  /** Instead of that of the list. */
  reply_to: z.nullable(z.string()),
  allocation: z.enum(ALLOCATIONS),
  /** So many percent of people get nothing of it; of a step, nothing of its sequence. */
  holdout_percent: z.int(),
  /** Why it is off, if nobody has switched it off. */
  paused: z.nullable(Paused),
  warned: z.nullable(Paused),
  /** Set while people who were there already are mailed; where many automations are answered, it is absent. */
  mails_existing: z.optional(z.boolean()),
});
export type Automation = z.infer<typeof Automation>;

const LONGEST_NAME = 100;
const Name = z.pipe(
  z.pipe(
    z.string({ error: 'Name is required' }),
    z.transform(text => text.trim()),
  ),
  z.string().check(
    z.refine(name => name !== '', { error: 'Name is required', abort: true }),
    z.regex(/^[A-Za-z0-9_]*$/, 'Name can only contain letters, numbers, and underscores'),
    z.maxLength(LONGEST_NAME, `Name must be at most ${LONGEST_NAME} characters`),
  ),
);

export const MOST_DAYS = 3650;
export const count = (least: number, tooSmall: string, most = MOST_DAYS) =>
  z
    .number({ error: 'Value must be a whole number' })
    .check(
      z.refine(Number.isInteger, { error: 'Value must be a whole number', abort: true }),
      z.gte(least, tooSmall),
      z.lte(most, `Value must be at most ${most.toLocaleString('en')}`),
    );

export const MOST_LISTS = 50;
export const UNKNOWN_LIST = 'One of the email lists does not exist any more';
export const UNKNOWN_AUDIENCE_LIST =
  'One of the email lists in the conditions does not exist any more: choose another one';
export const BEGINS_NOTHING =
  'Existing people can only be included by the call that activates it, or adds an email list while it is active';
export const NO_FIRST =
  'A yearly automation mails existing people at their next anniversary: leave include_existing out';
export const UNKNOWN_COLUMN = 'None of the chosen email lists has this column';
export const COLUMN_BESIDE_ADDED =
  'What starts when a member was added has no trigger column: leave metadata_trigger out, or choose date or event';
export const NO_TRIGGER: Record<Exclude<Start, 'added'>, string> = {
  date: 'Choose the metadata column with the date that starts it',
  event: 'Enter the name of the event that starts it',
};
export const NO_VALUE =
  'No value was ever reported: post the value of conversions first, with send_id, or choose clicks';
export const NO_ANNIVERSARY =
  'A yearly automation needs a column with dates: none of the chosen email lists has this one';
const LISTS = 'email_list_ids must be the ids of email lists';

const TRIGGER = 'Trigger column must be the name of a metadata column';
const Trigger = z.pipe(
  z.nullable(z.string({ error: TRIGGER }).check(z.maxLength(64, TRIGGER))),
  z.transform(column => column || null),
);

export const EmailListIds = z
  .array(z.string({ error: LISTS }).check(z.regex(/^[a-z0-9]{12}$/, LISTS)), { error: LISTS })
  .check(z.maxLength(MOST_LISTS, `At most ${MOST_LISTS} email lists can be connected`));

const fields = {
  name: Name,
  active: z.boolean({ error: 'Active must be true or false' }),
  repeat: z.enum(REPEATS, { error: 'Choose how often: days, once or yearly' }),
  every_x_days: count(1, 'Value must be at least 1'),
  // Only yearly emails may go before the date: see `scheduleFaults`.
  delay_days: count(-MOST_BEFORE, `Value cannot be below −${MOST_BEFORE}, or negative unless yearly`),
  delay_minutes: count(0, NEGATIVE, MINUTES_OF_DAY - 1),
  stop_after_days: z.nullable(count(0, NEGATIVE)),
  metadata_trigger: Trigger,
  starts_at: z.enum(STARTS, { error: 'Choose what starts it: added, date or event' }),
  email_list_ids: EmailListIds,
  ...flags,
  ...sendTimes,
  audience: Audience,
  reply_to: ReplyTo,
  allocation: z.enum(ALLOCATIONS, { error: 'Choose what is sent more: equal, clicks or conversions' }),
  holdout_percent: HoldoutPercent,
};

/** The one that the caller has read. If it is not the present one, the change is refused. */
export const revision = z.string({ error: 'revision must be the one that was read' });
export const CHANGED_SINCE =
  'Somebody else has changed this meanwhile: look at it again, and repeat your change.';

export { fields as automationFields };

/** Of a call, and never stored. */
export const include_existing = z.optional(z.boolean({ error: 'include_existing must be true or false' }));

export const inBoth = (sends: Partial<MultipleSends>): Occurrence[] =>
  OCCURRENCES.filter(nth => sends[`double_send_${nth}`] && sends[`triple_send_${nth}`]);
export const eitherOr = (nth: Occurrence) =>
  `Choose either a double or a triple send for the ${ORDINALS[nth]} occurrence`;

export const goesTogether = z.check<Parameters<typeof scheduleFaults>[0]>(({ value, issues }) => {
  for (const [field, message] of scheduleFaults(value)) {
    issues.push({ code: 'custom', input: value, path: [field], message });
  }
});

const notBoth = z.check<Partial<MultipleSends>>(({ value, issues }) => {
  for (const nth of inBoth(value)) {
    issues.push({ code: 'custom', input: value, path: [`double_send_${nth}`], message: eitherOr(nth) });
  }
});

export const NewAutomation = z
  .object({
    ...fields,
    active: z._default(fields.active, true),
    repeat: z._default(fields.repeat, PLAIN.repeat),
    every_x_days: z._default(fields.every_x_days, 1),
    delay_days: z._default(fields.delay_days, 0),
    delay_minutes: z._default(fields.delay_minutes, PLAIN.delay_minutes),
    stop_after_days: z._default(fields.stop_after_days, null),
    metadata_trigger: z._default(fields.metadata_trigger, null),
    starts_at: z.optional(fields.starts_at),
    email_list_ids: z._default(fields.email_list_ids, []),
    send_at: z._default(fields.send_at, ANY_TIME.send_at),
    time_zone_of: z._default(fields.time_zone_of, ANY_TIME.time_zone_of),
    days_off: z._default(fields.days_off, ANY_TIME.days_off),
    dates_off: z._default(fields.dates_off, ANY_TIME.dates_off),
    audience: z._default(fields.audience, null),
    reply_to: z._default(fields.reply_to, null),
    allocation: z._default(fields.allocation, 'equal'),
    holdout_percent: z._default(fields.holdout_percent, 0),
    ...(Object.fromEntries(FLAGS.map(flag => [flag, z._default(flags[flag], false)])) as Record<
      (typeof FLAGS)[number],
      z.ZodMiniDefault<z.ZodMiniBoolean>
    >),
    include_existing,
  })
  .check(notBoth)
  .check(goesTogether);
export type NewAutomation = z.infer<typeof NewAutomation>;

/** Fields of the form. They are checked again together with the stored automation. */
export const AutomationChange = z.partial(z.object({ ...fields, include_existing })).check(notBoth);
export type AutomationChange = z.infer<typeof AutomationChange>;

export const Sender = z.object({ name: z.string(), email: z.string(), list_name: z.string() });
export const Preview = z.object({
  html: z.string(),
  plaintext: z.string(),
  sender: Sender,
  seed: z.string(),
});
export type Preview = z.infer<typeof Preview>;

export const PreviewMember = z.object({ id: z.string(), email: z.string(), list_name: z.string() });
export type PreviewMember = z.infer<typeof PreviewMember>;
export const MOST_PREVIEW_MEMBERS = 10;
const MemberSearch = z.optional(
  z.string().check(z.maxLength(LONGEST_SEARCH, `The search must have at most ${LONGEST_SEARCH} characters`)),
);
const MEMBER = 'member must be the id of a list member';
const MemberId = z.optional(z.string({ error: MEMBER }).check(z.regex(/^[\w-]{1,100}$/, MEMBER)));

const AudienceQuestion = z.object({
  email_list_ids: fields.email_list_ids,
  audience: z._default(fields.audience, null),
  time_zone_of: z._default(fields.time_zone_of, ANY_TIME.time_zone_of),
});
export type AudienceQuestion = z.infer<typeof AudienceQuestion>;

const AUTOMATION = 'automation must be the id of an automation';
const AutomationId = z.optional(z.string({ error: AUTOMATION }).check(z.regex(AUTOMATION_ID, AUTOMATION)));

const UseTemplates = z.optional(z.enum(['true', 'false'], { error: 'use_templates must be true or false' }));
const Seed = z
  .string({ error: 'seed is required' })
  .check(z.regex(/^[a-z0-9]{1,32}$/, 'This seed is not valid'));

// biome-ignore format: a table of routes
export const automationRoutes = {
  'GET /api/automations': { id: 'listAutomations', v1: true, mcp: true, permission: 'automations:read',
    query: z.object({ page: z._default(whole('page', LAST_PAGE), 1) }), answer: z.array(Automation),
    summary: 'A page of 100 automations of the active organization, by name' },
  'POST /api/automations': { id: 'createAutomation', v1: true, permission: 'automations:edit', switches: true,
    body: NewAutomation, status: 201, answer: Automation,
    summary: 'Create an automation' },
  'GET /api/automations/{automation}': { id: 'getAutomation', v1: true, permission: 'automations:read', answer: Automation,
    summary: 'An automation' },
  'PUT /api/automations/{automation}': { id: 'updateAutomation', v1: true, permission: 'automations:edit', switches: true,
    body: AutomationChange, answer: Automation,
    summary: 'Change an automation, activate or deactivate it' },
  'DELETE /api/automations/{automation}': { id: 'deleteAutomation', v1: true, permission: 'automations:edit',
    summary: 'Delete an automation' },
  'GET /api/automations/{automation}/simulate': { id: 'simulateAutomation', v1: true, mcp: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: Simulation,
    summary: 'The emails that an automation would send during the next 24 hours' },
  'GET /api/automations/{automation}/forecast': { id: 'forecastAutomation', v1: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: Forecast,
    summary: 'How many emails an automation would send on each of the next 30 days' },
  'POST /api/automations/forecast': { id: 'forecastNewAutomation', v1: true, permission: 'automations:read',
    query: z.object({ automation: AutomationId }), budget: BUDGETS.predictions, body: NewAutomation, answer: Forecast,
    summary: 'How many emails a new automation would send on each of the next 30 days if it were active and had content; nothing is stored' },
  'GET /api/forecast': { id: 'forecast', v1: true, mcp: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: Forecast,
    summary: 'How many emails all active automations send on each of the next 30 days, within the safeguards' },
  'GET /api/upcoming': { id: 'getUpcoming', v1: true, mcp: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: Upcoming,
    summary: 'How many emails all active automations send in the next 24 hours and in the next 7 days, within the safeguards' },
  'POST /api/audience/count': { id: 'countAudience', v1: true, mcp: true, permission: 'automations:read',
    budget: BUDGETS.predictions, body: AudienceQuestion, answer: AudienceCount,
    summary: 'How many of the people who are subscribed to some lists match the conditions of an automation' },
  'GET /api/automations-for-assets': { id: 'listAutomationsForAssets', v1: true, permission: 'content:read',
    answer: z.array(AutomationOption),
    summary: 'The automations that email assets can be linked to' },
  'GET /api/automations-for-templates': { id: 'listAutomationsForTemplates', v1: true, permission: 'content:read',
    answer: z.array(AutomationOption),
    summary: 'The automations that email templates can be linked to' },
  'GET /api/automations/{automation}/preview': { id: 'previewAutomation', v1: true, permission: 'content:read',
    query: z.object({ use_templates: UseTemplates, member: MemberId }), answer: Preview,
    summary: 'An email of an automation, as a member of its lists would get it: a random one who is subscribed, or the given one' },
  'GET /api/automations/{automation}/preview-members': { id: 'listPreviewMembers', v1: true, permission: 'content:read',
    query: z.object({ search: MemberSearch }), answer: z.array(PreviewMember),
    summary: 'The first members of the lists of an automation whose address begins with a text' },
  'POST /api/automations/{automation}/test-email': { id: 'sendTestEmail', v1: true, permission: 'content:edit', budget: BUDGETS.testEmails,
    body: z.object({ seed: Seed, use_templates: z.optional(z.boolean()), member: MemberId }), answer: z.object({ sent_to: z.string() }),
    summary: 'Mail a previewed email to the user who is signed in' },
} as const satisfies RouteTable;
