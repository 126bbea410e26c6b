import { Flex, Grid, Skeleton, Text } from '@chakra-ui/react';
import { Fragment, type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { EmailList } from '#shared/list.ts';
import { TextLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { PageActions } from '#web/components/page-actions.tsx';
import { PageTabs } from '#web/components/page-tabs.tsx';
import { Panel } from '#web/components/panel.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { LIST, useKnownList, useList } from '#web/entities/list/list.ts';
import { ToggleButton, useToggle, verbOf } from '#web/entities/toggle.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { formatNumber, lowered, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { dialogPath, newAutomationFor, paths } from '#web/lib/paths.ts';
import { nextStepOf, warmUpText } from './list-status.tsx';

const ListFacts = onDemand(() => import('./list-facts.tsx'), <Loading shape={[176]} />);
const DateColumns = onDemand(() => import('./date-columns.tsx'), <Loading maxWidth="560px" shape={[88]} />);
const DomainCheck = onDemand(() => import('./domain-check.tsx'), <Loading shape={[440]} />);
const ProviderEvents = onDemand(() => import('./provider-events.tsx'), <Loading shape={[156]} />);
const UnfinishedImport = onDemand(() => import('./unfinished-import.tsx'), null);
const Webhooks = onDemand(() => import('#web/entities/webhook/webhooks.tsx'), <Loading shape={[200]} />);
const DeleteList = onDemand(async () => ({
  default: (await import('#web/entities/list/delete-list.tsx')).DeleteList,
}));
const ExampleDialog = onDemand(() => import('./example-dialog.tsx'));
const SendingDialog = onDemand(() => import('./sending-dialog.tsx'));

/** The page of a list. `members` renders its members, which are another feature. */
export function ListDetails({ members }: { members: (id: string) => ReactNode }) {
  const { list: id = '' } = useParams();
  const list = useList(id, { pollCounts: true });
  const known = useKnownList(id);
  const shown = list ?? known;
  const example = useDialog('example');
  const sending = useDialog('sending');
  useListCommands(list);
  return (
    <Page
      title={shown?.name ?? 'Email list'}
      actions={<Actions id={id} list={list} onExample={example.open} />}
    >
      {/* With another key the placeholders are replaced. A name of several lines would otherwise move them. */}
      <Fragment key={shown ? 'list' : 'placeholders'}>
        <ListSummary list={shown} />
        <NextStepNotice list={shown} />
        {list && <UnfinishedImport list={id} />}
      </Fragment>
      <PageTabs
        label="Parts of the list"
        tabs={[
          { name: 'Members', panel: members(id) },
          { name: 'Settings', panel: <ListFacts list={shown} /> },
          { name: 'Date columns', panel: <DateColumns id={id} /> },
          { name: 'Domain check', panel: <DomainCheck list={list} /> },
          { name: 'Mailgun events', panel: <ProviderEvents list={shown} /> },
          { name: 'Unsubscribe webhooks', panel: <Webhooks owner={{ list: id }} /> },
        ]}
      />
      {example.isOpen && list && <ExampleDialog list={list} onClose={example.close} />}
      {sending.isOpen && list && <SendingDialog list={list} onClose={sending.close} />}
    </Page>
  );
}

type ActionsProps = { id: string; list: EmailList | undefined; onExample: () => void };

function Actions({ id, list, onExample }: ActionsProps) {
  const mayAdd = useMay()('list-members:edit');
  const { right } = LIST;
  const { toggle } = useToggle(LIST);
  const active = list?.active ?? true;
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <PageActions
        items={[
          {
            id: 'active',
            label: verbOf(active),
            right,
            disabled: !list,
            run: () => list && void toggle(list, !active),
            button: <ToggleButton entity={LIST} item={list} />,
          },
          { id: 'edit', label: 'Edit', to: paths.editList(id), right },
          { id: 'look', label: 'Email design', to: paths.listLook(id) },
          { id: 'import', label: mayAdd ? 'Import CSV' : 'Imports', to: paths.importMembers(id) },
          mayAdd && { id: 'add', label: 'Add member', to: paths.newListMember(id), variant: 'solid' },
          mayAdd && { id: 'example', label: 'API example', inMenu: true, run: onExample },
          {
            id: 'delete',
            label: 'Delete',
            group: 'danger',
            danger: true,
            inMenu: true,
            right,
            disabled: !list,
            run: () => setDeleting(true),
          },
        ]}
      />
      {deleting && list && <DeleteList list={list} leaves onClose={() => setDeleting(false)} />}
    </>
  );
}

function useListCommands({ id, name }: Partial<EmailList> = {}) {
  const navigate = useNavigate();
  const may = useMay();
  const of = (label: string, words: string, path: string) =>
    commandOf(name ?? '', label, words, () => navigate(path));
  useCommands(
    id === undefined || !may('list-members:edit')
      ? []
      : [
          of('Add member', 'new contact', paths.newListMember(id)),
          of('Import CSV', 'upload file spreadsheet contacts', paths.importMembers(id)),
          of('Edit list', 'settings logo sending key mailgun amazon ses domain provider', paths.editList(id)),
          of('Email design', 'look logo colors button font footer address', paths.listLook(id)),
          of('API example', 'curl javascript python php code', dialogPath('example', id)),
        ],
  );
}

const ListSummary = ({ list }: { list: EmailList | undefined }) => (
  <Flex
    wrap="wrap"
    align="center"
    alignContent="start"
    columnGap="4"
    rowGap="1"
    mt="-3"
    mb="4"
    // Two lines on a phone, also while it is loading.
    minHeight={{ base: '44px', md: '20px' }}
    fontSize="sm"
    lineHeight="20px"
    color="fg.muted"
    overflowWrap="anywhere"
  >
    {list ? (
      <>
        <ActiveStatus active={list.active} />
        <span>{list.domain}</span>
        <span>
          {plural(list.total_members, 'member')} · {formatNumber(list.subscribed_members)} subscribed ·{' '}
          {formatNumber(list.unsubscribed_members)} unsubscribed
        </span>
        {list.warm_up_progress && <span>Warm-up: {lowered(warmUpText(list.warm_up_progress))}</span>}
      </>
    ) : (
      <Skeleton width="320px" />
    )}
  </Flex>
);

function NextStepNotice({ list }: { list: EmailList | undefined }) {
  return (
    // While loading, it has the height of most messages, which take two lines on a phone.
    <Grid mb="4" minHeight={{ base: '58px', md: '38px' }} css={{ '&& > *': { alignItems: 'center' } }}>
      {list ? (
        <Step list={list} />
      ) : (
        <Panel display="flex" alignItems="center" px="3">
          <Skeleton width="240px" />
        </Panel>
      )}
    </Grid>
  );
}

function Step({ list }: { list: EmailList }) {
  const may = useMay();
  const step = nextStepOf(list);
  if (!step) {
    return list.active ? (
      <Text color="fg.muted" fontSize="sm" role="status">
        This list is ready to send. An automation says what its members get, and when:{' '}
        {may('automations:edit') && (
          <>
            <TextLink to={newAutomationFor(list.id)}>create an automation</TextLink> or{' '}
          </>
        )}
        <TextLink to={paths.automations()}>see those that are there</TextLink>.
      </Text>
    ) : (
      <Notice tone="info">This list is ready, but inactive: nothing is sent to it.</Notice>
    );
  }
  const mayFix = may(step.action);
  return (
    <Notice tone={step.tone} action={mayFix && <TextLink to={step.to}>{step.fix}</TextLink>}>
      {step.message}
      {!mayFix && ' Please contact an admin or owner.'}
    </Notice>
  );
}
