import { Box } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';

const ForecastContent = onDemand(() => import('./forecast-content.tsx'), <Loading shape={['line', 300]} />);

/** What is sent next, and on each of the next 30 days. Its code is loaded when the page can be used. */
export const Forecast = ({ automation }: { automation: Automation }) => (
  <Box mt="8">
    <Section title="Next sends">
      <ForecastContent automation={automation} />
    </Section>
  </Box>
);
