import { Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import type { HoldoutReport, Measured, OrganizationHoldoutReport } from '#shared/reporting.ts';
import { useAmountText } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { Fact, Facts, Lines } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, peopleText, percentText } from '#web/lib/format.ts';
import { helpPath } from '#web/lib/paths.ts';

const MEASURES = [
  ['conversions', 'Conversions'],
  ['value', 'Value'],
  ['clicks', 'Clicks in other emails'],
  ['unsubscribes', 'Unsubscribes'],
] as const;

type Report = OrganizationHoldoutReport & Partial<HoldoutReport>;

/** What people do who are held out of an automation or its sequence, or else of the organization, and all others. */
export default function Lift({ automation }: { automation?: Automation }) {
  const ofAutomation = useOrganizationData(
    automation && 'GET /api/reporting/automations/{automation}/holdout',
    { params: { automation: automation?.id ?? '' } },
  );
  const ofAll = useOrganizationData(automation ? undefined : 'GET /api/reporting/holdout');
  const { data, error, mutate } = automation ? ofAutomation : ofAll;
  return (
    <Panel p="4">
      {data ? (
        <Shown report={data} automation={automation} />
      ) : error ? (
        <Failure problem={error} fallback="Failed to load the holdout. Please try again." onRetry={mutate} />
      ) : (
        <Loading shape={['line', 'line', 'line']} />
      )}
    </Panel>
  );
}

function Shown({ report, automation }: { report: Report; automation: Automation | undefined }) {
  const { percent, people, value_bounded_at: bound } = report;
  const amountText = useAmountText();
  const all = people.held_out + people.others;
  const [nothing, lists] = !automation
    ? ['no emails at all', 'your lists']
    : [`nothing of ${automation.sequence_id ? 'its sequence' : 'it'}`, 'its lists'];
  return (
    <>
      <Text mb="3" textWrap="pretty">
        {percent}% of people get {nothing}:{' '}
        {all > 0
          ? `${formatNumber(people.held_out)} of ${peopleText(all)} on ${lists}.`
          : `nobody is on ${lists} yet.`}
      </Text>
      <Facts aria-label={`What people do who get ${automation ? 'it' : 'emails'}`}>
        {MEASURES.map(([name, label]) => {
          const measured = report[name];
          const text =
            name === 'value' ? amountText : (rate: number) => formatNumber(Number(rate.toPrecision(3)));
          return (
            measured && (
              <Fact key={name} name={label}>
                <Lines of={textsOf(measured, text)} />
              </Fact>
            )
          );
        })}
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
