import { percentage } from '#shared/report/figures.ts';
import type { CombinationReport } from '#shared/reporting.ts';
import type { ChartProps, Series } from '#web/components/chart.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { usePages } from '#web/components/use-table-view.ts';
import { formatNumber } from '#web/lib/format.ts';
import { PeopleLink, Rate, TEXTS } from './report-cells.tsx';
import { formatDay, formatTick, rangeOfDate } from './report-range.ts';

type Day = CombinationReport['daily_stats'][number];

const Chart = onDemand<ChartProps<Day>>(() => import('#web/components/chart.tsx'), <Loading shape={[228]} />);

const SERIES: Series<Day>[] = [
  { name: 'Sent', value: day => day.total_sent, fill: 'var(--chart-quiet)' },
  { name: 'Opened', value: day => day.total_opened, fill: 'var(--chart)' },
  { name: 'Clicked', value: day => day.total_clicked, fill: 'var(--chart-strong)' },
];

const textOf = (day: Day) =>
  [
    ...SERIES.map(({ name, value }) => `${formatNumber(value(day) ?? 0)} ${name.toLowerCase()}`),
    `${formatNumber(day.total_unsubscribed)} unsubscribed`,
  ].join(', ');

type Counts = Exclude<keyof Day, 'date' | 'value'>;
type Report = Pick<CombinationReport, 'combination' | 'start_date' | 'end_date'>;

const rate = (key: Counts, header: string): Column<Day> => ({
  header,
  width: 'minmax(96px, 1fr)',
  align: 'end',
  cell: day => <Rate rate={percentage(day[key], day.total_sent)} count={day[key]} sent={day.total_sent} />,
});

const COUNTS = [
  ['total_sent', 'Sent', 'sent', '88px'],
  ['total_opened', 'Opened', 'opened', '88px'],
  ['total_machine_opened', 'Machine Opened', 'machine_opened', '156px', TEXTS.machine_opened],
  ['total_clicked', 'Clicked', 'clicked', '88px'],
  ['total_unsub_clicked', 'Unsub Clicked', 'unsub_clicked', '116px'],
  ['total_unsubscribed', 'Unsubscribed', 'unsubscribed', '116px'],
] as const;

const columnsOf = (report: Report | undefined): Column<Day>[] => [
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
  rate('total_opened', 'Open Rate'),
  rate('total_clicked', 'Click Rate'),
  rate('total_unsubscribed', 'Unsub Rate'),
];

const DailyChart = ({ days }: { days: Day[] }) => (
  <Chart
    label={`Chart of ${formatNumber(days.length)} dates; the arrow keys move between them, the table below says the same`}
    points={days}
    keyOf={({ date }) => date}
    nameOf={({ date }) => formatDay(date)}
    tickOf={({ date }) => formatTick(date)}
    textOf={textOf}
    caption={
      days.some(day => SERIES.some(({ value }) => value(day)))
        ? 'Emails by the day on which they were sent'
        : 'Nothing was sent on these days'
    }
    bars={SERIES}
    heights={{ min: 2, max: 172 }}
    hasScale
    legend="above"
    read="elsewhere"
  />
);

const PER_PAGE = 31;

/** The results by day, or by month in a long range: as a chart, and as a table with the newest first. */
export function DailyPerformance({ report }: { report: CombinationReport | undefined }) {
  const pages = usePages(report?.daily_stats.toReversed(), PER_PAGE);
  return (
    <Section
      title="Daily Performance"
      note={
        report?.stats_by === 'month' ? 'By month, as there are more than 366 days in this range.' : undefined
      }
    >
      <Panel p="4" mb="3">
        {report ? <DailyChart days={report.daily_stats} /> : Chart.fallback}
      </Panel>
      <DataTable
        label="Daily Performance"
        wide
        columns={columnsOf(report)}
        {...pages}
        rowKey={({ date }) => date}
        empty={<EmptyState title="There are no days in this range" />}
        expected={30}
      />
    </Section>
  );
}
