import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import type { MenuItem } from '#web/components/menu.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { ShownOnce } from '#web/components/shown-once.tsx';
import { ActiveStatus, Status } from '#web/components/status.tsx';
import { DeleteEntity } from '#web/entities/delete-entity.tsx';
import { useToggle } from '#web/entities/toggle.tsx';
import { EVENT_NAMES, SECRET_WARNING, WEBHOOKS, webhookOf } from '#web/entities/webhook/webhook.ts';
import { useOrganizationCall, useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { countText, formatMoment, formatRelative } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';

const WebhookDialog = onDemand(() => import('./webhook-dialog.tsx'));
const DeliveriesDialog = onDemand(() => import('./deliveries-dialog.tsx'));

const WHY_OFF = { gone: 'the endpoint is gone', failing: 'it failed for five days' } as const;

function State({ webhook: { active, switched_off, failing_since } }: { webhook: UnsubscribeWebhook }) {
  if (!active && switched_off)
    return <Status tone="wrong">Deactivated: {WHY_OFF[switched_off.because]}</Status>;
  if (active && failing_since)
    return <Status tone="attention">Failing since {formatMoment(failing_since)}</Status>;
  return <ActiveStatus active={active} />;
}

const columns: Column<UnsubscribeWebhook>[] = [
  {
    key: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name, url }) => (
      <>
        <Text as="span" display="block" fontWeight="medium">
          {name}
        </Text>
        <Text
          as="span"
          display="block"
          color="fg.muted"
          fontSize="xs"
          fontWeight="normal"
          overflowWrap="anywhere"
        >
          {url}
        </Text>
      </>
    ),
  },
  { key: 'active', header: 'Status', collapse: 'value', cell: webhook => <State webhook={webhook} /> },
  {
    key: 'events',
    header: 'Events',
    width: '180px',
    collapse: 'labelAndValue',
    cell: ({ events }) => events.map(event => EVENT_NAMES[event]).join(', '),
  },
  {
    key: 'last_triggered_at',
    header: 'Last triggered',
    width: '140px',
    collapse: 'labelAndValue',
    cell: ({ last_triggered_at: at }) =>
      at ? <time title={formatMoment(at)}>{formatRelative(at)}</time> : 'Never',
  },
];

type Opened =
  | { dialog: 'form'; webhook?: UnsubscribeWebhook }
  | { dialog: 'deliveries' | 'secret' | 'delete'; webhook: UnsubscribeWebhook };

