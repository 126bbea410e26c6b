import { Box, chakra, Text } from '@chakra-ui/react';
import { type ReactNode, useId, useState } from 'react';
import type { SWRResponse } from 'swr';
import type { LimitEstimate } from '#shared/dry-run.ts';
import type { EarnedBy, Gain, SafeguardsReport } from '#shared/reporting.ts';
import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';
import { Fact, Facts, Lines } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { AND, formatNumber, formatUtcDate, peopleText, plural } from '#web/lib/format.ts';
import { useMay, useOrganization } from '#web/lib/organization.ts';
import { useQuestion } from '#web/lib/question.ts';
import { accuracyOf } from '#web/lib/sampled.ts';

type Currency = string | null | undefined;

type Things = EarnedBy | 'complaints';

/** "9 clicks lost (5 to 14)", from the smaller to the larger, also of what is lost. */
function gainText({ estimate, from, to }: Gain, change: string, things: Things, currency: Currency): string {
  const { format } = new Intl.NumberFormat(undefined, {
    ...(things === 'value' && currency && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
    minimumFractionDigits: 0,
    maximumFractionDigits: things === 'value' ? 2 : 1,
    maximumSignificantDigits: 2,
    roundingPriority: 'lessPrecision',
  });
  const shown = (number: number) => format(Math.abs(number));
  const [least, most] = [from, to].sort((a, b) => Math.abs(a) - Math.abs(b)).map(shown);
  const [number, one] = [shown(estimate), things.slice(0, -1)];
  const what = things === 'value' ? 'of value' : number === '1' ? one : things;
  return `${number} ${what} ${change} (${least} to ${most})`;
}

type OfLimit = SafeguardsReport['limits'][number];

/** How many emails, and what is known of them: no more than the ranges show. */
export function heldBackTexts(
  { emails, unknown, earned, complained }: OfLimit,
  by: EarnedBy,
  currency?: Currency,
): string[] {
  if (emails === 0) return ['Nothing held back'];
  return [
    `${plural(emails, 'email')} held back`,
    earned
      ? `Probably ${gainText(earned, 'missed', by, currency)}`
      : unknown < emails && `Missed ${by}: too little is known yet`,
    complained && `About ${gainText(complained, 'avoided', 'complaints', currency)}`,
    unknown > 0 && `${formatNumber(unknown)} not estimated, as their automations sent nothing`,
  ].filter(text => typeof text === 'string');
}

export function estimateText(
  { emails, people_more, people_fewer, earned, earned_by: by }: LimitEstimate,
  currency?: Currency,
): string {
  if (emails === 0 && people_more + people_fewer === 0) return 'In the next 30 days, nothing changes.';
  const people = [
    people_more > 0 && `${peopleText(people_more)} would get more`,
    people_fewer > 0 && `${peopleText(people_fewer)} would get fewer`,
  ].filter(Boolean);
  const count = plural(Math.abs(emails), `${emails < 0 ? 'fewer' : 'more'} email`);
  const brings = earned
    ? `Probably ${gainText(earned, earned.estimate < 0 ? 'lost' : 'gained', by, currency)}.`
    : `What that changes in ${by}: too little is known yet.`;
  return `In the next 30 days, ${count}: ${AND.format(people as string[])}. ${brings}`;
}

export default function HeldBack({ limits }: { limits: Safeguards }) {
  const may = useMay();
  return (
    <>
      {may('reports:read') && <Report />}
      {limits.enabled ? (
        <OtherLimit key={limits.max_emails_1_week} present={limits.max_emails_1_week} />
      ) : (
        <Text mt="4" color="fg.muted">
          The limits are off: nothing is held back now.
        </Text>
      )}
    </>
  );
}

type Asked<Answer> = Pick<SWRResponse<Answer>, 'data' | 'error' | 'mutate'>;

function shown<Answer>({ data, error, mutate }: Asked<Answer>, text: (data: Answer) => ReactNode) {
  if (data) return text(data);
  if (!error) return <Loading shape={['line', 'line']} />;
  return <Failure problem={error} fallback="Failed to load it. Please try again." onRetry={mutate} />;
}

function Report() {
  const currency = useOrganization()?.currency;
  return shown(
    useOrganizationData('GET /api/reporting/safeguards'),
    ({ limits, earned_by, counted_since }) => (
      <>
        {limits.some(({ emails }) => emails > 0) ? (
          <Facts aria-label="Held back by each limit">
            {limits.map(one => (
              <Fact key={one.limit} name={WINDOWS.find(({ field }) => field === one.limit)?.label}>
                <Lines of={heldBackTexts(one, earned_by, currency)} />
              </Fact>
            ))}
          </Facts>
        ) : (
          <Text>No email was held back: nobody reached a limit.</Text>
        )}
        {counted_since && (
          <Text mt="2" color="fg.muted" fontSize="xs">
            Only since {formatUtcDate(counted_since)}: there are too many to count all.
          </Text>
        )}
      </>
    ),
  );
}

const LEAST_SHOWN = 14;

/** What another limit of a week would change, while it is dragged or chosen by the arrow keys. */
function OtherLimit({ present }: { present: number }) {
  const [chosen, setChosen] = useState(present);
  const id = useId();
  const isOther = chosen !== present;
  const query = { max_emails_1_week: chosen };
  const asked = useQuestion('GET /api/safeguards/estimate', isOther ? { query } : undefined);
  const currency = useOrganization()?.currency;
  return (
    <Box mt="5">
      <chakra.label htmlFor={id} display="block" mb="2" fontWeight="medium">
        With {plural(chosen, 'email')} a week{isOther ? ` instead of ${formatNumber(present)}` : ', as now'}
      </chakra.label>
      <chakra.input
        id={id}
        type="range"
        min={1}
        max={Math.max(LEAST_SHOWN, 2 * present)}
        value={chosen}
        aria-valuetext={`${plural(chosen, 'email')} a week`}
        onChange={event => setChosen(Number(event.currentTarget.value))}
        width="full"
        height={{ base: '11', md: '8' }}
        borderRadius="md"
        accentColor="fg"
        cursor="pointer"
      />
      <Box role="status" mt="2" minHeight="10" textWrap="pretty">
        {isOther ? (
          shown(asked, data => <Lines of={[estimateText(data, currency), ...accuracyOf(data)]} />)
        ) : (
          <Text color="fg.muted">Move the slider to see what another limit would change.</Text>
        )}
      </Box>
    </Box>
  );
}
