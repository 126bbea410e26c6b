import { Box } from '@chakra-ui/react';
import type { Comparisons as Answer } from '#shared/comparisons.ts';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import { COMPARISONS_NOT_LOADED, howItIsCompared } from './comparison-texts.ts';
import { formatDay } from './dates.ts';
import { useComparisons } from './use-comparisons.ts';

const AutomationComparisons = onDemand(
  () => import('./automation-comparisons.tsx'),
  <Loading shape={[96]} />,
);

/** The comparisons of the combinations of each automation, below the report. */
export function Comparisons() {
  const { comparisons, problem, repeat } = useComparisons();
  return (
    <Box mt="8">
      <Section title="Which combinations click better?" note={comparisons && <Since {...comparisons} />}>
        {problem ? (
          <Failure problem={problem} fallback={COMPARISONS_NOT_LOADED} onRetry={repeat} />
        ) : comparisons ? (
          <AutomationComparisons {...comparisons} />
        ) : (
          AutomationComparisons.fallback
        )}
      </Section>
    </Box>
  );
}

/** What is compared, since when, and that looking at it early does no harm. */
export const Since = ({ since }: Pick<Answer, 'since'>) => (
  <WithHelpTip word={`Clicks per emails sent since ${formatDay(since)}, of each automation by itself`}>
    {howItIsCompared(formatDay(since))}
  </WithHelpTip>
);
