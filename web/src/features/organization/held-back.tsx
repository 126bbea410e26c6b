import { Box, chakra, Text } from '@chakra-ui/react';
import { type ReactNode, useId, useState } from 'react';
import type { SWRResponse } from 'swr';
import type { LimitEstimate } from '#shared/dry-run.ts';
import type { EarnedBy, Gain, SafeguardsReport } from '#shared/reporting.ts';
import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { capitalized, formatNumber, formatUtcDate, peopleText, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { useQuestion } from '#web/lib/question.ts';
import { accuracyOf } from '#web/lib/sampled.ts';

const rounded = (number: number) => formatNumber(Number(Math.abs(number).toPrecision(3)));

const THINGS = {
  value: ({ estimate }: Gain) => `a value of ${rounded(estimate)}`,
  clicks: ({ estimate }: Gain) => `${rounded(estimate)} ${Math.abs(estimate) === 1 ? 'click' : 'clicks'}`,
};
/** From the smaller to the larger, also of what is lost. */
const between = ({ from, to }: Gain) => {
  const [least = 0, most = 0] = [from, to].map(Math.abs).sort((a, b) => a - b);
  return `(between ${rounded(least)} and ${rounded(most)})`;
};

type OfLimit = SafeguardsReport['limits'][number];

/** Claims no more than the ranges show. */
export function heldBackText({ emails, unknown, earned, complained }: OfLimit, by: EarnedBy): string {
  if (emails === 0) return 'nothing held back';
  return [
    `${plural(emails, 'email')} held back`,
    `probably ${earned ? `${THINGS[by](earned)} missed ${between(earned)}` : `– ${by} missed: too little is known yet`}`,
    complained && `about ${rounded(complained.estimate)} complaints avoided ${between(complained)}`,
    unknown > 0 && `${formatNumber(unknown)} not estimated, as their automations sent nothing`,
  ]
    .filter(Boolean)
    .join('; ');
}

export function estimateText({
  emails,
  people_more,
  people_fewer,
  earned,
  earned_by: by,
}: LimitEstimate): string {
  if (emails === 0 && people_more + people_fewer === 0) return 'In the next 30 days, nothing changes.';
  const more = emails < 0 ? 'fewer' : 'more';
  const people = [
    people_more > 0 && `${peopleText(people_more)} would get more`,
    people_fewer > 0 && `${peopleText(people_fewer)} would get fewer`,
  ].filter(Boolean);
  const brings = earned
    ? `probably ${THINGS[by](earned)} ${earned.estimate < 0 ? 'less' : 'more'} ${between(earned)}`
    : `– ${by}: too little is known yet`;
  return `In the next 30 days, ${plural(Math.abs(emails), 'email')} ${more}: ${[...people, brings].join(', ')}.`;
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

const Report = () =>
  shown(useOrganizationData('GET /api/reporting/safeguards'), ({ limits, earned_by, counted_since }) => (
    <>
      <Facts aria-label="Held back by each limit">
        {limits.map(one => (
          <Fact key={one.limit} name={WINDOWS.find(({ field }) => field === one.limit)?.label}>
            {capitalized(heldBackText(one, earned_by))}
          </Fact>
        ))}
      </Facts>
      {counted_since && (
        <Text mt="2" color="fg.muted" fontSize="xs">
          Only since {formatUtcDate(counted_since)}: there are too many to count all.
        </Text>
      )}
    </>
  ));

const LEAST_SHOWN = 14;

/** What another limit of a week would change, while it is dragged or chosen by the arrow keys. */
function OtherLimit({ present }: { present: number }) {
  const [chosen, setChosen] = useState(present);
  const id = useId();
  const isOther = chosen !== present;
  const query = { max_emails_1_week: chosen };
  const asked = useQuestion('GET /api/safeguards/estimate', isOther ? { query } : undefined);
  return (
    <Box mt="5">
      <chakra.label htmlFor={id} display="block" mb="2" fontWeight="medium">
        With {formatNumber(chosen)} a week{isOther ? ` instead of ${formatNumber(present)}` : ', as now'}
      </chakra.label>
      <chakra.input
        id={id}
        type="range"
        min={1}
        max={Math.max(LEAST_SHOWN, 2 * present)}
        value={chosen}
        aria-valuetext={`${formatNumber(chosen)} a week`}
        onChange={event => setChosen(Number(event.currentTarget.value))}
        width="full"
        height={{ base: '11', md: '8' }}
        accentColor="fg"
        cursor="pointer"
      />
      <Box role="status" mt="2" minHeight="10" textWrap="pretty">
        {isOther ? (
          shown(asked, data =>
            [estimateText(data), ...accuracyOf(data)].map((text, nth) => (
              <Text key={text} color={nth > 0 ? 'fg.muted' : undefined}>
                {text}
              </Text>
            )),
          )
        ) : (
          <Text color="fg.muted">Move the slider to see what another limit would change.</Text>
        )}
      </Box>
    </Box>
  );
}
