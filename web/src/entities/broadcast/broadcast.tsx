import { Text } from '@chakra-ui/react';
import type { Broadcast } from '#shared/broadcast.ts';
import type { BroadcastStatus } from '#shared/broadcast-state.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { OTHER_STATE, Status } from '#web/components/status.tsx';
import { hasBegun } from '#web/lib/automation-choice.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatUtcMoment } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { messageOf, Problem, serverMessageOr } from '#web/lib/problem.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';

const REFRESH_MS = 5_000;

export const BROADCAST = {
  noun: 'broadcast',
  nameOf: ({ name }) => name,
  home: paths.broadcasts(),
  back: 'Back to Broadcasts',
  one: 'GET /api/broadcasts/{broadcast}',
  rows: 'GET /api/broadcasts',
  put: 'PUT /api/broadcasts/{broadcast}',
  remove: 'DELETE /api/broadcasts/{broadcast}',
  paramsOf: broadcast => ({ broadcast }),
  activeField: 'status',
  right: 'automations:edit',
  texts: {
    missing: 'Broadcast not found',
    notLoaded: 'Failed to fetch broadcast. Please try again.',
    switched: ({ name }, active) => `${name} is ${active ? 'scheduled' : 'cancelled'}.`,
    notSwitched: refusalOf,
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Broadcast, 'GET /api/broadcasts/{broadcast}'>;

/** Why a change was refused: all errors of fields, else the message. */
export function refusalOf(problem: unknown): string {
  const messages = problem instanceof Problem ? Object.values(problem.fields).flat() : [];
  return messages.length > 0 ? messages.join(' ') : serverMessageOr(problem, messageOf(problem));
}

/** Polled while it is being sent, from before its time until after its end. */
export const useBroadcast = (id: string) =>
  useEntity(BROADCAST, id, { refreshInterval: data => nextRefresh(data ? [data] : []) });

const SOON_MS = 10 * MINUTE;

const isMoving = ({ status, ended_at }: Broadcast) =>
  status === 'sending' ||
  (status === 'sent' && ended_at !== null && Date.now() - Date.parse(ended_at) < SOON_MS);

/** A timer of a browser takes no month. */
function refreshedAfter(broadcast: Broadcast): number {
  if (broadcast.status !== 'scheduled') return isMoving(broadcast) ? REFRESH_MS : 0;
  return Math.max(REFRESH_MS, Math.min(beginOf(broadcast) - SOON_MS - Date.now(), DAY));
}

/** When the first of them may look different. */
export function nextRefresh(broadcasts: readonly Broadcast[] = []): number {
  const waits = broadcasts.map(refreshedAfter).filter(wait => wait > 0);
  return waits.length > 0 ? Math.min(...waits) : 0;
}

const FIRST_ZONE_MS = 14 * HOUR;

/** The first instant at which it is due anywhere: no zone is before that of Kiritimati. */
const beginOf = ({ at, local_at }: Broadcast) =>
  local_at ? Date.parse(`${local_at}Z`) - FIRST_ZONE_MS : Date.parse(at ?? '');

export const resultsRefreshedAfter = (begun: readonly Broadcast[]) =>
  begun.some(one => isMoving(one)) ? REFRESH_MS : 0;

/** The totals of each by its id, polled while one is being sent. Empty without the right to read reports. */
export function useTotals(broadcasts: readonly Broadcast[] | undefined) {
  const begun = broadcasts?.filter(hasBegun) ?? [];
  const isAsked = useMay()('reports:read') && begun.length > 0;
  const response = useOrganizationData(
    isAsked ? 'GET /api/reporting/automations' : undefined,
    { query: { automations: begun.map(({ id }) => id).join() } },
    { refreshInterval: resultsRefreshedAfter(begun), keepPreviousData: true },
  );
  const byId = new Map(response.data?.automations.map(totals => [totals.automation_id, totals]));
  return { ...response, byId };
}

const STATUSES = {
  draft: { word: 'Draft', tone: 'off' },
  scheduled: { word: 'Scheduled', tone: 'usual' },
  sending: { word: 'Sending', tone: 'usual' },
  sent: { word: 'Sent', tone: 'usual' },
  cancelled: { word: 'Cancelled', tone: 'off' },
  stopped: { word: 'Stopped', tone: 'attention' },
} as const satisfies Record<BroadcastStatus, object>;

export function BroadcastState({ status }: Pick<Broadcast, 'status'>) {
  const { word, tone } = STATUSES[status] ?? OTHER_STATE;
  return <Status tone={tone}>{word}</Status>;
}

const WITHOUT_TIME: Partial<Record<BroadcastStatus, string>> = { draft: 'When you send it', cancelled: '–' };

/** When it goes, or went. */
export function whenText({ status, at, local_at, started_at }: Broadcast): string {
  if (local_at) return `${formatUtcMoment(`${local_at}Z`, '')}, local time`;
  const instant = started_at ?? at;
  return instant ? formatUtcMoment(instant) : (WITHOUT_TIME[status] ?? 'Now');
}

/** What is being sent is cancelled first. */
export const canDelete = ({ status }: Broadcast) => status !== 'sending';

type Props = { broadcast: Broadcast; leaves?: boolean; onClose: () => void };

export const DeleteBroadcast = ({ broadcast, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={BROADCAST}
    item={broadcast}
    confirm="Delete broadcast"
    failure="Failed to delete broadcast. Please try again."
  >
    <p>Are you sure you want to delete this broadcast?</p>
    <Text mt="2">What was not sent yet stays unsent. Reports keep what was sent. This cannot be undone.</Text>
  </DeleteEntity>
);
