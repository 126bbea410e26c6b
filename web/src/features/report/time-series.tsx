import { Box, Flex } from '@chakra-ui/react';
import type { Range } from '#shared/report/range.ts';
import type { DaysReport } from '#shared/reporting.ts';
import { Button } from '#web/components/button.tsx';
import type { ChartProps, Series } from '#web/components/chart.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { oneOf } from '#web/lib/filters.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { formatDay, formatTick, isSameRange } from './periods.ts';
import { percent } from './report-cells.tsx';

type Stats = Pick<DaysReport, 'stats_by' | 'daily_stats' | 'previous_stats'>;
type Day = Stats['daily_stats'][number];
type Counts = { from: string; to: string; sent: number; opened: number; clicked: number };
type Period = Counts & { before?: Counts | undefined };
type Unit = 'day' | 'week';

/** In the address; by default, a long range is by week. */
export const UNIT = oneOf<Unit>(['day', 'week']);
const MOST_BY_DAY = 92;
const DAYS_OF_WEEK = 7;

/** Weeks end with the last day of the range: the first one may be shorter. */
export function periodsOf({ stats_by, daily_stats, previous_stats }: Stats, unit: Unit): Period[] {
  const size = stats_by === 'day' && unit === 'week' ? DAYS_OF_WEEK : 1;
  const missing = (size - (daily_stats.length % size)) % size;
  const counts = (days: Day[]) =>
    [...Map.groupBy(days, (_, nth) => Math.floor((nth + missing) / size)).values()].map(
      (some): Counts => ({
        from: some[0]?.date ?? '',
        to: some.at(-1)?.date ?? '',
        sent: sum(some, 'total_sent'),
        opened: sum(some, 'total_opened'),
        clicked: sum(some, 'total_clicked'),
      }),
    );
  const before = counts(previous_stats);
  return counts(daily_stats).map((period, nth) => ({ ...period, before: before[nth] }));
}

const sum = (days: Day[], name: 'total_sent' | 'total_opened' | 'total_clicked') =>
  days.reduce((total, day) => total + day[name], 0);

const Chart = onDemand<ChartProps<Period>>(
  () => import('#web/components/chart.tsx'),
  <Loading shape={[220]} />,
);
type Counted = 'opened' | 'clicked';
const rateOf = (counts: Counts | undefined, counted: Counted) =>
  // An open may be counted before its email.
  counts?.sent ? Math.min(100, (100 * counts[counted]) / counts.sent) : undefined;
const formatRate = (rate: number) => percent(rate, 100);

const before = ({ name, value, ...shown }: Series<Period>): Series<Period> => ({
  ...shown,
  name: `${name} before`,
  value: period => period.before && value(period.before),
  isBefore: true,
});
const SENT: Series<Period> = { name: 'Sent', value: ({ sent }) => sent, fill: 'var(--chart-quiet)' };
const BARS = [{ ...before(SENT), fill: 'var(--chart-before)' }, SENT];
const RATES: Series<Period>[] = [
  { name: 'Open-%', value: counts => rateOf(counts, 'opened'), fill: 'var(--chart)', format: formatRate },
  {
    name: 'Click-%',
    value: counts => rateOf(counts, 'clicked'),
    fill: 'var(--chart-strong)',
    format: formatRate,
  },
];
const LINES = [...RATES.map(before), ...RATES];

const nameOf = ({ from, to }: Counts) =>
  from === to ? formatDay(from) : `${formatTick(from)} – ${formatDay(to)}`;
const countsText = (counts: Counts) =>
  counts.sent === 0
    ? 'nothing sent'
    : `${formatNumber(counts.sent)} sent, ${formatRate(rateOf(counts, 'opened') ?? 0)} opened, ${formatRate(rateOf(counts, 'clicked') ?? 0)} clicked`;
const textOf = ({ before, ...counts }: Period) =>
  before ? `${countsText(counts)}. ${nameOf(before)}: ${countsText(before)}` : countsText(counts);

type Props = {
  stats: Stats | undefined;
  unit: Unit | undefined;
  onUnit: (unit: Unit) => void;
  problem?: unknown;
  onRetry?: (() => void) | undefined;
};

export function TimeSeries({ stats, unit: chosen, onUnit, problem, onRetry }: Props) {
  const unit = chosen ?? (stats && stats.daily_stats.length > MOST_BY_DAY ? 'week' : 'day');
  const periods = stats && periodsOf(stats, unit);
  const [first, last] = [stats?.previous_stats[0], stats?.previous_stats.at(-1)];
  const shown = (series: Series<Period>[]) => series.filter(({ isBefore }) => first || !isBefore);
  const [bars, lines] = [shown(BARS), shown(LINES)];
  return (
    <Panel p="4" mb="4">
      <Flex wrap="wrap" align="center" justify="space-between" columnGap="4" mb="2">
        <Box as="h2" fontSize="sm" fontWeight="semibold">
          Sent, opened and clicked{stats?.stats_by === 'month' && ' by month'}
        </Box>
        <Flex gap="1">
          {stats?.stats_by !== 'month' &&
            (['day', 'week'] as const).map(one => (
              <Button
                key={one}
                variant="ghost"
                aria-pressed={unit === one}
                _pressed={{ bg: 'bg.subtle', color: 'fg' }}
                onClick={() => onUnit(one)}
              >
                By {one}
              </Button>
            ))}
        </Flex>
      </Flex>
      <Box minHeight={{ base: '300px', md: '274px', xl: '254px' }}>
        {problem ? (
          <Failure problem={problem} fallback={NOT_LOADED} onRetry={onRetry ?? (() => undefined)} />
        ) : periods ? (
          <Chart
            points={periods}
            keyOf={({ from }) => from}
            nameOf={nameOf}
            label="Chart of the sent emails, with the rates of opens and clicks; the arrow keys move between the dates"
            tickOf={({ from }) => formatTick(from)}
            textOf={textOf}
            {...(periods.every(({ sent }) => sent === 0) && { caption: 'Nothing was sent on these days' })}
            bars={bars}
            lines={lines}
            before={first && last && `${formatTick(first.date)} – ${formatTick(last.date)}, before`}
            heights={{ min: 2, max: 172 }}
            hasScale
            legend="below"
            read="table"
          />
        ) : (
          Chart.fallback
        )}
      </Box>
    </Panel>
  );
}

const NOT_LOADED = 'Failed to load the chart. Please try again.';

/** Those of the previous range are shown until the next ones are loaded. */
export function useDays(range: Range) {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/days',
    { query: range },
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  const { isRepeating, repeat } = useRepeat(mutate);
  const isOfRange = data !== undefined && isSameRange(data, range);
  return {
    stats: error && !isOfRange ? undefined : data,
    problem: isRepeating || isOfRange ? undefined : (error as unknown),
    onRetry: () => void repeat(),
  };
}
