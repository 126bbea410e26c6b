import { Box, List, Stack, Text } from '@chakra-ui/react';
import { type Explanation, OBSTACLES, OWED, type Owed } from '#shared/explanation.ts';
import { ONCE_PER_DATE } from '#shared/schedule.ts';
import { REASONS } from '#shared/send-status.ts';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { OTHER_STATE, Status } from '#web/components/status.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatUtcDate, formatUtcMoment, lowered } from '#web/lib/format.ts';

const STATUSES: Record<Owed['status'], { word: string; tone: 'usual' | 'off' | 'attention' | 'wrong' }> = {
  sent: { word: 'Sent', tone: 'usual' },
  failed: { word: 'Failed', tone: 'wrong' },
  unknown: { word: 'Unknown', tone: 'attention' },
  skipped: { word: 'Not sent', tone: 'attention' },
  waiting: { word: 'On its way', tone: 'usual' },
  unrecorded: { word: 'Nothing recorded', tone: 'off' },
  no_match: { word: 'Not due', tone: 'off' },
  starts_nothing: { word: 'Not due', tone: 'off' },
  zone_passed: { word: 'Too late', tone: 'off' },
};

const NOT_IN_LOG: readonly Owed['status'][] = ['unrecorded', 'no_match', 'starts_nothing', 'zone_passed'];

const COPIES = ['', '', 'second copy', 'third copy'];

const nameOf = ({ number, copy }: Pick<Owed, 'number' | 'copy'>) =>
  [number === null ? 'Of an earlier schedule' : `Email ${number}`, COPIES[copy]].filter(Boolean).join(', ');

function whyOf({ status, reason, other_list, earns_more }: Owed): string | undefined {
  if (reason && earns_more) return `${REASONS[reason]}. Another email came first: ${earns_more} earns more`;
  if (reason) return REASONS[reason];
  if (status in OWED) return OWED[status as keyof typeof OWED];
  return other_list
    ? `From the list ${other_list}: an automation mails a person once, whatever lists they are on`
    : undefined;
}

function Outcome({ status }: Pick<Owed, 'status'>) {
  const { tone, word } = STATUSES[status] ?? OTHER_STATE;
  return <Status tone={tone}>{word}</Status>;
}

const columns: Column<Owed>[] = [
  { key: 'due_at', header: 'Due', width: '190px', cell: ({ due_at }) => formatUtcMoment(due_at, '') },
  { key: 'number', header: 'Email', width: 'minmax(160px, 1fr)', cell: nameOf },
  {
    key: 'status',
    header: 'Outcome',
    width: 'minmax(0, 3fr)',
    cell: owed => (
      <Box overflowWrap="anywhere">
        <Outcome {...owed} />
        {whyOf(owed) && (
          <Box color="fg.muted" fontSize="xs" lineHeight="18px">
            {whyOf(owed)}.
          </Box>
        )}
      </Box>
    ),
  },
];

/** Its times have no zone: the view that shows it says that they are in UTC. */
export default function MemberExplanation({ member, automation }: { member: string; automation: string }) {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/list-members/{listMember}/automations/{automation}',
    { params: { listMember: member, automation } },
  );
  if (error && !data) return <Failure problem={error} message="This could not be loaded." onRetry={mutate} />;
  // Its parts differ much in height: none is shown before all are known.
  if (!data) return <Loading shape={[48, 240]} />;
  return (
    <Stack gap="4">
      {data.obstacles.length > 0 && <Obstacles {...data} />}
      <Facts>
        <Fact name="Starts at">
          {startOf(data)}
          {data.trigger_column && data.automation.repeat === 'once' && (
            <Box color="fg.muted">{ONCE_PER_DATE}</Box>
          )}
        </Fact>
        <Fact name="Next email">
          <Next {...data} />
        </Fact>
      </Facts>
      <DataTable
        label="Emails that were due"
        columns={columns}
        rows={data.past}
        rowKey={({ due_at, copy, number }) => `${due_at} ${number} ${copy}`}
        count={countText(data.past.length, 'email')}
        empty={
          <EmptyState
            title="Nothing was due yet"
            cause={`No email of this automation was due for them since ${formatUtcDate(data.since)}.`}
          />
        }
      />
      {data.past.some(({ status }) => NOT_IN_LOG.includes(status)) && (
        <Text color="fg.muted" fontSize="sm">
          The sending log has what was sent and what was skipped. What was not due then, or not recorded, is
          not in it.
        </Text>
      )}
      {data.switched.length > 0 && <Switched switched={data.switched} />}
    </Stack>
  );
}

function Obstacles({ obstacles, mismatch }: Explanation) {
  const texts = obstacles.map(obstacle =>
    obstacle === 'no_match' && mismatch ? mismatch : lowered(OBSTACLES[obstacle]),
  );
  return (
    <Notice tone="warning">
      {texts.length === 1 ? (
        `Nothing is sent: ${texts[0]}.`
      ) : (
        <>
          Nothing is sent, as:
          <List.Root as="ul" ps="5" listStyleType="disc">
            {texts.map(text => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List.Root>
        </>
      )}
    </Notice>
  );
}

const startOf = ({ trigger_column, trigger_value }: Explanation) =>
  [trigger_column ?? 'When they were added', trigger_value && formatUtcMoment(trigger_value, '')]
    .filter(Boolean)
    .join(': ');

function Next({ next, obstacles }: Explanation) {
  if (!next) return 'None';
  const when = `${formatUtcMoment(next.due_at, '')} (${lowered(nameOf(next))})`;
  const isBlocked = obstacles.length > 0;
  const sentences = [
    isBlocked ? `None as things are. Otherwise: ${when}` : when,
    next.held_since &&
      `${isBlocked ? 'It would wait' : 'It waits'} from ${formatUtcMoment(next.held_since, '')} until then, for quiet hours to end`,
    !isBlocked && next.skipped && `As things are, it would be skipped: ${lowered(REASONS[next.skipped])}`,
  ].filter(Boolean);
  return sentences.length > 1 ? `${sentences.join('. ')}.` : sentences[0];
}

const Switched = ({ switched }: Pick<Explanation, 'switched'>) => (
  <Box color="fg.muted" fontSize="sm">
    Switched in this time:
    <List.Root as="ul" ps="5" listStyleType="disc">
      {switched.map(({ at, what, on, by }) => (
        <List.Item key={`${at} ${what}`}>
          {`${formatUtcMoment(at, '')}: ${what} ${on ? 'on' : 'off'}${by ? `, by ${by === 'operator' ? 'the operator' : by}` : ''}`}
        </List.Item>
      ))}
    </List.Root>
  </Box>
);
