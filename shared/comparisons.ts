import * as z from 'zod/mini';
import { PART_NAMES } from './email/content.ts';
import { VERDICTS } from './report/significance.ts';

export const COMPARED_BY = ['clicks', 'conversions'] as const;
export type ComparedBy = (typeof COMPARED_BY)[number];
const By = z.enum(COMPARED_BY, { error: 'by must be clicks or conversions' });
export const ComparisonsQuery = z.object({ by: z._default(By, 'clicks') });
export type ComparisonsQuery = z.infer<typeof ComparisonsQuery>;

const Result = z.enum(['not_enough_data', 'no_difference', 'difference']);

const Compared = z.object({
  id: z.string(),
  /** Names the assets in which a combination differs, or the variant, or else its text. Empty if there is neither. */
  name: z.string(),
  sent: z.int(),
  clicked: z.int(),
  /** Emails after which their person converted. */
  conversions: z.int(),
  verdict: z.enum(VERDICTS),
  /** If it is better or worse: how many times as often as the rest it is clicked, or leads to a conversion. Null where there is no such bound. */
  ratio_from: z.nullable(z.number()),
  ratio_to: z.nullable(z.number()),
  /** If no difference was found: the least ratio that would have been found by now in half of cases. */
  detectable_ratio: z.nullable(z.number()),
});
export type Compared = z.infer<typeof Compared>;

const Comparing = z.object({
  result: Result,
  /** Higher click rates than the rest first, then lower ones, the surest first; then the others by how many were sent. */
  rows: z.array(Compared),
  left_out: z.int(),
});
export type Comparing = z.infer<typeof Comparing>;

const AutomationComparison = z.object({
  automation_id: z.string(),
  automation: z.string(),
  /** Its content, which is chosen at random, was not sent in equal shares in the last weeks. */
  has_uneven_shares: z.boolean(),
  combinations: Comparing,
  parts: z.array(z.extend(Comparing, { part: z.enum(PART_NAMES) })),
});
export type AutomationComparison = z.infer<typeof AutomationComparison>;

export const Comparisons = z.object({
  /** What verdicts are about. */
  by: By,
  /** The UTC day from which on everything is counted: the first one on which one of these automations sent something. */
  since: z.string(),
  /** The automations that have sent at least two combinations since then, by name. */
  automations: z.array(AutomationComparison),
  /** Automations that are left out, since they share a hash and so their counts. */
  not_compared: z.array(z.object({ automation_id: z.string(), automation: z.string() })),
  /** The instant up to which everything is counted; null if the projector is not known to be behind. */
  counted_until: z.nullable(z.iso.datetime()),
});
export type Comparisons = z.infer<typeof Comparisons>;
