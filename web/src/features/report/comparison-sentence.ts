import type { Comparing } from '#shared/comparisons.ts';
import { comparisonSentence, type Verdict } from '#shared/report/significance.ts';
import { labelsOf } from './comparison-texts.ts';

/** A sentence about the result of a comparison, with the names. */
export const sentenceOf = ({ result, rows }: Comparing) =>
  comparisonSentence({ result, ...claimed(rows) }, labelsOf(rows));

const claimed = (rows: Comparing['rows']) => {
  const idsOf = (wanted: Verdict) => rows.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { better: idsOf('better'), worse: idsOf('worse') };
};
