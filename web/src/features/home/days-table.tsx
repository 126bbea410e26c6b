import { chakra } from '@chakra-ui/react';
import { type ChartedCount, type ChartedDay, dayLabel, formatCount } from './chart.ts';

const COUNTS: [ChartedCount, string][] = [
  ['sent', 'Sent'],
  ['opened', 'Opened'],
  ['clicked', 'Clicked'],
  ['value', 'Value'],
];

const Table = chakra('table', {
  base: {
    width: 'full',
    mt: '2',
    fontSize: 'sm',
    fontVariantNumeric: 'tabular-nums',
    '& th, & td': { px: '2', py: '1.5', textAlign: 'end', fontWeight: 'normal' },
    '& thead th': { color: 'fg.muted', fontSize: 'xs' },
    '& th:first-of-type': { textAlign: 'start' },
    '& tr': { borderBottomWidth: '1px' },
  },
});

/** The numbers of the charts, the newest day first. Days are UTC days. */
export const DaysTable = ({ days }: { days: ChartedDay[] }) => (
  <Table aria-label="The last 30 days">
    <thead>
      <tr>
        <th scope="col">Date</th>
        {COUNTS.map(([key, name]) => (
          <th key={key} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.toReversed().map(day => (
        <tr key={day.date}>
          <th scope="row">{dayLabel(day.date)}</th>
          {COUNTS.map(([key]) => (
            <td key={key}>{formatCount(day[key])}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
);
