import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
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
import { useOrganizationCall, useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { countText, formatMoment, formatRelative } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { EVENT_NAMES, type Owner, paramsOf, routesOf, SECRET_WARNING, webhookOf } from './webhook.ts';

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
    cell: ({ events }) =>
      events.length === WEBHOOK_EVENTS.length
        ? 'Everything'
        : events.map(event => EVENT_NAMES[event]).join(', '),
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

const TEXTS = {
  list: {
    title: 'Unsubscribe webhooks',
    intro:
      'Tell your own systems when a member of this list unsubscribes, or is not mailed any more since an email bounced or was reported as spam; and, if you like, what becomes of its emails.',
    empty: 'Create one for each system that has to know who does not want emails any more.',
  },
  organization: {
    title: 'Webhooks',
    intro:
      'Tell your own systems what happens to the members, emails and automations of all lists. The webhooks of a single list are on its page.',
    empty: 'Create one for each system that has to know what happens in this organization.',
  },
};

/** The webhooks of a list, or of the organization. */
export default function Webhooks({ owner }: { owner: Owner }) {
  const { data, error, mutate } = useOrganizationData(routesOf(owner).rows, { params: paramsOf(owner) });
  const texts = 'list' in owner ? TEXTS.list : TEXTS.organization;
  const mayEdit = useMay()('webhooks:edit');
  const { actionOf, isChanging } = useToggle(webhookOf(owner));
  const test = useWebhookTest(owner);
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
    <Section title={texts.title} titleHidden={'list' in owner}>
      <Flex wrap="wrap" align="flex-start" justify="space-between" columnGap="4" rowGap="2" mb="3">
        <Box flex="1 1 320px" maxWidth="65ch" color="fg.muted" fontSize="sm">
          {texts.intro}
        </Box>
        {data && data.length > 0 && create}
      </Flex>
      {test.notice && (
        <Notice tone={test.notice.tone} mb="3">
          {test.notice.message}
        </Notice>
      )}
      <DataTable
        label={texts.title}
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
            cause={mayEdit ? texts.empty : 'To create one, please contact an admin or owner.'}
            action={create}
          />
        }
      />
      {opened?.dialog === 'form' && <WebhookDialog owner={owner} webhook={opened.webhook} onClose={close} />}
      {opened?.dialog === 'deliveries' && (
        <DeliveriesDialog owner={owner} webhook={opened.webhook} onClose={close} />
      )}
      {opened?.dialog === 'delete' && (
        <DeleteWebhook owner={owner} webhook={opened.webhook} onClose={close} />
      )}
      {opened?.dialog === 'secret' && (
        <ReplaceSecret owner={owner} webhook={opened.webhook} onReplaced={setSecret} onClose={close} />
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

function useWebhookTest(owner: Owner) {
  const call = useOrganizationCall();
  const [running, setRunning] = useState<string>();
  const [notice, setNotice] = useState<TestNotice>();

  async function run({ id, name }: UnsubscribeWebhook) {
    setRunning(id);
    setNotice({ tone: 'info', message: `Testing ${name}...` });
    try {
      const { success, message } = await call(routesOf(owner).test, {
        params: { ...paramsOf(owner), webhook: id },
      });
      setNotice({ tone: success ? 'success' : 'error', message: `Test of ${name}: ${message}.` });
    } catch (problem) {
      setNotice({ tone: 'error', message: serverMessageOr(problem, 'Failed to test webhook') });
    } finally {
      setRunning(undefined);
    }
  }

  return { run, running, notice };
}

type DialogProps = { owner: Owner; webhook: UnsubscribeWebhook; onClose: () => void };

const DeleteWebhook = ({ owner, webhook, onClose }: DialogProps) => (
  <DeleteEntity
    entity={webhookOf(owner)}
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

function ReplaceSecret({ owner, webhook, onReplaced, onClose }: ReplaceProps) {
  const change = useOrganizationChange();

  async function replace() {
    const { secret } = await change(routesOf(owner).secret, {
      params: { ...paramsOf(owner), webhook: webhook.id },
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
