import * as z from 'zod/mini';
import { Safeguards } from './safeguards.ts';
import { SKIPPED, type Skipped } from './send-status.ts';

/** How many emails are answered, the earliest first. */
export const MOST_SAMPLES = 100;

export const SampleEmail = z.object({
  list_member_id: z.string(),
  email: z.string(),
  list_name: z.string(),
  scheduled_time: z.iso.datetime(),
  /** Since when it would have waited for the end of quiet hours; null where it does not wait. */
  held_since: z.nullable(z.iso.datetime()),
  /** Null: the automation starts when a member was added. */
  trigger_column: z.nullable(z.string()),
  trigger_value: z.string(),
  days_since_trigger: z.optional(z.int()),
});
export type SampleEmail = z.infer<typeof SampleEmail>;

/** Why an email that will fall due will not be sent. */
export const NOT_SENT = {
  ...SKIPPED,
  key_refused: 'The mail provider does not take the sending key of the list',
} as const;
export type NotSent = Skipped | 'key_refused';

/** From how many of the people the numbers were estimated. */
export const Sampled = z.object({
  people: z.int(),
  of: z.int(),
  /** The number of emails is as far as this from the true one at most, in 19 of 20 samples. */
  margin: z.int(),
});
export type Sampled = z.infer<typeof Sampled>;

/** What an automation would send during the next 24 hours. */
export const Simulation = z.object({
  /** Its name. */
  automation: z.string(),
  /** What falls due, second and third emails of an occurrence aside. */
  total_count: z.int(),
  /** What is sent of all that falls due, second and third emails included. */
  will_send: z.int(),
  /** How many of the emails in `total_count` wait for the end of quiet hours before they go. */
  held: z.int(),
  /** What is not sent, by reason. */
  skipped: z.partialRecord(z.enum(Object.keys(NOT_SENT) as [NotSent, ...NotSent[]]), z.int()),
  /** The limits that it was counted with. */
  safeguards: Safeguards,
  /** The other automations whose emails take the place of those that the safeguards hold back, of most emails first. */
  instead_of: z.array(z.object({ id: z.string(), name: z.string(), count: z.int() })),
  /** Null where everybody was looked at. */
  sampled: z.nullable(Sampled),
  /** How many samples there are. */
  count: z.int(),
  limited: z.boolean(),
  max_results: z.int(),
  /** The hours in UTC, by the instant at which they begin; also those without an email. */
  hourly_summary: z.array(
    z.object({
      hour: z.iso.datetime(),
      count: z.int(),
      /** Of these, second and third emails included. */
      will_send: z.int(),
      skipped: z.int(),
    }),
  ),
  sample_emails: z.array(SampleEmail),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Before `until` where there were too many members to look at all of them within one call. */
  counted_until: z.iso.datetime(),
  /** Subscribed members without a date to start at, or with one that cannot be read; null where not all were counted. */
  left_out: z.nullable(z.int()),
  /** The names of its lists that are inactive, to which nothing is sent. */
  inactive_lists: z.array(z.string()),
});
export type Simulation = z.infer<typeof Simulation>;
