import * as z from 'zod/mini';

/** How many emails are answered, the earliest first. */
export const MOST_SAMPLES = 100;

export const SampleEmail = z.object({
  list_member_id: z.string(),
  email: z.string(),
  list_name: z.string(),
  scheduled_time: z.iso.datetime(),
  /** Null: the automation starts when a member was added. */
  trigger_column: z.nullable(z.string()),
  trigger_value: z.string(),
  days_since_trigger: z.optional(z.int()),
});
export type SampleEmail = z.infer<typeof SampleEmail>;

/** What an automation would send during the next 24 hours, second and third emails of an occurrence aside. */
export const Simulation = z.object({
  /** Its name. */
  automation: z.string(),
  total_count: z.int(),
  /** How many samples there are. */
  count: z.int(),
  limited: z.boolean(),
  max_results: z.int(),
  /** The hours in UTC, by the instant at which they begin; also those without an email. */
  hourly_summary: z.array(z.object({ hour: z.iso.datetime(), count: z.int() })),
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
