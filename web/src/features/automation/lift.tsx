import { Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import type { HoldoutReport, Measured } from '#shared/reporting.ts';
import { useAmountText } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { Fact, Facts, Lines } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, peopleText } from '#web/lib/format.ts';
import { helpPath } from '#web/lib/paths.ts';
import { percentText } from './automation-texts.ts';

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
  const amountText = useAmountText();
  const all = people.held_out + people.others;
  return (
    <>
      <Text mb="3" textWrap="pretty">
        {percent}% of people get nothing of {of}:{' '}
        {all > 0
          ? `${formatNumber(people.held_out)} of ${peopleText(all)} on its lists.`
          : 'nobody is on its lists yet.'}
      </Text>
      <Facts aria-label="What people do who get it">
        {Object.entries(MEASURES).map(([name, label]) => (
          <Fact key={name} name={label}>
            <Lines
              of={textsOf(
                report[name as keyof typeof MEASURES],
                name === 'value' ? amountText : rate => formatNumber(Number(rate.toPrecision(3))),
              )}
            />
          </Fact>
        ))}
      </Facts>
      <Text mt="3" fontSize="xs" color="fg.muted">
        Ranges hold with a confidence of 95%, whenever you look.{' '}
        {bound !== null && `Amounts above ${amountText(bound)} count as ${amountText(bound)}. `}
        Conversions and value count if the call that reports them names the person:{' '}
        <TextLink to={helpPath('value')}>how to report them</TextLink>.
      </Text>
    </>
  );
}

/** Claims no more than the range shows. */
export function textsOf(
  { held_out, others, lift, people_needed, ...rates }: Measured,
  shown: (per100: number) => string,
): string[] {
  if (held_out + others === 0) return ['None yet'];
  if (!lift)
    return [
      'Not enough is known yet',
      `It takes more time${people_needed === null ? '' : `, or about ${formatNumber(people_needed)} more people`}`,
    ];
  const [ofOthers, ofHeldOut] = [rates.others_per_person, rates.held_out_per_person].map(rate =>
    shown(100 * (rate ?? 0)),
  );
  const [from, to] = [lift.from, lift.to].map(percentText);
  const size = percentText(Math.abs(lift.estimate));
  const verdict = lift.from > 0 ? `${size} more` : lift.to < 0 ? `${size} fewer` : 'No difference shows yet';
  return [
    `${verdict} (${from} to ${to})`,
    `${ofOthers} per 100 people, ${ofHeldOut} per 100 of those held out`,
  ];
}
