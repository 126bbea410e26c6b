import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Automation } from '#shared/automation.ts';
import type { Forecast as ForecastAnswer } from '#shared/forecast.ts';
import { percentage } from '#shared/report/figures.ts';
import type { AutomationReport } from '#shared/reporting.ts';
import { Amount } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Figure } from '#web/components/figures.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { MailingStatus } from '#web/entities/automation/automation.tsx';
import { NotSentNotice, useNotSent } from '#web/entities/automation/not-sent.tsx';
import { lackOf, sendingOf } from '#web/entities/automation/obstacles.ts';
import { SHARED, SharedNote } from '#web/entities/automation/shared-counts.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, formatSoon, formatUtcShort, plural } from '#web/lib/format.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { useMay, useOrganization } from '#web/lib/organization.ts';
import { logPath, paths } from '#web/lib/paths.ts';
import { useElapsed } from '#web/lib/timers.ts';
import { ContentSection } from './content-section.tsx';
import { scheduleSentence } from './schedule-texts.ts';

const LinkContentDialog = onDemand(() => import('./link-content-dialog.tsx'));
const Shares = onDemand(() => import('./shares.tsx'), <Loading shape={['title', 240]} />);
const Lift = onDemand(() => import('#web/entities/automation/lift.tsx'), <Loading shape={[160]} />);
const Forecast = onDemand(() => import('./forecast.tsx'), <Loading shape={['line', 300]} />);

type Props = {
  automation: Automation;
  linking: { isOpen: boolean; open: () => void; close: () => void };
  children: ReactNode;
};

/** After this many milliseconds, the content is shown even if it is not known what was not sent. */
const NOT_SENT_TIMEOUT = 2_000;

/** Whether an automation sends, when next and with which results; then what it sends, and `children`. */
export default function AutomationParts({ automation, linking, children }: Props) {
  const { id } = automation;
  const { data, error, mutate } = useOrganizationData('GET /api/automations/{automation}/content', {
    params: { automation: id },
  });
  const may = useMay();
  const { isKnown, notSentOf } = useNotSent([id]);
  const isLate = useElapsed(NOT_SENT_TIMEOUT);
  const notSent = notSentOf(id);
  return (
    <>
      <Overview automation={automation} />
      {(!data && !error) || (!isKnown && !isLate) ? (
        <Loading shape={['title', 360]} />
      ) : (
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
          {data && automation.allocation !== 'equal' && <Shares automation={automation} content={data} />}
          {automation.holdout_percent > 0 && (
            <Section title="Holdout">
              <Lift automation={automation} />
            </Section>
          )}
          <Section title="Next sends">
            <Forecast automation={automation} />
          </Section>
          {children}
        </>
      )}
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

/** Its one status, its schedule in a sentence, the next email and the last results. */
function Overview({ automation }: { automation: Automation }) {
  const { id, metadata_trigger } = automation;
  const { data, error, mutate } = useResults(automation);
  return (
    <Panel as="section" aria-label="Overview" p="4" mb="8">
      <Flex wrap="wrap" columnGap="4" rowGap="1" lineHeight="20px">
        <Box fontWeight="medium">
          <MailingStatus mailing={automation} lack={lackOf(automation)} />
        </Box>
        <Text flex="1 1 320px" minWidth="0" overflowWrap="anywhere" textWrap="pretty">
          {scheduleSentence(automation, metadata_trigger)}
        </Text>
      </Flex>
      {!data && error ? (
        <Box mt="4">
          <Failure
            problem={error}
            fallback="Failed to load the results. Please try again."
            onRetry={mutate}
          />
        </Box>
      ) : (
        <Figures automation={automation} report={data} />
      )}
      <Flex wrap="wrap" columnGap="4" rowGap="1" mt="3" fontSize="sm" lineHeight="20px">
        <TextLink to={logPath({ automation: id })}>Its emails in the sending log</TextLink>
        <TextLink to={paths.reporting()}>All combinations in reporting</TextLink>
        {data?.counted_until && (
          <Box as="span" color="fg.muted">
            Counting is behind: the newest emails are missing.
          </Box>
        )}
      </Flex>
      {data && (data.opened === null || data.value === null) && <SharedNote />}
    </Panel>
  );
}

function NextSend({ automation }: { automation: Automation }) {
  const { data, error } = useOrganizationData('GET /api/automations/{automation}/forecast', {
    params: { automation: automation.id },
  });
  const sends = sendingOf(automation, lackOf(automation), useOrganization()).tone === 'usual';
  const week = data?.days.slice(0, 7).reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <Figure name="Next send" note={sends && data && `${plural(week, 'email')} in the next 7 days`}>
      {!sends ? 'None' : data ? nextOf(data) : error && NOT_KNOWN}
    </Figure>
  );
}

/** Where only some people were read, the day on which the first of them gets one. */
function nextOf({ next_at, days }: ForecastAnswer): string {
  if (next_at) return `${formatSoon(next_at)} UTC`;
  const at = days.findIndex(({ count }) => count > 0);
  return at < 0 ? 'None in 30 days' : at === 0 ? 'Today' : formatUtcShort(days[at]?.date ?? '');
}

const NOT_KNOWN = 'Not known';

const EMPTY = { sent: 0, combinations: 0, start_date: '', end_date: '' };

type FiguresProps = { automation: Automation; report: AutomationReport | undefined };

function Figures({ automation, report }: FiguresProps) {
  const { sent, combinations, start_date: from, end_date: to } = report ?? EMPTY;
  const { opened, clicked, value } = report ?? {};
  const figure = (name: string, status: 'sent' | 'opened' | 'clicked', count: number | null | undefined) => (
    <Figure
      name={name}
      note={
        report &&
        sent > 0 &&
        (status === 'sent'
          ? plural(combinations, 'combination')
          : count !== null && percentage(count ?? 0, sent))
      }
      explained={count === null ? SHARED : undefined}
    >
      {count === null ? (
        NOT_KNOWN
      ) : count ? (
        <TextLink to={logPath({ automation: automation.id, status, from, to })}>
          {formatNumber(count)}
        </TextLink>
      ) : (
        count
      )}
    </Figure>
  );
  return (
    <Grid
      as="dl"
      aria-label={`Next send, and results of the last ${DEFAULT_DAYS} days`}
      aria-busy={!report}
      templateColumns="repeat(auto-fit, minmax(min(144px, 40%), 1fr))"
      gap="3"
      mt="4"
    >
      <NextSend automation={automation} />
      {figure(`Sent in ${DEFAULT_DAYS} days`, 'sent', report && sent)}
      {figure('Opened', 'opened', opened)}
      {figure('Clicked', 'clicked', clicked)}
      <Figure name="Value" explained={value === null ? SHARED : undefined}>
        {value === null ? NOT_KNOWN : value !== undefined && <Amount of={value} />}
      </Figure>
    </Grid>
  );
}
