import { Box, Flex, Grid } from '@chakra-ui/react';
import { type ComponentProps, useState } from 'react';
import type { SWRResponse } from 'swr';
import { roundedAmount } from '#shared/report/figures.ts';
import type { Performance as Report } from '#shared/reporting.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import type { ChartProps, ChartTable } from '#web/components/chart.tsx';
import { Failure } from '#web/components/failure.tsx';
import { FigureName, FigureNote, FigureValue } from '#web/components/figures.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';

type ChartedDay = Report['days'][number];
type ChartedCount = Exclude<keyof ChartedDay, 'date'>;

const Chart = onDemand<ChartProps<ChartedDay>>(
  () => import('#web/components/chart.tsx'),
  <Box height="48px" />,
);
const DaysTable = onDemand<ComponentProps<typeof ChartTable<ChartedDay>>>(async () => ({
  default: (await import('#web/components/chart.tsx')).ChartTable,
}));

const AMOUNT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

type Figure = { counted: ChartedCount; name: string; rate?: 'open_rate' | 'click_rate' };

const FIGURES: Figure[] = [
  { counted: 'sent', name: 'Sent' },
  { counted: 'opened', name: 'Opened', rate: 'open_rate' },
  { counted: 'clicked', name: 'Clicked', rate: 'click_rate' },
  { counted: 'value', name: 'Value' },
];

const DAYS = { keyOf: ({ date }: ChartedDay) => date, nameOf: ({ date }: ChartedDay) => dayLabel(date) };
const seriesOf = ({ name, counted }: Figure) => ({
  name,
  value: (day: ChartedDay) => day[counted],
  format: formatCount,
  fill: 'var(--chart)',
});

export function Performance({ data, error, mutate }: SWRResponse<Report>) {
  const [isTable, setTable] = useState(false);
  return (
    <Section title="Last 30 days">
      {!data && error ? (
        <Failure
          problem={error}
          fallback="Failed to load the last 30 days. Please try again."
          onRetry={mutate}
        />
      ) : (
        <>
          <Grid
            templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' }}
            gap="3"
            aria-busy={!data}
          >
            {FIGURES.map(({ counted, name, rate }) => (
              <Panel key={counted} px="3" pt="2" pb="2.5">
                <FigureName as="h3" fontWeight="normal">
                  {name}
                </FigureName>
                <FigureValue as="p">{data && totalText(counted, data)}</FigureValue>
                <FigureNote as="p">{rate && data && data.totals.sent > 0 && data.totals[rate]}</FigureNote>
                {data ? (
                  <Chart
                    {...DAYS}
                    label={chartText(name, counted, data.days)}
                    points={data.days}
                    textOf={day => formatCount(day[counted])}
                    bars={[seriesOf({ name, counted })]}
                    heights={{ min: 2, max: 47 }}
                    read="image"
                  />
                ) : (
                  Chart.fallback
                )}
              </Panel>
            ))}
          </Grid>
          <Flex
            wrap="wrap"
            align="center"
            justify="space-between"
            columnGap="4"
            mt="2"
            minHeight="control"
            fontSize="sm"
          >
            <Summary report={data} />
            {data && (
              <Button variant="ghost" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
                {isTable ? 'Hide table' : 'Show as table'}
              </Button>
            )}
          </Flex>
          {isTable && data && (
            <DaysTable
              {...DAYS}
              label="The last 30 days"
              head="Date"
              points={data.days.toReversed()}
              series={FIGURES.map(seriesOf)}
            />
          )}
        </>
      )}
    </Section>
  );
}

const totalText = (counted: ChartedCount, { totals }: Report) =>
  counted === 'value' ? AMOUNT.format(roundedAmount(totals.value)) : formatNumber(totals[counted]);

const isNothing = ({ totals }: Report) => totals.sent === 0 && totals.value === 0;

function Summary({ report }: { report: Report | undefined }) {
  if (!report) return <span />;
  if (isNothing(report)) {
    return (
      <Box as="span" color="fg.muted">
        Nothing was sent. <TextLink to={paths.automations()}>See your automations</TextLink>
      </Box>
    );
  }
  return (
    <span>
      <TextLink to={paths.reporting()}>All combinations in reporting</TextLink>
      {report.counted_until && (
        <Box as="span" color="fg.muted">
          {' '}
          Counting is behind: the newest emails are missing.
        </Box>
      )}
    </span>
  );
}

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayLabel = (date: string) => DAY.format(new Date(date));

const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const formatCount = (count: number) => NUMBER.format(count);

export function chartText(name: string, counted: ChartedCount, days: ChartedDay[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const highest = days.reduce(
    (most, day) => (day[counted] > most[counted] ? day : most),
    days[0] as ChartedDay,
  );
  const range = `${name} by day, ${dayLabel(first?.date ?? '')} to ${dayLabel(last?.date ?? '')}`;
  return highest[counted] === 0
    ? `${range}: nothing`
    : `${range}: most on ${dayLabel(highest.date)}, ${formatCount(highest[counted])}; today ${formatCount(last?.[counted] ?? 0)}`;
}
