import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';
import { REPEATS } from './schedule.ts';
import { REASONS, type Reason, SKIPPED } from './send-status.ts';

export const EXPLAINED_DAYS = 31;
export const MOST_EXPLAINED = 50;

export const OBSTACLES = {
  stopped: 'Sending is stopped by the operator of this service',
  organization_off: 'The organization is not active',
  automation_off: 'The automation is not active',
  not_of_list: 'The automation does not mail this list',
  list_off: 'The list is not active',
  no_key: 'The list has no sending key',
  not_verified: 'The domain of the list is not verified',
  key_refused: 'The mail provider does not take the sending key of the list',
  no_content: 'The automation has no active content',
  not_subscribed: 'The member is not subscribed',
  suppressed: 'The address is suppressed: it bounced, or its owner complained',
  held_out: 'The member is held out: a share of people gets no emails, to show what these do',
  no_date: 'The member has no date or event that the automation could start at',
  no_match: 'The member does not match the conditions of the automation',
  starts_nothing: 'The import that added the member started nothing, and their date is not later than it',
  over: 'The schedule of the automation has ended for this member',
} as const;
export type Obstacle = keyof typeof OBSTACLES;

const OWED_STATUSES = [
  'sent',
  'failed',
  'unknown',
  'skipped',
  'waiting',
  'unrecorded',
  'no_match',
  'starts_nothing',
  'zone_passed',
] as const;

export const OWED = {
  waiting: 'It is being sent',
  unrecorded:
    'Nothing is recorded of it: the date or the event came later, the schedule was changed since, or its turn has not come yet',
  no_match: 'The member does not match the conditions of the automation now; what was known then is not kept',
  starts_nothing: 'The import that added the member started nothing',
  zone_passed:
    'Its time had passed in the time zone of the member when that was changed, or nothing of it is recorded',
} as const;

const reasonOf = <R extends string>(reasons: Record<R, string>) =>
  z.nullable(z.enum(Object.keys(reasons) as [R, ...R[]]));

/** Which email of a schedule: the number of its occurrence, from 1, and the copy if it is a double or triple send. */
const Which = { due_at: z.iso.datetime(), number: z.nullable(z.int()), copy: z.int() };

export const Owed = z.object({
  ...Which,
  status: z.enum(OWED_STATUSES),
  reason: reasonOf<Reason>(REASONS),
  sent_at: z.nullable(z.iso.datetime()),
  /** How often its content was chosen on its day, if that followed from results, or for the emails at equal shares of such a day. */
  share: z.nullable(z.number()),
  /** The list from which it was sent, if it is another one: a person gets an email once, whatever lists they are on. */
  other_list: z.nullable(z.string()),
  /** If a limit left room for another email of that minute alone, and that one earns more: the name of its automation. */
  earns_more: z.nullable(z.string()),
});
export type Owed = z.infer<typeof Owed>;

export const Explanation = z.object({
  automation: z.object({ id: z.string(), name: z.string(), repeat: z.enum(REPEATS) }),
  /** Null if it starts when a member was added. */
  trigger_column: z.nullable(z.string()),
  /** Null if the member has no date that can be read. */
  trigger_value: z.nullable(z.iso.datetime()),
  /** Why nothing is sent as long as things stay as they are; empty if nothing prevents it. */
  obstacles: z.array(z.enum(Object.keys(OBSTACLES) as [Obstacle, ...Obstacle[]])),
  /** What is known of the member, and what the automation is for, if they do not match: plan is free; this automation … */
  mismatch: z.nullable(z.string()),
  /** The email that would be sent next if nothing prevented it; null if none is left. */
  next: z.nullable(
    z.object({
      ...Which,
      number: z.int(),
      /** Since when it waits, or would wait, for the end of quiet hours; null if it does not wait. */
      held_since: z.nullable(z.iso.datetime()),
      /** The window of the safeguards that would skip it, after what was sent until now. */
      skipped: reasonOf(SKIPPED),
    }),
  ),
  past: z.array(Owed),
  /** Emails that were due before are not listed. */
  since: z.iso.datetime(),
  /** The switches in this time that affect these emails, newest first. */
  switched: z.array(
    z.object({
      at: z.iso.datetime(),
      what: z.enum(['organization', 'list', 'automation', 'safeguards', 'sending']),
      on: z.boolean(),
      /** The name of the user, or `operator`; null if the product did it, or the user is deleted. */
      by: z.nullable(z.string()),
    }),
  ),
});
export type Explanation = z.infer<typeof Explanation>;

// biome-ignore format: a table of routes
export const explanationRoutes = {
  'GET /api/list-members/{listMember}/automations/{automation}': { id: 'explainListMember', v1: true, mcp: true, permission: 'sends:read',
    answer: Explanation,
    summary: 'What an automation sent to a list member, what it did not send and why, and what it sends next' },
} as const satisfies RouteTable;
