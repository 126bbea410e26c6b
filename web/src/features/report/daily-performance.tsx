import type { CombinationReport } from '#shared/reporting.ts';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Section } from '#web/components/section.tsx';
import { usePages } from '#web/components/use-table-view.ts';
import { formatDay, rangeOfDate } from './periods.ts';
import { PeopleLink, Rate, scaleOf, TEXTS } from './report-cells.tsx';

type Day = CombinationReport['daily_stats'][number];

type Counts = Exclude<keyof Day, 'date' | 'value'>;
type Report = Pick<CombinationReport, 'combination' | 'start_date' | 'end_date'>;

const rate = (key: Counts, header: string, days: Day[]): Column<Day> => {
  const scale = scaleOf(days.map(day => ({ count: day[key], sent: day.total_sent })));
  return {
    header,
    width: 'minmax(96px, 1fr)',
    align: 'end',
    cell: day => <Rate count={day[key]} sent={day.total_sent} scale={scale} />,
  };
};

const COUNTS = [
  ['total_sent', 'Sent', 'sent', '88px'],
  ['total_opened', 'Opened', 'opened', '88px'],
  ['total_machine_opened', 'Machine opened', 'machine_opened', '156px', TEXTS.machine_opened],
  ['total_clicked', 'Clicked', 'clicked', '88px'],
  ['total_unsub_clicked', 'Unsub Clicked', 'unsub_clicked', '116px'],
  ['total_unsubscribed', 'Unsubscribed', 'unsubscribed', '116px'],
] as const;

const columnsOf = (report: Report | undefined, days: Day[] = []): Column<Day>[] => [
  { header: 'Date', width: '124px', sticky: true, cell: ({ date }) => formatDay(date) },
  ...COUNTS.map(
    ([key, header, status, width, explained]): Column<Day> => ({
      header,
      ...(explained && { explained }),
      width: `minmax(${width}, 1fr)`,
      align: 'end',
      cell: day =>
        report && (
          <PeopleLink
            count={day[key]}
            combination={report.combination.id}
            status={status}
            range={rangeOfDate(day.date, report)}
          />
        ),
    }),
  ),
  rate('total_opened', 'Open Rate', days),
  rate('total_clicked', 'Click Rate', days),
  rate('total_unsubscribed', 'Unsub Rate', days),
];

const PER_PAGE = 31;

/** The results by day, or by month in a long range, the newest first. */
export function DailyPerformance({ report }: { report: CombinationReport | undefined }) {
  const pages = usePages(report?.daily_stats.toReversed(), PER_PAGE);
  return (
    <Section
      title="Daily Performance"
      note={
        report?.stats_by === 'month' ? 'By month, as there are more than 366 days in this range.' : undefined
      }
    >
      <DataTable
        label="Daily Performance"
        wide
        columns={columnsOf(report, pages.rows)}
        {...pages}
        rowKey={({ date }) => date}
        empty={<EmptyState title="There are no days in this range" />}
        expected={30}
      />
    </Section>
  );
}
