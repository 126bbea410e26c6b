import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationComparison, Comparisons } from '#shared/comparisons.ts';
import { Button } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Comparison } from './comparison.tsx';
import { formatDay } from './dates.ts';

const MOST_SHOWN = 5;
const RESULTS: AutomationComparison['combinations']['result'][] = [
  'difference',
  'no_difference',
  'not_enough_data',
];
const AND = new Intl.ListFormat('en', { type: 'conjunction' });

/** The comparisons of all automations. Those with a result come first. */
export default function AutomationComparisons({ automations, not_compared, since }: Comparisons) {
  const [isWhole, setWhole] = useState(false);
  const saysMost = ({ combinations, parts }: AutomationComparison) =>
    Math.min(...[combinations, ...parts].map(({ result }) => RESULTS.indexOf(result)));
  const sorted = automations.toSorted((a, b) => saysMost(a) - saysMost(b));
  const shown = isWhole ? sorted : sorted.slice(0, MOST_SHOWN);
  return (
    <>
      {automations.length === 0 && (
        <Panel>
          <EmptyState
            title={`No automation has sent two different combinations since ${formatDay(since)}`}
            cause="Combinations can be compared where an automation chooses between them."
          />
        </Panel>
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
