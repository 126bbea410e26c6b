import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Automation } from '#shared/automation.ts';
import { percentage, roundedAmount } from '#shared/report/figures.ts';
import type { AutomationReport } from '#shared/reporting.ts';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Figure, FigureList } from '#web/components/figures.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { NotSentNotice, useNotSent } from '#web/entities/automation/not-sent.tsx';
import { SHARED, SharedNote } from '#web/entities/automation/shared-counts.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { useMay } from '#web/lib/organization.ts';
import { logPath, paths } from '#web/lib/paths.ts';
import { useElapsed } from '#web/lib/timers.ts';
import { ContentSection } from './content-section.tsx';

const LinkContentDialog = onDemand(() => import('./link-content-dialog.tsx'));
const Forecast = onDemand(() => import('./forecast.tsx'), <Loading shape={['line', 300]} />);

type Props = {
  automation: Automation;
  /** Shown until the first part is there. */
  loading: ReactNode;
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
  const may = useMay();
  const results = useResults(automation);
  const { isKnown, notSentOf } = useNotSent([id]);
  const isLate = useElapsed(RESULTS_TIMEOUT);
  if ((!data && !error) || (!isKnown && !isLate)) return loading;
  const notSent = notSentOf(id);
  return (
    <>
      {notSent && <NotSentNotice notSent={notSent} />}
      {data ? (
        <ContentSection automation={automation} content={data} onLink={linking.open} />
      ) : (
        <Section title="What it sends">
          <Failure
            problem={error}
            fallback="Failed to load the content of this automation. Please try again."
            onRetry={mutate}
          />
        </Section>
      )}
      <Box mt="8">
        <Section title="Next sends">
          <Forecast automation={automation} />
        </Section>
      </Box>
      <Results automation={id} results={results} />
      {(results.data || results.error || isLate) && children}
      {linking.isOpen && may('content:edit') && (
        <LinkContentDialog automation={automation} onClose={linking.close} />
      )}
    </>
  );
}

const FIRST_EMAIL_WAIT_MS = 15_000;

/** The report of an automation for the last 30 days. It is polled until the first email was sent. */
const useResults = ({ id, active }: Pick<Automation, 'id' | 'active'>) =>
  useOrganizationData(
    'GET /api/reporting/automations/{automation}',
    { params: { automation: id }, query: lastDays(DEFAULT_DAYS) },
    { refreshInterval: results => (active && results?.sent === 0 ? FIRST_EMAIL_WAIT_MS : 0) },
  );

type ResultsProps = { automation: string; results: ReturnType<typeof useResults> };

/** Renders nothing if nothing was sent. */
function Results({ automation, results: { data, error, mutate } }: ResultsProps) {
  if (data ? data.sent === 0 : !error) return null;
  return (
    <Box mt="8">
      <Section title={`Results of the last ${DEFAULT_DAYS} days`}>
        {data ? (
          <Figures automation={automation} report={data} />
        ) : (
          <Failure
            problem={error}
            fallback="Failed to load the results. Please try again."
            onRetry={mutate}
          />
        )}
      </Section>
    </Box>
  );
}

const VALUE = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function Figures({ automation, report }: { automation: string; report: AutomationReport }) {
  const { sent, opened, clicked, value, combinations } = report;
  return (
    <>
      <FigureList aria-label="Results">
        <Figure name="Sent" note={plural(combinations, 'combination')}>
          {formatNumber(sent)}
        </Figure>
        <Figure
          name="Opened"
          note={opened !== null && percentage(opened, sent)}
          explained={opened === null ? SHARED : undefined}
        >
          {opened === null ? 'Not known' : formatNumber(opened)}
        </Figure>
        <Figure name="Clicked" note={percentage(clicked, sent)}>
          {formatNumber(clicked)}
        </Figure>
        <Figure name="Value" explained={value === null ? SHARED : undefined}>
          {value === null ? 'Not known' : VALUE.format(roundedAmount(value))}
        </Figure>
      </FigureList>
      {(opened === null || value === null) && <SharedNote />}
      <Flex wrap="wrap" columnGap="4" rowGap="1" mt="3" fontSize="sm">
        <TextLink to={logPath({ automation: automation })}>Its emails in the sending log</TextLink>
        <TextLink to={paths.reporting()}>All combinations in reporting</TextLink>
      </Flex>
      {report.counted_until && (
        <Text mt="2" fontSize="xs" color="fg.muted">
          Counting is behind: the newest emails are missing.
        </Text>
      )}
    </>
  );
}
