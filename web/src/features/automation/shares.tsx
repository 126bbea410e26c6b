import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import type { AutomationContent } from '#shared/automation-content.ts';
import { PARTS } from '#shared/email/content.ts';
import type { SharesReport } from '#shared/reporting.ts';
import { Button } from '#web/components/button.tsx';
import Chart from '#web/components/chart.tsx';
import { Choices } from '#web/components/choices.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { AUTOMATION } from '#web/entities/automation/automation.tsx';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { formatUtcShort, percentText } from '#web/lib/format.ts';
import { lastDays } from '#web/lib/last-days.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { intervalText } from './automation-texts.ts';

const DAYS = 60;
const HEIGHTS = { min: 1, max: 80 };
const LABELS = { template: 'Template', ...PARTS };
type Kind = keyof typeof LABELS;
type Day = SharesReport['days'][number];

/** Of all emails: one of ten is chosen at equal shares. */
function shareOf({ parts, by_results }: Day, kind: Kind, id: string): number {
  const { [id]: share = 0, ...others } = parts[kind] ?? {};
  return by_results ? 0.9 * share + 0.1 / (Object.keys(others).length + 1) : share;
}

type Props = { automation: Automation; content: AutomationContent };

/** What an automation sends more, since when, and what that gains. */
export default function Shares({ automation, content }: Props) {
  const { id, allocation } = automation;
  const change = useOrganizationChange();
  const { data, error, mutate } = useOrganizationData('GET /api/reporting/automations/{automation}/shares', {
    params: { automation: id },
    query: lastDays(DAYS),
  });

  async function stop() {
    try {
      await change(AUTOMATION.put, { params: { automation: id }, body: { allocation: 'equal' } });
      toast('All content is sent equally often again.');
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to change the automation. Please try again.'), 'error');
    }
  }

  return (
    <Section
      title="More of what works"
      actions={
        <Button right={AUTOMATION.right} onClick={() => void stop()}>
          Send all equally
        </Button>
      }
    >
      <Panel p="4">
        {data ? (
          <Shown report={data} content={content} isByClicks={allocation === 'clicks'} />
        ) : error ? (
          <Failure problem={error} fallback="Failed to load the shares. Please try again." onRetry={mutate} />
        ) : (
          <Loading shape={['line', 120]} />
        )}
      </Panel>
    </Section>
  );
}

type ShownProps = { report: SharesReport; content: AutomationContent; isByClicks: boolean };

function Shown({ report: { days, gain }, content, isByClicks }: ShownProps) {
  const today = days.at(-1);
  const kinds = Object.entries(today?.parts ?? {}).flatMap(([kind, shares]) => {
    const [first] = Object.entries(shares).sort(([, a], [, b]) => b - a);
    return first && Object.keys(shares).length > 1
      ? [{ kind: kind as Kind, id: first[0], share: first[1] }]
      : [];
  });
  kinds.sort((a, b) => b.share - a.share);
  const [chosen, setChosen] = useState<Kind>();
  const one = kinds.find(({ kind }) => kind === chosen) ?? kinds[0];
  const since = sinceOf(days);
  const works = isByClicks ? 'what is clicked' : 'what leads to conversions';
  if (!one) return <Text>It has one version of its content, so there is nothing to choose from.</Text>;
  return (
    <>
      <Text textWrap="pretty">
        {since
          ? `Since ${formatUtcShort(since)} it sends more of ${works}: ${nameOf(one, content)} is in ${percentText(today ? shareOf(today, one.kind, one.id) : 0)} of emails today.`
          : `All content is sent equally often today. From the next day (UTC) on, it sends more of ${works}.`}
      </Text>
      {since && (
        <Text mt="1" mb="4" textWrap="pretty">
          {gainText(gain, isByClicks)}
        </Text>
      )}
      {since && kinds.length > 1 && (
        <Choices
          label="Part of the email"
          choices={Object.fromEntries(kinds.map(({ kind }) => [LABELS[kind], kind]))}
          value={one.kind}
          onChange={setChosen}
        />
      )}
      {since && <Bars days={days} {...one} name={nameOf(one, content)} />}
      <Text mt="3" fontSize="xs" color="fg.muted">
        One email of ten is always chosen at equal shares, to measure the gain. Days are in UTC.
      </Text>
    </>
  );
}

/** The first of the last days that have shares by results without a gap. */
function sinceOf(days: Day[]): string | undefined {
  const last = days.findLastIndex(({ by_results }) => !by_results);
  return days[last + 1]?.date;
}

function nameOf({ kind, id }: { kind: Kind; id: string }, { templates, assets }: AutomationContent): string {
  const asset = assets.find(one => one.id === id);
  const name = templates.find(one => one.id === id)?.name ?? asset?.name ?? asset?.excerpt;
  return `${LABELS[kind]} ${name ? `“${name}”` : 'not linked any more'}`;
}

function gainText(gain: SharesReport['gain'], isByClicks: boolean): string {
  if (!gain)
    return isByClicks
      ? 'What this gains shows once more emails are clicked.'
      : 'What this gains shows once more conversions are reported that name their email.';
  const [range, what] = [intervalText(gain), isByClicks ? 'clicks' : 'conversions'];
  if (gain.from > 0)
    return `Its emails got ${percentText(gain.estimate)} more ${what} than at equal shares (${range}).`;
  if (gain.to < 0)
    return `Its emails got ${percentText(-gain.estimate)} fewer ${what} than at equal shares (${range}).`;
  return `No gain shows yet: between ${percentText(gain.from)} and ${percentText(gain.to)} more ${what} than at equal shares.`;
}

type BarsProps = { days: Day[]; kind: Kind; id: string; name: string };

function Bars({ days, kind, id, name }: BarsProps) {
  const own = (day: Day) => 100 * shareOf(day, kind, id);
  const format = (share: number) => percentText(share / 100);
  return (
    <Chart
      label="Share of emails by day, in percent"
      points={days}
      keyOf={({ date }) => date}
      nameOf={({ date }) => formatUtcShort(date)}
      tickOf={({ date }) => formatUtcShort(date)}
      textOf={day => (day.parts[kind] ? `${format(own(day))} ${name}` : 'not known any more')}
      caption=""
      bars={[
        { name, value: own, fill: 'var(--chart-strong)', format },
        {
          name: 'all others',
          value: day => (day.parts[kind] ? 100 - own(day) : 0),
          fill: 'var(--chart-quiet)',
          format,
        },
      ]}
      isStacked
      heights={HEIGHTS}
      hasScale
      legend="below"
      read="table"
    />
  );
}
