import * as z from 'zod/mini';
import { Safeguards } from './safeguards.ts';
import { NOT_SENT, type NotSent } from './send-status.ts';

export const MOST_SAMPLES = 100;

export const SampleEmail = z.object({
  list_member_id: z.string(),
  email: z.string(),
  list_name: z.string(),
  scheduled_time: z.iso.datetime(),
  /** Since when it would have waited for the end of quiet hours; null if it does not wait. */
  held_since: z.nullable(z.iso.datetime()),
  /** Null if the automation starts when a member was added. */
  trigger_column: z.nullable(z.string()),
  trigger_value: z.string(),
  days_since_trigger: z.optional(z.int()),
});
export type SampleEmail = z.infer<typeof SampleEmail>;

export const Sampled = z.object({
  people: z.int(),
  of: z.int(),
  /** The largest difference between the estimated and the true number of emails, in 19 of 20 samples. */
  margin: z.int(),
});
export type Sampled = z.infer<typeof Sampled>;

export const Simulation = z.object({
  automation: z.string(),
  /** How many emails fall due, without second and third copies of an occurrence. */
  total_count: z.int(),
  /** How many emails are sent, without second and third copies. */
  first_emails: z.int(),
  /** How many of all due emails are sent, including second and third copies. */
  will_send: z.int(),
  /** How many of the emails in `total_count` wait for the end of quiet hours. */
  held: z.int(),
  skipped: z.partialRecord(z.enum(Object.keys(NOT_SENT) as [NotSent, ...NotSent[]]), z.int()),
  safeguards: Safeguards,
  /** The other automations whose emails are sent instead of those that the safeguards skip, the most emails first. */
  instead_of: z.array(z.object({ id: z.string(), name: z.string(), count: z.int() })),
  /** Null if everyone was read. */
  sampled: z.nullable(Sampled),
  count: z.int(),
  limited: z.boolean(),
  max_results: z.int(),
  /** UTC hours, by the instant at which they begin, including those without an email. */
  hourly_summary: z.array(
    z.object({
      hour: z.iso.datetime(),
      count: z.int(),
      /** How many of these are sent, including second and third copies. */
      will_send: z.int(),
      skipped: z.int(),
    }),
  ),
  sample_emails: z.array(SampleEmail),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Before `until` if there were too many members to read all of them within one call. */
  counted_until: z.iso.datetime(),
  /** How many subscribed members have no trigger date, or one that cannot be read; null if not all were counted. */
  left_out: z.nullable(z.int()),
  inactive_lists: z.array(z.string()),
});
export type Simulation = z.infer<typeof Simulation>;
