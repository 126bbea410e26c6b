import { Box, Flex, Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import type { SampleEmail, Simulation } from '#shared/simulation.ts';
import { Actions } from '#web/components/actions.tsx';
import { Breakable } from '#web/components/breakable.tsx';
import { Button, TextLink } from '#web/components/button.tsx';
import Chart, { HATCHED, type Series } from '#web/components/chart.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Notice } from '#web/components/notice.tsx';
import { usePages } from '#web/components/use-table-view.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatNumber, formatUtcMoment, formatUtcTime, IN_UTC, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { explanationPath, paths } from '#web/lib/paths.ts';
import { sampledText } from '#web/lib/sampled.ts';
import { emptinessOf } from './automation-texts.ts';
import { multipleSends } from './schedule-texts.ts';
import {
  cautionsOf,
  heldText,
  insteadText,
  isCutShort,
  nothingText,
  outcomeText,
  triggerText,
  waitsText,
} from './simulation-texts.ts';

type Props = { automation: Automation; onClose: () => void };

export default function SimulationDialog({ automation, onClose }: Props) {
  const { data, error, isValidating, mutate } = useOrganizationData(
    'GET /api/automations/{automation}/simulate',
    { params: { automation: automation.id } },
    // Fetched each time the dialog is opened, but not revalidated while it is read.
    { dedupingInterval: 0, revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  return (
    <Modal title={`Simulation Results: ${automation.name}`} width="1120px" onClose={onClose}>
      <Text fontSize="sm">Emails that this automation would send during the next 24 hours</Text>
      <Text mt="1" mb="4" fontSize="sm" color="fg.muted">
        Double and triple sends are ignored by the simulation.
      </Text>
      {/* The dialog keeps its height when the results come, and so its place. */}
      <Box minHeight="calc(100dvh - 200px)">
        {isValidating ? (
          <Loading shape={['line', 200, 'line', 'line', 'line']} />
        ) : data && !error ? (
          <Results automation={automation} simulation={data} />
        ) : (
          <Failure
            problem={error}
            message="Failed to simulate automation. Please try again."
            onRetry={mutate}
          />
        )}
      </Box>
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Modal>
  );
}

function Results({ automation, simulation }: { automation: Automation; simulation: Simulation }) {
  const { total_count, first_emails, limited, max_results, sample_emails, will_send, skipped, sampled } =
    simulation;
  const nothing = nothingText(simulation);
  const instead = insteadText(simulation);
  const isAnyDue = will_send > 0 || Object.keys(skipped).length > 0;
  const cause = total_count === 0 && !isAnyDue ? emptinessOf(automation) : undefined;
  const cautions = cautionsOf(automation, simulation, useOrganization()).filter(caution => caution !== cause);
  return (
    <>
      {cautions.length > 0 && (
        <Notice tone="warning" mb="4">
          {cautions.map(caution => (
            <p key={caution}>{caution}</p>
          ))}
        </Notice>
      )}
      {cause ? (
        <EmptyState title="No emails scheduled" cause={cause} />
      ) : (
        <>
          <Flex as="h3" wrap="wrap" align="baseline" columnGap="2" mb="3" fontSize="lg" lineHeight="24px">
            <span>{nothing ?? `${plural(first_emails, 'Email')} to be Sent`}</span>
            {limited && !nothing && (
              <Box as="span" fontSize="sm" fontWeight="normal" color="fg.muted">
                (Limited to {formatNumber(max_results)} sample emails)
              </Box>
            )}
          </Flex>
          <Box mt="-1" mb="4" fontSize="sm">
            <p>
              {outcomeText(simulation)}
              {multipleSends(automation).length > 0 && ', second and third emails included'}
            </p>
            {[heldText(simulation), instead, sampled && sampledText(sampled)].map(
              text =>
                text && (
                  <Text key={text} mt="1" color="fg.muted">
                    {text}
                  </Text>
                ),
            )}
          </Box>
          <Hours {...simulation} />
          <Samples automation={automation.id} samples={sample_emails} />
        </>
      )}
    </>
  );
}

/** From 20 pixels, for bars that are not empty, up to 200. */
const HEIGHTS = { min: 20, max: 200 };
type Hour = Simulation['hourly_summary'][number];
const BARS: Series<Hour>[] = [
  { name: 'Sent', value: ({ will_send }) => will_send, fill: 'var(--chart-strong)' },
  { name: 'Due, but not sent', value: ({ skipped }) => skipped, fill: HATCHED },
];
const LENGTH = 60 * 60 * 1000;
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

function Hours({ hourly_summary, counted_until, until }: Simulation) {
  const end = isCutShort({ counted_until, until }) ? Date.parse(counted_until) : Number.POSITIVE_INFINITY;
  const textOf = ({ hour, will_send, skipped }: Hour) => {
    const sent = plural(will_send, 'email');
    const text = skipped > 0 ? `${sent}, ${formatNumber(skipped)} not sent` : sent;
    if (Date.parse(hour) >= end) return 'not counted';
    return Date.parse(hour) + LENGTH > end ? `at least ${text}` : text;
  };
  return (
    <Box mb="5">
      <Chart
        label="Emails per hour"
        points={hourly_summary}
        keyOf={({ hour }) => hour}
        nameOf={({ hour }) => `${WEEKDAY.format(new Date(hour))}, ${formatUtcTime(hour)}`}
        tickOf={({ hour }) => formatUtcTime(hour)}
        tickEvery={6}
        textOf={textOf}
        bars={BARS}
        isStacked
        heights={HEIGHTS}
        legend={hourly_summary.some(({ skipped }) => skipped > 0) ? 'below' : undefined}
        read="list"
      />
      <Text mt="2" fontSize="xs" color="fg.muted">
        {IN_UTC}
      </Text>
    </Box>
  );
}

const PER_PAGE = 20;

function Samples({ automation, samples }: { automation: string; samples: SampleEmail[] }) {
  const pages = usePages(samples, PER_PAGE);
  return (
    <DataTable
      label="Sample emails"
      columns={columnsOf(automation, samples)}
      {...pages}
      rowKey={({ list_member_id, scheduled_time }) => `${list_member_id} ${scheduled_time}`}
      rowName={({ email }) => email}
      count={countText(samples.length, 'sample email')}
      empty={null}
    />
  );
}

function ScheduledTime({ scheduled_time, held_since }: SampleEmail) {
  return (
    <div>
      {formatUtcMoment(scheduled_time, '')}
      {held_since && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px" whiteSpace="normal">
          {waitsText(held_since, scheduled_time)}
        </Box>
      )}
    </div>
  );
}

const columnsOf = (automation: string, samples: readonly SampleEmail[]): Column<SampleEmail>[] => [
  {
    header: 'Recipient',
    width: 'minmax(0, 1.4fr)',
    cell: ({ list_member_id, email }) => (
      <TextLink to={paths.listMember(list_member_id)}>
        <Breakable>{email}</Breakable>
      </TextLink>
    ),
  },
  { header: 'List', collapse: 'value', cell: ({ list_name }) => list_name },
  {
    header: 'Scheduled Time',
    width: '184px',
    // Formatted like the trigger beside it.
    cell: sample => <ScheduledTime {...sample} />,
  },
  { header: 'Trigger Column', width: '130px', cell: ({ trigger_column }) => trigger_column ?? 'Date added' },
  { header: 'Trigger Value', width: '184px', cell: ({ trigger_value }) => triggerText(trigger_value) },
  ...(samples.some(({ days_since_trigger }) => days_since_trigger !== undefined)
    ? [
        {
          header: 'Days Since Trigger',
          width: '140px',
          align: 'end' as const,
          cell: ({ days_since_trigger }: SampleEmail) =>
            days_since_trigger === undefined ? '' : formatNumber(days_since_trigger),
        },
      ]
    : []),
  {
    header: 'Explanation',
    width: '104px',
    cell: ({ list_member_id }) => <TextLink to={explanationPath(list_member_id, automation)}>Why?</TextLink>,
  },
];
