import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailSend } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { Recipient } from '#web/entities/list-member/recipient.tsx';
import { countText, formatMoment } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { explanationPath, paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { ExportButton } from './export-button.tsx';
import { LoadMore } from './load-more.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { NameLink, SendStatus, SentAt } from './send-cells.tsx';
import { SENDS_VIEW, SendFilters } from './send-filters.tsx';
import { LOG_NOT_LOADED, sendsQuery, useSends } from './use-sends.ts';

const SendDialog = onDemand(() => import('./send-dialog.tsx'));

const columns: Column<EmailSend>[] = [
  { key: 'sent_at', header: 'Sent at', width: 'minmax(176px, 1fr)', cell: send => <SentAt send={send} /> },
  {
    key: 'list',
    header: 'List',
    collapse: 'value',
    cell: ({ email_list_id, email_list_name }) => (
      <NameLink name={email_list_name} to={paths.list(email_list_id)} />
    ),
  },
  {
    key: 'automation',
    header: 'Automation',
    collapse: 'labelAndValue',
    cell: ({ automation_id, automation_name }) => (
      <NameLink name={automation_name} to={paths.automation(automation_id)} />
    ),
  },
  {
    key: 'recipient',
    header: 'Recipient',
    width: 'minmax(0, 1.6fr)',
    cell: ({ recipient_email, list_member_id }) => (
      <Recipient email={recipient_email} member={list_member_id} />
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: 'minmax(0, 1.6fr)',
    cell: send => <SendStatus send={send} />,
  },
];

type Opened = { of: EmailSend; dialog: 'view' | 'resend' };

const actionsColumn = (may: boolean, open: (opened: Opened) => void): Column<EmailSend> => ({
  key: 'actions',
  header: 'Actions',
  width: '156px',
  cell: send => (
    <Flex wrap="wrap" gap="1">
      {send.status !== 'skipped' && (
        <Button
          aria-haspopup="dialog"
          aria-label={`View the email to ${nameOf(send)}`}
          onClick={() => open({ of: send, dialog: 'view' })}
        >
          View
        </Button>
      )}
      {may && send.status === 'unknown' && !send.is_resent && (
        <Button
          aria-haspopup="dialog"
          aria-label={`Resend the email to ${nameOf(send)}`}
          onClick={() => open({ of: send, dialog: 'resend' })}
        >
          Resend
        </Button>
      )}
      <WhyLink send={send} />
    </Flex>
  ),
});

/** An explanation exists only while both the member and the automation do. */
const WhyLink = ({ send }: { send: EmailSend }) =>
  send.list_member_id !== null &&
  send.automation_name &&
  send.automation_name !== DELETED && (
    <ButtonLink
      variant="ghost"
      to={explanationPath(send.list_member_id, send.automation_id)}
      aria-label={`Why? The email to ${nameOf(send)}`}
    >
      Why?
    </ButtonLink>
  );

const nameOf = ({ recipient_email, sent_at }: EmailSend) => `${recipient_email}, ${formatMoment(sent_at)}`;

/** Every email of the organization, newest first, with its recipient and its events. */
export function SendingLogPage() {
  const table = useTableView(SENDS_VIEW);
  const may = useMay();
  const [opened, setOpened] = useState<Opened>();
  const sends = useSends(table);
  const { rows } = sends;
  const isNothing = !table.isFiltered && rows?.length === 0;

  return (
    <TablePage
      title="Sending Log"
      pageActions={rows && !isNothing && <ExportButton query={table.query} />}
      table={table}
      search="Search by recipient"
      filters={<SendFilters {...table} />}
      noun="email"
      total={isNothing ? 0 : undefined}
      found={rows?.length}
      count={countText(rows?.length, 'email')}
      nothing={{
        title: 'No emails have been sent yet.',
        cause: 'Emails appear here as soon as an automation sends them.',
        action: <ButtonLink to={paths.automations()}>Go to Automations</ButtonLink>,
      }}
      noMatch={
        sendsQuery(table)
          ? { title: 'No emails match your search', cause: 'Only whole addresses of recipients are found.' }
          : {
              title: 'Type the whole address',
              cause: 'Emails are found by the whole address of a recipient.',
            }
      }
      label="Sending log"
      columns={[...columns, actionsColumn(may('sends:resend'), setOpened)]}
      rows={rows}
      rowKey={({ id }) => id}
      rowName={nameOf}
      problem={sends.problem}
      failure={serverMessageOr(sends.problem, LOG_NOT_LOADED)}
      onRetry={sends.retry}
      busy={sends.isLoading}
      loading="Loading emails..."
      more={
        rows && (
          <LoadMore
            count={rows.length}
            hasMore={sends.hasMore}
            searchedSince={sends.searchedSince}
            isLoading={sends.isLoadingMore}
            problem={sends.problemWithMore}
            onMore={() => void sends.loadMore()}
          />
        )
      }
    >
      {opened?.dialog === 'view' && <SendDialog id={opened.of.id} onClose={() => setOpened(undefined)} />}
      {opened?.dialog === 'resend' && (
        <ResendDialog
          send={opened.of}
          onSent={() => sends.change(opened.of.id, { is_resent: true })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </TablePage>
  );
}
