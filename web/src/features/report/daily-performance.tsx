import { percentage } from '../../../../shared/report/figures.ts';
import type { CombinationReport } from '../../../../shared/reporting.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { Day } from './daily-chart.tsx';
import { formatDay } from './dates.ts';
import { TEXTS } from './report-texts.ts';
import { usePages } from './use-pages.ts';

const DailyChart = onDemand(() => import('./daily-chart.tsx'), <Loading shape={[228]} />);

const count = (
  key:
    | 'total_sent'
    | 'total_opened'
    | 'total_machine_opened'
    | 'total_clicked'
    | 'total_unsub_clicked'
    | 'total_unsubscribed',
  header: string,
): Column<Day> => ({
  key,
  header,
  width: 'minmax(88px, 1fr)',
  align: 'end',
  cell: day => formatNumber(day[key]),
});
const rate = (key: 'total_opened' | 'total_clicked' | 'total_unsubscribed', header: string): Column<Day> => ({
  key: `${key}_rate`,
  header,
  width: 'minmax(96px, 1fr)',
  align: 'end',
  cell: day => percentage(day[key], day.total_sent),
});

const columns: Column<Day>[] = [
  { key: 'date', header: 'Date', width: '124px', sticky: true, cell: ({ date }) => formatDay(date) },
  count('total_sent', 'Sent'),
  count('total_opened', 'Opened'),
  {
    ...count('total_machine_opened', 'Machine Opened'),
    ...{ explained: TEXTS.machine_opened, width: 'minmax(156px, 1fr)' },
  },
  count('total_clicked', 'Clicked'),
  { ...count('total_unsub_clicked', 'Unsub Clicked'), width: 'minmax(116px, 1fr)' },
  { ...count('total_unsubscribed', 'Unsubscribed'), width: 'minmax(116px, 1fr)' },
  rate('total_opened', 'Open Rate'),
  rate('total_clicked', 'Click Rate'),
  rate('total_unsubscribed', 'Unsub Rate'),
];

const PER_PAGE = 31;

/** Day by day, or month by month where there are many: as a chart, and as a table with the newest first. */
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
        {report ? <DailyChart days={report.daily_stats} /> : DailyChart.fallback}
      </Panel>
      <DataTable
        label="Daily Performance"
        wide
        columns={columns}
        {...pages}
        rowKey={({ date }) => date}
        empty={<EmptyState title="There are no days in this range" />}
        expected={30}
      />
    </Section>
  );
}
