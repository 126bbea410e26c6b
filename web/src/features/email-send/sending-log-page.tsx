import { Badge, Box, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { EmailSend } from '#shared/send.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { ExportButton } from '#web/components/log-controls.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Status } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useDrawer } from '#web/components/use-dialog.ts';
import { useTableView } from '#web/components/use-table-view.ts';
import { notesOf, STATUS_NAMES } from '#web/entities/email/send-texts.ts';
import { explanationOf } from '#web/entities/list-member/explanation-of.tsx';
import { Recipient } from '#web/entities/list-member/recipient.tsx';
import { useOrganizationCall, useOrganizationChange } from '#web/lib/data.ts';
import {
  countText,
  formatRelative,
  formatUtcDate,
  formatUtcDay,
  formatUtcMoment,
  formatUtcTime,
  IN_UTC,
  plural,
} from '#web/lib/format.ts';
import { useMay, useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { SENDS_VIEW, SendFilters, type SendsTable, SkippedSwitch } from './send-filters.tsx';
import { checked, LOG_NOT_LOADED, SENDS, sendsQuery, useSends } from './use-sends.ts';

const EmailDrawer = onDemand(() => import('#web/entities/email/email-drawer.tsx'));

export function SendingLogPage() {
  const table = useTableView(SENDS_VIEW);
  const may = useMay();
  const organization = useOrganization();
  const viewed = useDrawer('email');
  const [resent, setResent] = useState<EmailSend>();
  const sends = useSends(table);
  const { rows } = sends;
  const isNothing = !table.isFiltered && rows?.length === 0;

  return (
    <TablePage
      title="Sending Log"
      pageActions={
        rows && (
          <>
            <SkippedSwitch {...table} />
            {!isNothing && <ExportSends query={table.query} />}
          </>
        )
      }
      above={
        <Text mt="-4" mb="4" color="fg.muted" overflowWrap="anywhere">
          {organization?.name} · {IN_UTC}
        </Text>
      }
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
        more: 'why-somebody-got-no-email',
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
      columns={[...COLUMNS, actionsColumn(viewed.linkTo, may('sends:resend') ? setResent : undefined)]}
      rows={rows}
      groupOf={({ sent_at }) => formatUtcDay(sent_at)}
      pressable
      figures
      rowKey={({ id }) => id}
      rowName={nameOf}
      problem={sends.problem}
      failure={serverMessageOr(sends.problem, LOG_NOT_LOADED)}
      onRetry={sends.retry}
      busy={sends.isOther}
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
      {viewed.shown && (
        <EmailDrawer
          id={viewed.shown}
          known={rows?.find(({ id }) => id === viewed.shown)}
          explain={explanationOf}
          onClose={viewed.close}
        />
      )}
      {resent && (
        <ResendDialog
          send={resent}
          onSent={() => sends.change(resent.id, { is_resent: true })}
          onClose={() => setResent(undefined)}
        />
      )}
    </TablePage>
  );
}

const COLUMNS: Column<EmailSend>[] = [
  { header: 'Sent at', width: '84px', cell: send => <SentAt send={send} /> },
  {
    header: 'List',
    card: 'half',
    width: 'minmax(112px, 1fr)',
    collapse: 'value',
    cell: ({ email_list_name }) => <Breakable>{email_list_name}</Breakable>,
  },
  {
    header: 'Automation',
    card: 'half',
    width: 'minmax(136px, 1.2fr)',
    collapse: 'value',
    cell: ({ automation_name }) => <Breakable>{automation_name || '–'}</Breakable>,
  },
  {
    header: 'Subject',
    width: 'minmax(0, 1.8fr)',
    // A skipped email has none, and on a phone no line for it.
    cell: ({ subject, status }) => status !== 'skipped' && <span dir="auto">{subject ?? '–'}</span>,
  },
  {
    header: 'Recipient',
    width: 'minmax(0, 1.8fr)',
    cell: ({ recipient_email, list_member_id }) => (
      <Recipient email={recipient_email} member={list_member_id} />
    ),
  },
  { header: 'Status', width: 'minmax(0, 1.6fr)', card: 'beside', cell: send => <SendStatus send={send} /> },
];

const actionsColumn = (
  linkTo: ReturnType<typeof useDrawer>['linkTo'],
  resend: ((send: EmailSend) => void) | undefined,
): Column<EmailSend> => ({
  header: 'Actions',
  width: '84px',
  corner: true,
  cell: send => (
    <Flex wrap="wrap" justify="flex-end" columnGap="3" pe="2">
      {resend && send.status === 'unknown' && !send.is_resent && (
        <Button
          aria-haspopup="dialog"
          aria-label={`Resend the email to ${nameOf(send)}`}
          onClick={() => resend(send)}
        >
          Resend
        </Button>
      )}
      <TextLink aria-label={`View the email to ${nameOf(send)}`} {...linkTo(send.id)}>
        View
      </TextLink>
    </Flex>
  ),
});

const SentAt = ({ send: { sent_at, status } }: { send: EmailSend }) => (
  <time dateTime={sent_at}>
    {status === 'skipped' && 'Due '}
    {formatUtcTime(sent_at)}
  </time>
);

const When = ({ word, at }: { word: string; at: string | null }) => (
  <Badge whiteSpace="normal">
    {word}
    {at && (
      <>
        {' '}
        <time dateTime={at} title={formatUtcMoment(at)}>
          {formatRelative(at, formatUtcDate)}
        </time>
      </>
    )}
  </Badge>
);

const Bad = ({ tone = 'wrong', children }: { tone?: 'attention' | 'wrong'; children: ReactNode }) => (
  <Badge asChild>
    <Status tone={tone}>{children}</Status>
  </Badge>
);

function SendStatus({ send }: { send: EmailSend }) {
  const { status, is_opened, opened_at, is_clicked, first_clicked_at, unsubscribed_at } = send;
  const notes = notesOf(send);
  const badges = [
    is_opened && <When key="opened" word={STATUS_NAMES.opened} at={opened_at} />,
    is_clicked && <When key="clicked" word={STATUS_NAMES.clicked} at={first_clicked_at} />,
    unsubscribed_at && <When key="unsubscribed" word={STATUS_NAMES.unsubscribed} at={unsubscribed_at} />,
    send.is_bounced && <Bad key="bounced">{STATUS_NAMES.bounced}</Bad>,
    send.is_complained && <Bad key="complained">{STATUS_NAMES.complained}</Bad>,
    status === 'failed' && <Bad key="failed">{STATUS_NAMES.failed}</Bad>,
    status === 'unknown' && (
      <Bad key="unknown" tone="attention">
        {STATUS_NAMES.unknown}
      </Bad>
    ),
    status === 'skipped' && <Badge key="skipped">{STATUS_NAMES.skipped}</Badge>,
  ].filter(badge => badge !== false && badge !== null);
  return (
    <Box minWidth="0">
      <Flex wrap="wrap" gap="1" py="1px">
        {badges.length > 0 ? badges : <Badge>{STATUS_NAMES.sent}</Badge>}
      </Flex>
      {notes && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px" overflowWrap="anywhere">
          {notes}
        </Box>
      )}
    </Box>
  );
}

const nameOf = ({ recipient_email, sent_at }: EmailSend) => `${recipient_email}, ${formatUtcMoment(sent_at)}`;

type MoreProps = {
  count: number;
  hasMore: boolean;
  /** The log was read only down to this instant. */
  searchedSince: string | undefined;
  isLoading: boolean;
  problem: string | undefined;
  onMore: () => void;
};

function LoadMore({ count, hasMore, searchedSince, isLoading, problem, onMore }: MoreProps) {
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef<number>(undefined);
  const [came, setCame] = useState('');
  const isShown = hasMore || searchedSince !== undefined;

  // An effect after painting could run after the next press, and take what that has noted.
  useLayoutEffect(() => {
    if (isLoading || before.current === undefined) return;
    const first = before.current;
    before.current = undefined;
    if (problem) return;
    setCame(count > first ? `${plural(count - first, 'more email')} loaded.` : 'No more emails found.');
    if (isShown) return;
    // The button disappears, so the focus moves to the first new row.
    const rows = frame.current?.closest('.data-table')?.querySelectorAll<HTMLElement>('tbody tr[tabindex]');
    rows?.[Math.min(first, rows.length - 1)]?.focus();
  }, [count, isLoading, problem, isShown]);

  function load() {
    before.current = count;
    setCame('');
    onMore();
  }

  return (
    <Box ref={frame} display="flex" flexWrap="wrap" alignItems="center" gap="2" ms="auto" p="1">
      <VisuallyHidden aria-live="polite">{came}</VisuallyHidden>
      {problem && (
        <Box role="alert" color="fg.error" ps="2">
          {problem}
        </Box>
      )}
      {!hasMore && searchedSince && (
        <Box color="fg.muted" ps="2">
          Emails that were due since {formatUtcMoment(searchedSince, '')} were searched.
        </Box>
      )}
      {isShown && (
        <Button loading={isLoading} loadingText="Loading..." onClick={load}>
          {hasMore ? 'Load More' : 'Search further'}
        </Button>
      )}
    </Box>
  );
}

function ExportSends(table: Pick<SendsTable, 'query'>) {
  const query = sendsQuery(table);
  const call = useOrganizationCall();
  return (
    <ExportButton
      file="sending-log"
      noun="emails"
      running="The sending log is being exported."
      failure="Failed to export the sending log. Please try again."
      disabled={!query}
      load={async (signal, onProgress) => {
        const { allSends, rowsOfSends } = await import('./send-csv.ts');
        const { sends, isComplete } = await allSends(
          async page => checked(await call(SENDS, { query: { ...query, ...page }, signal })),
          onProgress,
        );
        return { rows: rowsOfSends(sends), isComplete };
      }}
    />
  );
}

type ResendProps = { send: EmailSend; onSent: () => void; onClose: () => void };

function ResendDialog({ send: { id, recipient_email }, onSent, onClose }: ResendProps) {
  const change = useOrganizationChange();
  return (
    <ConfirmDialog
      title="Resend this email?"
      confirm="Resend"
      loadingText="Sending..."
      danger={false}
      failure="Failed to resend the email. Please try again."
      onConfirm={async () => {
        await change('POST /api/email-sends/{emailSend}/resend', { params: { emailSend: id } });
        onSent();
        toast(`The email to ${recipient_email} is sent again within a few minutes.`);
      }}
      onClose={onClose}
    >
      Nobody knows whether {recipient_email} got this email: the mail provider gave no clear answer. If it did
      arrive, they get it twice. It can be sent again once.
    </ConfirmDialog>
  );
}
