import { Flex, Text } from '@chakra-ui/react';
import type { SWRResponse } from 'swr';
import type { Automation } from '#shared/automation.ts';
import type { Forecast, ForecastDay } from '#shared/forecast.ts';
import Chart, { HATCHED, type Series } from '#web/components/chart.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { pausedBy } from '#web/entities/automation/obstacles.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, formatUtcShort, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { accuracyOf } from '#web/lib/sampled.ts';
import { emptinessOf } from './automation-texts.ts';

const HEIGHTS = { min: 3, max: 120 };
const BARS: Series<ForecastDay>[] = [
  { name: 'Sent', value: ({ count }) => count, fill: 'var(--chart-strong)' },
  { name: 'Due, but not sent', value: ({ skipped }) => skipped, fill: HATCHED },
];
const DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const NAME = new Intl.DateTimeFormat('en-US', { ...DAY, weekday: 'short' });

export default function ForecastTabs({ automation }: { automation: Automation }) {
  return (
    <Tabs
      label="Forecast"
      tabs={[
        { name: 'This automation', panel: <OfAutomation automation={automation} /> },
        { name: 'All automations', panel: <WholeOrganization /> },
      ]}
    />
  );
}

function OfAutomation({ automation }: { automation: Automation }) {
  const response = useOrganizationData('GET /api/automations/{automation}/forecast', {
    params: { automation: automation.id },
  });
  const paused = pausedBy(automation, useOrganization());
  return (
    <Days
      {...response}
      empty={paused === undefined ? emptinessOf(automation) : `${paused}: nothing is sent.`}
      note={`${automation.active ? '' : 'It is inactive: this is what it would send. '}What it sends beside all other automations, within the limits of the safeguards.`}
    />
  );
}

function WholeOrganization() {
  const response = useOrganizationData('GET /api/forecast');
  return (
    <Days
      {...response}
      empty="No active automation has anything to send on these days."
      note="What all active automations send together, within the limits of the safeguards."
    />
  );
}

type Props = Pick<SWRResponse<Forecast>, 'data' | 'error' | 'mutate'> & { empty: string; note: string };

function Days({ data, error, mutate, empty, note }: Props) {
  return (
    <Panel display="flex" flexDirection="column" justifyContent="center" mt="3" p="4" minHeight="300px">
      {data ? (
        <Bars forecast={data} empty={empty} note={note} />
      ) : error ? (
        <Failure problem={error} fallback="Failed to load the forecast. Please try again." onRetry={mutate} />
      ) : (
        <Loading shape={['line', 220]} />
      )}
    </Panel>
  );
}

const textOf = ({ count, skipped = 0 }: Pick<ForecastDay, 'count'> & { skipped?: number }) =>
  skipped > 0 ? `${plural(count, 'email')}, ${formatNumber(skipped)} not sent` : plural(count, 'email');

function Bars({ forecast, empty, note }: { forecast: Forecast; empty: string; note: string }) {
  const { days, total_count } = forecast;
  const skipped = days.reduce((sum, day) => sum + day.skipped, 0);
  const accuracy = accuracyOf(forecast);
  const next = nextText(days);
  if (total_count + skipped === 0) {
    return <EmptyState title="No emails in the next 30 days" cause={[empty, ...accuracy].join(' ')} />;
  }
  return (
    <>
      <Flex wrap="wrap" align="baseline" columnGap="2">
        <Text fontSize="lg" lineHeight="24px" fontWeight="semibold">
          {textOf({ count: total_count, skipped })}
        </Text>
        <Text color="fg.muted">in the next 30 days</Text>
      </Flex>
      {next && <Text mb="2">{next}</Text>}
      <Chart
        label="Emails per day"
        points={days}
        keyOf={({ date }) => date}
        nameOf={({ date }) => NAME.format(new Date(date))}
        tickOf={({ date }) => formatUtcShort(date)}
        tickEvery={7}
        textOf={textOf}
        bars={BARS}
        isStacked
        heights={HEIGHTS}
        legend={skipped > 0 ? 'below' : undefined}
        read="list"
      />
      <Text mt="3" fontSize="xs" color="fg.muted">
        {[...accuracy, note, 'Days are in UTC; the first one is what is left of today.'].join(' ')}
      </Text>
    </>
  );
}

const MOST_NEXT = 3;
const WEEK = 7;

/** "Next: today: 3 emails; Tue, Nov 24: 12 emails. In the next 7 days: 40 emails." Undefined if nothing is sent. */
export function nextText(days: Forecast['days']): string | undefined {
  const next = days
    .map(({ date, count }, at) => ({ day: at === 0 ? 'today' : NAME.format(new Date(date)), count }))
    .filter(({ count }) => count > 0)
    .slice(0, MOST_NEXT);
  if (next.length === 0) return undefined;
  const week = days.slice(0, WEEK).reduce((sum, { count }) => sum + count, 0);
  return `Next: ${next.map(({ day, count }) => `${day}: ${plural(count, 'email')}`).join('; ')}. In the next 7 days: ${plural(week, 'email')}.`;
}
