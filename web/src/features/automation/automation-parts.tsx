import type { ReactNode } from 'react';
import type { Automation } from '#shared/automation.ts';
import { Failure } from '#web/components/failure.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { useElapsed } from '#web/lib/timers.ts';
import { Forecast } from './forecast.tsx';
import { LinkContentDialog } from './link-content-dialog.tsx';
import { Results, useResults } from './results.tsx';
import { WhatItSends } from './what-it-sends.tsx';

type Props = {
  automation: Automation;
  /** Shown until the first part is there. */
  loading: ReactNode;
  /** The dialog in which content is linked. */
  linking: { isOpen: boolean; open: () => void; close: () => void };
  children: ReactNode;
};

/** After this many milliseconds, what is below the results is shown even if they are still loading. */
const RESULTS_TIMEOUT = 2_000;

/** What an automation sends, will send and has sent; then `children`. Each part is shown once nothing above it moves. */
export default function AutomationParts({ automation, loading, linking, children }: Props) {
  const { id } = automation;
  const { data, error, mutate } = useOrganizationData('GET /api/automations/{automation}/content', {
    params: { automation: id },
  });
  const results = useResults(automation);
  const isLate = useElapsed(RESULTS_TIMEOUT);
  if (!data && !error) return loading;
  return (
    <>
      {data ? (
        <WhatItSends automation={automation} content={data} onLink={linking.open} />
      ) : (
        <Section title="What it sends">
          <Failure
            problem={error}
            fallback="Failed to load the content of this automation. Please try again."
            onRetry={() => void mutate()}
          />
        </Section>
      )}
      <Forecast automation={automation} />
      <Results automation={id} results={results} />
      {(results.data || results.error || isLate) && children}
      {linking.isOpen && <LinkContentDialog automation={automation} onClose={linking.close} />}
    </>
  );
}
