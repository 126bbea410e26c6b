import { PART_NAMES, type Part } from '../email/content.ts';
import { type Comparison, type Counts, comparison, summed } from './comparison.ts';

/** The counts of a combination, with the ids of its assets by part; a template has none. */
export type CombinationCounts = Counts & { parts: Partial<Record<Part, string>> };

/** The sums of all combinations with each variant of a part, day by day. */
export const countsOfVariants = (combinations: CombinationCounts[], part: Part): Counts[] =>
  summed(combinations, ({ parts }) => parts[part]);

/**
 * For each part with at least two variants, which of them have a higher click rate than the others. The other parts are
 * chosen at random for all of them alike, so they do not favour any.
 */
export const partComparisons = (
  combinations: CombinationCounts[],
): { part: Part; comparison: Comparison; counts: Counts[] }[] =>
  PART_NAMES.flatMap(part => {
    const counts = countsOfVariants(combinations, part);
    const variants = new Set(counts.map(({ id }) => id));
    return variants.size > 1 ? [{ part, comparison: comparison(counts), counts }] : [];
  });
