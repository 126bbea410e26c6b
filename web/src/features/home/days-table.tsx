import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Counted, type Day, formatCount, formatDay } from './chart.ts';

const COUNTS: [Counted, string][] = [
  ['sent', 'Sent'],
  ['opened', 'Opened'],
  ['clicked', 'Clicked'],
  ['value', 'Value'],
];

const COLUMNS: Column<Day>[] = [
  { key: 'date', header: 'Date', width: 'minmax(96px, 1fr)', cell: ({ date }) => formatDay(date) },
  ...COUNTS.map(
    ([key, header]): Column<Day> => ({
      ...{ key, header, width: 'minmax(72px, 1fr)', align: 'end' },
      cell: day => formatCount(day[key]),
    }),
  ),
];

/** The numbers of the charts, the newest day first. Days are UTC days. */
export default function DaysTable({ days }: { days: Day[] }) {
  return (
    <DataTable
      label="The last 30 days"
      columns={COLUMNS}
      rows={days.toReversed()}
      rowKey={({ date }) => date}
      empty={<EmptyState title="There are no days in this range" />}
    />
  );
}