export default function UnsubscribeWebhooks({ list }: { list: string }) {
  const { data, error, mutate } = useOrganizationData(WEBHOOKS, { params: { list } });
  const mayEdit = useMay()('webhooks:edit');
  const { actionOf, isChanging } = useToggle(webhookOf(list));
  const test = useWebhookTest(list);
  const [opened, setOpened] = useState<Opened>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpened(undefined);

  const actions = (webhook: UnsubscribeWebhook): MenuItem[] => [
    { id: 'deliveries', label: 'Deliveries', run: () => setOpened({ dialog: 'deliveries', webhook }) },
    ...(mayEdit
      ? [
          { id: 'test', label: 'Send test', run: () => void test.run(webhook) },
          { id: 'edit', label: 'Edit', run: () => setOpened({ dialog: 'form', webhook }) },
          actionOf(webhook),
          { id: 'secret', label: 'Replace secret', run: () => setOpened({ dialog: 'secret', webhook }) },
          {
            id: 'delete',
            label: 'Delete',
            group: 'danger',
            danger: true,
            run: () => setOpened({ dialog: 'delete', webhook }),
          },
        ]
      : []),
  ];
  const create = mayEdit ? (
    <Button onClick={() => setOpened({ dialog: 'form' })}>Create webhook</Button>
  ) : undefined;

  return (
    <Section title="Unsubscribe webhooks" titleHidden>
      <Flex wrap="wrap" align="flex-start" justify="space-between" columnGap="4" rowGap="2" mb="3">
        <Box flex="1 1 320px" maxWidth="80ch" color="fg.muted">
          Tell your own systems when a member of this list unsubscribes, or is not mailed any more since an
          email bounced or was reported as spam.
        </Box>
        {data && data.length > 0 && create}
      </Flex>
      {test.notice && (
        <Notice tone={test.notice.tone} mb="3">
          {test.notice.message}
        </Notice>
      )}
      <DataTable
        label="Unsubscribe webhooks"
        columns={columns}
        rows={data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        count={countText(data?.length, 'webhook')}
        problem={error}
        failure="Failed to load webhooks"
        loading="Loading webhooks..."
        onRetry={() => void mutate()}
        expected={1}
        isChanging={webhook => isChanging(webhook.id) || test.running === webhook.id}
        actions={actions}
        empty={
          <EmptyState
            title="No webhooks yet"
            cause={
              mayEdit
                ? 'Create one for each system that has to know who does not want emails any more.'
                : 'To create one, please contact an admin or owner.'
            }
            action={create}
          />
        }
      />
      {opened?.dialog === 'form' && <WebhookDialog list={list} webhook={opened.webhook} onClose={close} />}
      {opened?.dialog === 'deliveries' && (
        <DeliveriesDialog list={list} webhook={opened.webhook} onClose={close} />
      )}
      {opened?.dialog === 'delete' && <DeleteWebhook list={list} webhook={opened.webhook} onClose={close} />}
      {opened?.dialog === 'secret' && (
        <ReplaceSecret list={list} webhook={opened.webhook} onReplaced={setSecret} onClose={close} />
      )}
      {secret && (
        <ShownOnce
          title="Secret replaced"
          warning={SECRET_WARNING}
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}

type TestNotice = { tone: 'success' | 'error' | 'info'; message: string };

function useWebhookTest(list: string) {
  const call = useOrganizationCall();
  const [running, setRunning] = useState<string>();
  const [notice, setNotice] = useState<TestNotice>();

  async function run({ id, name }: UnsubscribeWebhook) {
    setRunning(id);
    setNotice({ tone: 'info', message: `Testing ${name}...` });
    try {
      const { success, message } = await call(
        'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test',
        { params: { list, webhook: id } },
      );
      setNotice({ tone: success ? 'success' : 'error', message: `Test of ${name}: ${message}.` });
    } catch (problem) {
      setNotice({ tone: 'error', message: serverMessageOr(problem, 'Failed to test webhook') });
    } finally {
      setRunning(undefined);
    }
  }

  return { run, running, notice };
}

type DialogProps = { list: string; webhook: UnsubscribeWebhook; onClose: () => void };

const DeleteWebhook = ({ list, webhook, onClose }: DialogProps) => (
  <DeleteEntity
    entity={webhookOf(list)}
    item={webhook}
    confirm="Delete webhook"
    failure="Failed to delete webhook"
    onClose={onClose}
  >
    Its endpoint is told nothing more, and what waits to be delivered is dropped. Its secret, its headers and
    its deliveries are gone. This cannot be undone.
  </DeleteEntity>
);

type ReplaceProps = DialogProps & { onReplaced: (secret: string) => void };

function ReplaceSecret({ list, webhook, onReplaced, onClose }: ReplaceProps) {
  const change = useOrganizationChange();

  async function replace() {
    const { secret } = await change('POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret', {
      params: { list, webhook: webhook.id },
    });
    onReplaced(secret);
  }

  return (
    <ConfirmDialog
      title={`Replace the secret of ${webhook.name}?`}
      confirm="Replace secret"
      loadingText="Replacing..."
      failure="Failed to replace the secret"
      danger={false}
      onConfirm={replace}
      onClose={onClose}
    >
      For 24 hours, requests are signed with both the old secret and the new one. Give the new one to your
      endpoint meanwhile.
    </ConfirmDialog>
  );
}
