import * as z from 'zod/mini';
import { Audience } from './audience-shapes.ts';
import { Automation, Eligibility, EmailListIds, revision } from './automation.ts';
import { BROADCAST_STATUSES, STOPPED, type StoppedReason } from './broadcast-state.ts';
import { BUDGETS } from './budgets.ts';
import { LOOKED_AT } from './forecast.ts';
import { Paused } from './guard.ts';
import { HoldoutPercent } from './holdout.ts';
import { LAST_PAGE } from './limits.ts';
import { readDatetime } from './metadata.ts';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';
import { NOT_SENT, type NotSent } from './send-status.ts';
import { line } from './text.ts';

export const Broadcast = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(BROADCAST_STATUSES),
  email_list_ids: z.array(z.string()),
  /** Those that exist. */
  email_lists: Automation.shape.email_lists,
  audience: Audience,
  /** When it goes; null if it goes at a local time, or when it is scheduled. */
  at: z.nullable(z.iso.datetime()),
  local_at: z.nullable(z.string()),
  holdout_percent: z.int(),
  email_template_ids: z.array(z.string()),
  email_asset_ids: z.array(z.string()),
  email_eligibility: Eligibility,
  created_at: z.iso.datetime(),
  /** Null until the first instant at which it is due anywhere. */
  started_at: z.nullable(z.iso.datetime()),
  /** When all of its people were queued, or it was cancelled. */
  ended_at: z.nullable(z.iso.datetime()),
  /** With what the guard has stopped it. */
  paused: z.nullable(Paused),
  stopped: z.nullable(
    z.object({
      reason: z.enum(Object.keys(STOPPED) as [StoppedReason, ...StoppedReason[]]),
      at: z.iso.datetime(),
    }),
  ),
  /** Another one after each change, except of its content. */
  revision: z.string(),
});
export type Broadcast = z.infer<typeof Broadcast>;

const LONGEST_NAME = 100;
const AT = 'Enter an instant such as 2030-12-01T09:00:00Z, with its offset from UTC';
const At = z.nullable(
  z.pipe(
    z.string({ error: AT }).check(
      z.refine(text => /^\d{4}-\d\d-\d\dT[\d:.]*(Z|[+-]\d\d:?\d\d)$/.test(text), { error: AT, abort: true }),
      z.refine(text => readDatetime(text) instanceof Date, AT),
    ),
    z.transform(text => new Date(text).toISOString()),
  ),
);
const LOCAL_AT = 'Enter a local time such as 2030-12-01T09:00';
const LocalAt = z.nullable(
  z.string({ error: LOCAL_AT }).check(
    z.refine(text => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text), { error: LOCAL_AT, abort: true }),
    z.refine(text => readDatetime(text) instanceof Date, LOCAL_AT),
  ),
);

const MOST_IDS = 90;
const ids = (error: string) =>
  z
    .array(z.string({ error }).check(z.regex(/^[a-z0-9]{12}$/, error)), { error })
    .check(z.maxLength(MOST_IDS, `At most ${MOST_IDS} can be chosen`));

const fields = {
  name: line('Name is required', 'Name', LONGEST_NAME),
  email_list_ids: EmailListIds,
  audience: Audience,
  at: At,
  local_at: LocalAt,
  holdout_percent: HoldoutPercent,
  email_template_ids: ids('email_template_ids must be the ids of email templates'),
  email_asset_ids: ids('email_asset_ids must be the ids of email assets'),
  status: z.enum(['draft', 'scheduled', 'cancelled'], {
    error: 'The status must be draft, scheduled or cancelled',
  }),
};

const oneTime = z.check<{ at?: string | null | undefined; local_at?: string | null | undefined }>(
  ({ value, issues }) => {
    if (!value.at || !value.local_at) return;
    const message = 'Choose either an instant or a local time: leave the other one out';
    issues.push({ code: 'custom', input: value, path: ['local_at'], message });
  },
);

export const BroadcastChange = z.partial(z.object({ ...fields, revision })).check(oneTime);
export type BroadcastChange = z.infer<typeof BroadcastChange>;

export const NewBroadcast = z
  .object({
    ...fields,
    email_list_ids: z._default(fields.email_list_ids, []),
    audience: z._default(fields.audience, null),
    at: z._default(fields.at, null),
    local_at: z._default(fields.local_at, null),
    holdout_percent: z._default(fields.holdout_percent, 0),
    email_template_ids: z._default(fields.email_template_ids, []),
    email_asset_ids: z._default(fields.email_asset_ids, []),
    status: z._default(fields.status, 'draft'),
  })
  .check(oneTime);
export type NewBroadcast = z.infer<typeof NewBroadcast>;

export const BroadcastForecast = z.object({
  /** How many people are subscribed to one of its lists: those below, those who have it, and those who were added later. */
  people: z.int(),
  /** How many of them it mails; of one that was stopped, how many are left whom it would mail. */
  emails: z.int(),
  /** How many of them do not match its conditions. */
  no_match: z.int(),
  /** On how many days it is sent: more than one if a list is in warm-up. */
  days: z.int(),
  not_sent: z.partialRecord(z.enum(Object.keys(NOT_SENT) as [NotSent, ...NotSent[]]), z.int()),
  /** How many members of its lists may not be mailed, as they unsubscribed, bounced or complained. */
  not_subscribed: z.int(),
  ...LOOKED_AT,
});
export type BroadcastForecast = z.infer<typeof BroadcastForecast>;

// biome-ignore format: a table of routes
export const broadcastRoutes = {
  'GET /api/broadcasts': { id: 'listBroadcasts', v1: true, mcp: true, permission: 'automations:read',
    query: z.object({ page: z._default(whole('page', LAST_PAGE), 1) }), answer: z.array(Broadcast),
    summary: 'A page of 100 broadcasts of the active organization, the newest first' },
  'POST /api/broadcasts': { id: 'createBroadcast', v1: true, permission: 'automations:edit', scope: 'sending',
    body: NewBroadcast, status: 201, answer: Broadcast,
    summary: 'Create a broadcast: one email to everybody on some lists who matches its conditions' },
  'GET /api/broadcasts/{broadcast}': { id: 'getBroadcast', v1: true, permission: 'automations:read', answer: Broadcast,
    summary: 'A broadcast' },
  'PUT /api/broadcasts/{broadcast}': { id: 'updateBroadcast', v1: true, permission: 'automations:edit', scope: 'sending',
    body: BroadcastChange, answer: Broadcast,
    summary: 'Change a broadcast until it begins, schedule or cancel it, or send a stopped one to the rest' },
  'DELETE /api/broadcasts/{broadcast}': { id: 'deleteBroadcast', v1: true, permission: 'automations:edit', scope: 'sending',
    summary: 'Delete a broadcast: what is not sent yet stays unsent' },
  'GET /api/broadcasts/{broadcast}/forecast': { id: 'forecastBroadcast', v1: true, permission: 'automations:read',
    budget: BUDGETS.predictions, answer: BroadcastForecast,
    summary: 'Who would get a broadcast, or is left where it was stopped, and who would not and why' },
  'POST /api/broadcasts/forecast': { id: 'forecastNewBroadcast', v1: true, permission: 'automations:read',
    budget: BUDGETS.predictions, body: NewBroadcast, answer: BroadcastForecast,
    summary: 'Who would get a new broadcast, and who would not and why; nothing is stored' },
} as const satisfies RouteTable;
