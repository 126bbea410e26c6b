import type { CombinationsReport } from '#shared/reporting.ts';
import { Notice } from '#web/components/notice.tsx';
import { formatNumber, formatUtcMoment, plural } from '#web/lib/format.ts';

type Props = Pick<CombinationsReport, 'counted_until'> &
  Partial<Pick<CombinationsReport, 'left_out' | 'texts_cut_at'>>;

/** What is missing from a report. */
export function ReportNotices({ counted_until, left_out = 0, texts_cut_at = null }: Props) {
  const sentences = [
    counted_until !== null &&
      `Counting is behind: what happened after ${formatUtcMoment(counted_until)} may be missing.`,
    left_out > 0 &&
      `${plural(left_out, 'combination')} with less in the sorted column ${left_out === 1 ? 'is' : 'are'} not listed. The sums above the table have ${left_out === 1 ? 'it' : 'them'} too.`,
    texts_cut_at !== null &&
      `There is so much text here that each one is cut after ${formatNumber(texts_cut_at)} characters, for the search and the CSV too. The page of a combination has them whole.`,
  ].filter(sentence => sentence !== false);
  return sentences.map(sentence => (
    <Notice key={sentence} tone="info" mb="3">
      {sentence}
    </Notice>
  ));
}
