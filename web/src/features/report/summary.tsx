import type { Range } from '#shared/report/range.ts';
import type { CombinationsReport, Figures } from '#shared/reporting.ts';
import { Amount } from '#web/components/amount.tsx';
import { Figure, FigureList } from '#web/components/figures.tsx';
import { Notice } from '#web/components/notice.tsx';
import { formatNumber, formatUtcMoment, plural } from '#web/lib/format.ts';
import { PeopleLink, percent, rangeText, Share, TEXTS } from './report-cells.tsx';

const COUNTS = [
  ['sent', 'Sent'],
  ['opened', 'Opened', 'rate'],
  ['machine_opened', 'Machine opened'],
  ['clicked', 'Clicked', 'rate'],
  ['unsub_clicked', 'Unsub Clicked', 'rate'],
  ['unsubscribed', 'Unsubscribed', 'rate'],
] as const;

/** The first one is twice as wide where they take several rows, which are full then. */
const ROWS = {
  gridTemplateColumns: {
    base: 'repeat(2, minmax(0, 1fr))',
    md: 'repeat(4, minmax(0, 1fr))',
    lg: 'repeat(7, auto)',
  },
  '& > :first-of-type': { gridColumn: { base: 'span 2', lg: 'auto' } },
};
/** On phones the links are side by side, not one below the other. */
const TOUCH = '@media (pointer: coarse) and (width < 48rem)';
const BESIDE = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  columnGap: '4',
  alignItems: 'baseline',
  '& dt': { gridRow: '1 / span 2' },
  '& dd': { gridColumn: '2', textAlign: 'end' },
};

const shareText = (part: { count: number; sent: number }) =>
  part.sent === 0 ? 'nothing sent' : `${percent(part.count, part.sent)} (${rangeText(part)})`;

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
    mb="4"
    css={{
      ...ROWS,
      [TOUCH]: {
        gridTemplateColumns: 'minmax(0, 1fr)',
        '& > :first-of-type': { gridColumn: 'auto' },
        '& > div': BESIDE,
      },
    }}
  >
    {COUNTS.map(([key, name, rate]) => (
      <Figure
        key={key}
        name={name}
        explained={key === 'sent' ? undefined : TEXTS[key]}
        note={figures && rate && shareText({ count: figures[key], sent: figures.sent })}
      >
        {figures && <PeopleLink count={figures[key]} combination={combination} status={key} range={range} />}
      </Figure>
    ))}
    <Figure
      name="Value"
      explained={TEXTS.value}
      note={
        figures && (
          <>
            <Share of={figures.value_per_send} count={figures.sent} /> per send
            {figures.conversions > 0 && `, ${plural(figures.conversions, 'conversion')}`}
          </>
        )
      }
    >
      {figures && <Amount of={figures.value} />}
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
