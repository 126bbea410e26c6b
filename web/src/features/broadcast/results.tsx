import { Flex, Text } from '@chakra-ui/react';
import type { Broadcast } from '#shared/broadcast.ts';
import { percentage } from '#shared/report/figures.ts';
import { Amount } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Figure, FigureList } from '#web/components/figures.tsx';
import { Section } from '#web/components/section.tsx';
import { NotSentText, useNotSent } from '#web/entities/automation/not-sent.tsx';
import { SHARED, SharedNote } from '#web/entities/automation/shared-counts.tsx';
import { useTotals } from '#web/entities/broadcast/broadcast.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { logPath, paths } from '#web/lib/paths.ts';

export const VALUE_ENDS =
  'Conversions that your program reports more than 31 days after it began are in the report alone.';

/** What was sent of a broadcast, and what happened to it. */
export function Results({ broadcast }: { broadcast: Broadcast }) {
  const { id, started_at } = broadcast;
  const { byId, error, data, mutate } = useTotals([broadcast]);
  const totals = byId.get(id);
  const notSent = useNotSent([id], started_at?.slice(0, 10)).notSentOf(id);
  return (
    <Section title="Results">
      {error && !data ? (
        <Failure problem={error} fallback="Failed to load the results. Please try again." onRetry={mutate} />
      ) : (
        <FigureList aria-label="Results" aria-busy={!totals}>
          <Figure name="Sent">{totals && formatNumber(totals.sent)}</Figure>
          <Part name="Opened" count={totals?.opened} of={totals?.sent} />
          <Part name="Clicked" count={totals?.clicked} of={totals?.sent} />
          <Part name="Unsubscribed" count={totals?.unsubscribed} of={totals?.sent} />
          <Figure
            name="Value"
            note="in its first 31 days"
            explained={totals?.value === null ? SHARED : VALUE_ENDS}
          >
            {totals && (totals.value === null ? 'Not known' : <Amount of={totals.value} />)}
          </Figure>
        </FigureList>
      )}
      {/* It has its place before it is known, so that nothing below moves. */}
      <Text mt="3" fontSize="sm" lineHeight="20px" minHeight="20px">
        {notSent && <NotSentText {...notSent} />}
      </Text>
      {totals && (totals.opened === null || totals.value === null) && <SharedNote />}
      <Flex wrap="wrap" columnGap="4" rowGap="1" mt="1" fontSize="sm">
        <TextLink to={logPath({ automation: id })}>Its emails in the sending log</TextLink>
        <TextLink to={logPath({ automation: id, status: 'skipped' })}>Who did not get it</TextLink>
        <TextLink to={paths.reporting()}>All combinations in reporting</TextLink>
      </Flex>
    </Section>
  );
}

type PartProps = { name: string; count: number | null | undefined; of: number | undefined };

/** Its place is there before its number is known. */
const Part = ({ name, count, of }: PartProps) => (
  <Figure
    name={name}
    note={count != null && of ? percentage(count, of) : undefined}
    explained={count === null ? SHARED : undefined}
  >
    {count === null ? 'Not known' : count !== undefined && formatNumber(count)}
  </Figure>
);
