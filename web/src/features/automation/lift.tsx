import { Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import type { HoldoutReport, Measured } from '#shared/reporting.ts';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, peopleText } from '#web/lib/format.ts';
import { intervalText, percentText } from './automation-texts.ts';

const MEASURES = {
  conversions: 'Conversions',
  value: 'Value',
  clicks: 'Clicks in other emails',
  unsubscribes: 'Unsubscribes',
} satisfies Partial<Record<keyof HoldoutReport, string>>;

/** What people do who are held out of an automation, and all others. */
export default function Lift({ automation: { id, sequence_id } }: { automation: Automation }) {
  const route = 'GET /api/reporting/automations/{automation}/holdout';
  const { data, error, mutate } = useOrganizationData(route, { params: { automation: id } });
  return (
    <Section title="Holdout">
      <Panel p="4">
        {data ? (
          <Shown report={data} of={sequence_id ? 'its sequence' : 'it'} />
        ) : error ? (
          <Failure
            problem={error}
            fallback="Failed to load the holdout. Please try again."
            onRetry={mutate}
          />
        ) : (
          <Loading shape={['line', 'line', 'line']} />
        )}
      </Panel>
    </Section>
  );
}

function Shown({ report, of }: { report: HoldoutReport; of: string }) {
  const { percent, people, value_bounded_at: bound } = report;
  return (
    <>
      <Text mb="3" textWrap="pretty">
        {percent}% of people get nothing of {of}: {formatNumber(people.held_out)} of{' '}
        {peopleText(people.held_out + people.others)} on its lists.
      </Text>
      {Object.entries(MEASURES).map(([name, label]) => (
        <Text key={name} mt="1" textWrap="pretty">
          {label}: {textOf(report[name as keyof typeof MEASURES])}
        </Text>
      ))}
      <Text mt="3" fontSize="xs" color="fg.muted">
        Conversions and value are those whose calls name the person.
        {bound !== null && ` Amounts above ${formatNumber(bound)} count as ${formatNumber(bound)}.`}
      </Text>
    </>
  );
}

/** Claims no more than the range shows. */
export function textOf({ held_out, others, lift, people_needed, ...rates }: Measured): string {
  if (held_out + others === 0) return 'none yet.';
  if (!lift) {
    const needed = people_needed === null ? '' : `; about ${peopleText(people_needed)} more are needed`;
    return `not enough is known yet${needed}.`;
  }
  const by100 = (rate: number | null) => formatNumber(Number((100 * (rate ?? 0)).toPrecision(3)));
  const counts = `${by100(rates.others_per_person)} per 100 people, ${by100(rates.held_out_per_person)} per 100 of those held out`;
  const range = intervalText(lift);
  if (lift.from > 0) return `${counts}: ${percentText(lift.estimate)} more (${range}).`;
  if (lift.to < 0) return `${counts}: ${percentText(-lift.estimate)} fewer (${range}).`;
  return `${counts}: no difference shows yet (${range}).`;
}
