import type { Range } from '#shared/report/range.ts';
import type { CombinationsReport, Figures } from '#shared/reporting.ts';
import { Figure, FigureList } from '#web/components/figures.tsx';
import { Notice } from '#web/components/notice.tsx';
import { formatNumber, formatUtcMoment, plural } from '#web/lib/format.ts';
import { formatAmount, formatShare, intervalOf, PeopleLink, TEXTS } from './report-cells.tsx';

const COUNTS = [
  ['sent', 'Sent'],
  ['opened', 'Opened', 'open_rate'],
  ['machine_opened', 'Machine Opened'],
  ['clicked', 'Clicked', 'click_rate'],
  ['unsub_clicked', 'Unsub Clicked', 'unsub_click_rate'],
  ['unsubscribed', 'Unsubscribed', 'unsubscribe_rate'],
] as const;

/** On touch screens the links are side by side, not one below the other. */
const TOUCH = '@media (pointer: coarse)';
const BESIDE = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  columnGap: '4',
  alignItems: 'baseline',
  '& dt': { gridRow: '1 / span 2' },
  '& dd': { gridColumn: '2', textAlign: 'end' },
};

type Props = {
  label: string;
  figures: Figures | undefined;
  /** The combination that is counted; all of them by default. */
  combination?: string;
  range: Range;
};

export const Summary = ({ label, figures, combination, range }: Props) => (
  <FigureList
    aria-label={label}
    css={{ [TOUCH]: { gridTemplateColumns: 'minmax(0, 1fr)', '& > div': BESIDE } }}
  >
    {COUNTS.map(([key, name, rate]) => (
      <Figure
        key={key}
        name={name}
        explained={key === 'sent' ? undefined : TEXTS[key]}
        note={
          figures &&
          rate && (
            <>
              {figures[rate]} <span>({intervalOf(figures[key], figures.sent) ?? 'nothing sent'})</span>
            </>
          )
        }
      >
        {figures && <PeopleLink count={figures[key]} combination={combination} status={key} range={range} />}
      </Figure>
    ))}
    <Figure
      name="Value"
      explained={TEXTS.value}
      note={figures && `${formatShare(figures.value_per_send, figures.sent)} per send`}
    >
      {figures && formatAmount(figures.value)}
    </Figure>
  </FigureList>
);

type NoticesProps = Pick<CombinationsReport, 'counted_until'> &
  Partial<Pick<CombinationsReport, 'left_out' | 'texts_cut_at'>>;

export function ReportNotices({ counted_until, left_out = 0, texts_cut_at = null }: NoticesProps) {
  const sentences = [
    counted_until !== null &&
      `Counting is behind: what happened after ${formatUtcMoment(counted_until)} may be missing.`,
    left_out > 0 &&
      `${plural(left_out, 'combination')} with less in the sorted column ${left_out === 1 ? 'is' : 'are'} not listed. The sums above the table have ${left_out === 1 ? 'it' : 'them'} too.`,
    texts_cut_at !== null &&
      `Texts are cut after ${formatNumber(texts_cut_at)} characters here, for the search and the CSV too. The page of a combination has them whole.`,
  ].filter(sentence => sentence !== false);
  return sentences.map(sentence => (
    <Notice key={sentence} tone="info" mb="3">
      {sentence}
    </Notice>
  ));
}
