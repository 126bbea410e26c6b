import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import type { Comparisons as Answer, AutomationComparison } from '../../../../shared/comparisons.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Explained } from '../../components/explained.tsx';
import { Failure } from '../../components/failure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Comparison } from './comparison.tsx';
import { COMPARISONS_NOT_LOADED, howItIsCompared } from './comparison-texts.ts';
import { formatDay } from './dates.ts';
import { useComparisons } from './use-comparisons.ts';

/** Whether combinations differ, of each automation, below the report. */
export function Comparisons() {
  const { comparisons, problem, repeat } = useComparisons();
  return (
    <Box mt="8">
      <Section title="Which combinations click better?" note={comparisons && <Since {...comparisons} />}>
        {problem ? (
          <Failure problem={problem} fallback={COMPARISONS_NOT_LOADED} onRetry={repeat} />
        ) : comparisons ? (
          <Automations {...comparisons} />
        ) : (
          <Loading shape={[96]} />
        )}
      </Section>
    </Box>
  );
}

/** What is compared, on which days, and that it may be looked at at any time. */
export const Since = ({ since }: Pick<Answer, 'since'>) => (
  <Explained word={`Clicks per emails sent since ${formatDay(since)}, of each automation by itself`}>
    {howItIsCompared(formatDay(since))}
  </Explained>
);

const MOST_SHOWN = 5;
const RESULTS: AutomationComparison['combinations']['result'][] = [
  'difference',
  'no_difference',
  'not_enough_data',
];
const AND = new Intl.ListFormat('en', { type: 'conjunction' });

function Automations({ automations, not_compared, since }: Answer) {
  const [isWhole, setWhole] = useState(false);
  const saysMost = ({ combinations, parts }: AutomationComparison) =>
    Math.min(...[combinations, ...parts].map(({ result }) => RESULTS.indexOf(result)));
  const sorted = automations.toSorted((a, b) => saysMost(a) - saysMost(b));
  const shown = isWhole ? sorted : sorted.slice(0, MOST_SHOWN);
  return (
    <>
      {automations.length === 0 && (
        <EmptyState
          title={`No automation has sent two different combinations since ${formatDay(since)}`}
          cause="Combinations can be compared where an automation chooses between them."
        />
      )}
      <Box display="grid" gap="3">
        {shown.map(one => (
          <Comparison key={one.automation_id} {...one} />
        ))}
      </Box>
      {shown.length < sorted.length && (
        <Box mt="3">
          <Button onClick={() => setWhole(true)}>Show all {sorted.length} automations</Button>
        </Box>
      )}
      {not_compared.length > 0 && (
        <Notice tone="info" mt="3">
          {AND.format(not_compared.map(({ automation }) => automation))} are not compared: what they have sent
          is counted together.
        </Notice>
      )}
    </>
  );
}
