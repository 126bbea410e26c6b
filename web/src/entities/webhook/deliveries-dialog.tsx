import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { DELIVERY_DAYS, type Delivery, type UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { Button } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Select } from '#web/components/select.tsx';
import { Status } from '#web/components/status.tsx';
import { oneAtATime } from '#web/lib/concurrency.ts';
import { useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { countText, formatMoment, formatNumber, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { EVENT_NAMES, type Owner, paramsOf, routesOf } from './webhook.ts';

const REFRESHED_EVERY = 5_000;
const NOT_REDELIVERED = 'Failed to deliver again';

const redeliveries = oneAtATime();

const STATES = {
  waiting: { tone: 'attention', word: 'Waiting' },
  delivered: { tone: 'usual', word: 'Delivered' },
  failed: { tone: 'wrong', word: 'Failed' },
} as const;

const detailOf = ({ status_code, error }: Delivery) =>
  [status_code, error].filter(part => part !== null).join(': ');

const columns: Column<Delivery>[] = [
  {
    key: 'attempted_at',
    header: 'Time',
    width: '180px',
    cell: ({ attempted_at, created_at }) => formatMoment(attempted_at ?? created_at),
  },
  {
    key: 'state',
    header: 'Status',
    width: 'minmax(0, 2fr)',
    collapse: 'value',
    cell: delivery => (
      <Flex wrap="wrap" columnGap="2">
        <Status tone={STATES[delivery.state].tone}>{STATES[delivery.state].word}</Status>
        <span>{detailOf(delivery)}</span>
        {delivery.state === 'waiting' && delivery.next_attempt_at && (
          <span>next try {formatMoment(delivery.next_attempt_at)}</span>
        )}
      </Flex>
    ),
  },
  {
    key: 'event',
    header: 'Event',
    width: '116px',
    collapse: 'labelAndValue',
    cell: ({ event, count }) => (count > 1 ? `${formatNumber(count)} × ` : '') + EVENT_NAMES[event],
  },
  {
    key: 'attempt',
    header: 'Attempt',
    width: '84px',
    align: 'end',
    collapse: 'labelAndValue',
    cell: ({ attempt }) => formatNumber(attempt),
  },
  {
    key: 'duration_ms',
    header: 'Duration',
    width: '96px',
    align: 'end',
    collapse: 'labelAndValue',
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : `${formatNumber(duration_ms)} ms`),
  },
];

type Props = { owner: Owner; webhook: UnsubscribeWebhook; onClose: () => void };

export default function DeliveriesDialog({ owner, webhook, onClose }: Props) {
  const [cursors, setCursors] = useState<string[]>([]);
  const params = { ...paramsOf(owner), webhook: webhook.id };
  const routes = routesOf(owner);
  const cursor = cursors.at(-1);
  const { data, error, mutate } = useOrganizationData(
    routes.deliveries,
    { params, query: cursor ? { cursor } : {} },
    { refreshInterval: REFRESHED_EVERY, keepPreviousData: true },
  );
  const call = useOrganizationCall();
  const mayEdit = useMay()('webhooks:edit') && webhook.active;
  const rows = data?.deliveries;
  const next = data?.next_cursor;

  const isRedelivered = redeliveries.useIsChanging();
  const [failure, setFailure] = useState<string>();

  const redeliver = ({ id }: Delivery) =>
    redeliveries.run(id, async () => {
      setFailure(undefined);
      try {
        await call(routes.redeliver, { params: { ...params, delivery: id } });
        toast('It is delivered again in a moment.');
        void mutate();
      } catch (problem) {
        setFailure(serverMessageOr(problem, NOT_REDELIVERED));
      }
    });

  return (
    <Modal title={`Deliveries of ${webhook.name}`} width="860px" onClose={onClose}>
      {failure && (
        <Notice tone="error" mb="3">
          {failure}
        </Notice>
      )}
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ created_at }) => formatMoment(created_at)}
        count={next || cursor ? undefined : countText(rows?.length, 'delivery', 'deliveries')}
        problem={error}
        failure="Failed to load deliveries"
        loading="Loading deliveries..."
        onRetry={() => void mutate()}
        expected={3}
        isChanging={({ id }) => isRedelivered(id)}
        actions={
          mayEdit
            ? delivery => [{ id: 'redeliver', label: 'Redeliver', run: () => void redeliver(delivery) }]
            : undefined
        }
        empty={
          <EmptyState
            title={`Nothing was sent in the last ${DELIVERY_DAYS} days`}
            cause="What the webhook is told appears here."
          />
        }
        more={
          (cursors.length > 0 || next) && (
            <Flex gap="2">
              <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </Button>
              <Button disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
                Older
              </Button>
            </Flex>
          )
        }
      />
      {mayEdit && rows && rows.length > 0 && (
        <RedeliverFailed route={routes.redeliverFailed} params={params} onDone={() => void mutate()} />
      )}
    </Modal>
  );
}

const HOUR = 60 * 60 * 1000;
const SPANS = [
  { value: '1', label: 'of the last hour' },
  { value: '24', label: 'of the last 24 hours' },
  { value: String(DELIVERY_DAYS * 24), label: `of the last ${DELIVERY_DAYS} days` },
];

type FailedProps = {
  route: ReturnType<typeof routesOf>['redeliverFailed'];
  params: { list: string; webhook: string };
  onDone: () => void;
};

function RedeliverFailed({ route, params, onDone }: FailedProps) {
  const call = useOrganizationCall();
  const [hours, setHours] = useState('24');
  const { run, isRunning, error } = useAction(
    async () => {
      const to = new Date();
      const body = {
        from: new Date(to.getTime() - Number(hours) * HOUR).toISOString(),
        to: to.toISOString(),
      };
      let count = 0;
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const answer = await call(route, { params, body: { ...body, ...(cursor && { cursor }) } });
        count += answer.redelivered;
        cursor = answer.next_cursor;
      }
      toast(
        count === 0
          ? 'Nothing has failed in that time.'
          : `${plural(count, 'delivery is', 'deliveries are')} sent again.`,
      );
      onDone();
    },
    { failure: NOT_REDELIVERED },
  );
  return (
    <Flex wrap="wrap" align="center" gap="2" mt="4">
      <span>Failed deliveries</span>
      <Select
        aria-label="Failed deliveries of which time"
        width="auto"
        value={hours}
        options={SPANS}
        onChange={event => setHours(event.target.value)}
      />
      <Button loading={isRunning} loadingText="Redelivering..." onClick={() => void run()}>
        Redeliver failed
      </Button>
      {error && (
        <Notice tone="error" flexBasis="full">
          {error}
        </Notice>
      )}
    </Flex>
  );
}
