import { Box, Grid } from '@chakra-ui/react';
import type { SWRResponse } from 'swr';
import type { Performance as Report } from '#shared/reporting.ts';
import { useAmountText } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import type { ChartProps, Series } from '#web/components/chart.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Figure } from '#web/components/figures.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { formatNumber, formatUtcShort } from '#web/lib/format.ts';
import { logPath, paths } from '#web/lib/paths.ts';

type Day = Report['days'][number];

const Chart = onDemand<ChartProps<Day>>(() => import('#web/components/chart.tsx'), <Loading shape={[160]} />);

type Counted = 'sent' | 'opened' | 'clicked' | 'value';
type FigureOf = { counted: Counted; name: string; rate?: 'open_rate' | 'click_rate' };

const FIGURES: FigureOf[] = [
  { counted: 'sent', name: 'Sent' },
  { counted: 'opened', name: 'Opened', rate: 'open_rate' },
  { counted: 'clicked', name: 'Clicked', rate: 'click_rate' },
  { counted: 'value', name: 'Value' },
];

/** Each is a part of the one before. */
const BARS: Series<Day>[] = [
  { name: 'Sent', value: ({ sent }) => sent, fill: 'var(--chart-quiet)' },
  { name: 'Opened', value: ({ opened }) => opened, fill: 'var(--chart)' },
  { name: 'Clicked', value: ({ clicked }) => clicked, fill: 'var(--chart-strong)' },
];

export function Performance({ data, error, mutate }: SWRResponse<Report>) {
  const amount = useAmountText();
  return (
    <Section title="Last 30 days">
      {!data && error ? (
        <Failure
          problem={error}
          fallback="Failed to load the last 30 days. Please try again."
          onRetry={mutate}
        />
      ) : (
        <Panel p="4" aria-busy={!data}>
          <Grid as="dl" templateColumns={{ base: 'repeat(2, 1fr)', lg: 'repeat(4, 1fr)' }} gap="3" mb="4">
            {FIGURES.map(figure => (
              <Figure
                key={figure.name}
                name={figure.name}
                note={data && differenceText(figure, data, amount)}
              >
                {data && <Total {...figure} report={data} />}
              </Figure>
            ))}
          </Grid>
          <Box minHeight="203px">
            {data ? (
              <Chart
                label="Chart of the emails of the last 30 days; the arrow keys move between the days"
                points={data.days}
                keyOf={({ date }) => date}
                nameOf={dayLabel}
                tickOf={dayLabel}
                textOf={({ sent, opened, clicked }) =>
                  `${formatNumber(sent)} sent, ${formatNumber(opened)} opened, ${formatNumber(clicked)} clicked`
                }
                {...(isNothing(data) && { caption: 'Nothing was sent on these days' })}
                bars={BARS}
                heights={{ min: 2, max: 120 }}
                hasScale
                legend="below"
                read="table"
              />
            ) : (
              Chart.fallback
            )}
          </Box>
          <Box mt="2" fontSize="sm" minHeight="23px" lineHeight="20px">
            {data && <Summary report={data} />}
          </Box>
        </Panel>
      )}
    </Section>
  );
}

function Total({
  counted,
  report: { totals, start_date: from, end_date: to },
}: FigureOf & { report: Report }) {
  const amount = useAmountText();
  const text = counted === 'value' ? amount(totals.value) : formatNumber(totals[counted]);
  if (totals[counted] === 0) return text;
  const path = counted === 'value' ? paths.reporting() : logPath({ status: counted, from, to });
  return <TextLink to={path}>{text}</TextLink>;
}

const CHANGE = new Intl.NumberFormat(undefined, { style: 'percent', signDisplay: 'exceptZero' });

/** Compared with the 30 days before: by the rate if there is one, as more is opened when more is sent. */
function differenceText(
  { counted, rate }: FigureOf,
  { totals, previous }: Report,
  amount: (of: number) => string,
): string {
  const then = previous[counted];
  if (rate) {
    const before = previous.sent > 0 ? `, ${previous[rate]} before` : '';
    return totals.sent > 0 ? `${totals[rate]}${before}` : '';
  }
  if (then === 0) return totals[counted] === 0 ? '' : 'None in the 30 days before';
  return `${CHANGE.format(totals[counted] / then - 1)}, ${counted === 'value' ? amount(then) : formatNumber(then)} before`;
}

const isNothing = ({ totals }: Report) => totals.sent === 0 && totals.value === 0;

const Summary = ({ report }: { report: Report }) =>
  isNothing(report) ? (
    <Box as="span" color="fg.muted">
      Nothing was sent. <TextLink to={paths.automations()}>See your automations</TextLink>
    </Box>
  ) : (
    <>
      <TextLink to={paths.reporting()}>All combinations in reporting</TextLink>
      {report.counted_until && (
        <Box as="span" color="fg.muted">
          {' '}
          Counting is behind: the newest emails are missing.
        </Box>
      )}
    </>
  );

const dayLabel = ({ date }: Day) => formatUtcShort(date);
