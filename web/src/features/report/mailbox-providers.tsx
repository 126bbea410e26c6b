import { Box } from '@chakra-ui/react';
import { MAILBOXES } from '#shared/mailbox.ts';
import { percentage } from '#shared/report/figures.ts';
import type { CombinationsReport } from '#shared/reporting.ts';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Section } from '#web/components/section.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';

type Row = CombinationsReport['mailbox_providers'][number];

const RATES = { opened: 'Opened', clicked: 'Clicked', bounced: 'Bounced', complained: 'Complained' } as const;

const COLUMNS: Column<Row>[] = [
  { header: 'Mailbox provider', cell: ({ mailbox }) => MAILBOXES[mailbox] },
  { header: 'Sent', width: '100px', align: 'end', cell: ({ sent }) => formatNumber(sent) },
  ...(Object.keys(RATES) as (keyof typeof RATES)[]).map(
    (of): Column<Row> => ({
      header: RATES[of],
      width: '140px',
      align: 'end',
      collapse: 'labelAndValue',
      cell: row => `${formatNumber(row[of])} (${percentage(row[of], row.sent)})`,
    }),
  ),
];

export default function MailboxProviders({ mailbox_providers: all, totals }: CombinationsReport) {
  const earlier = totals.sent - all.reduce((sum, { sent }) => sum + sent, 0);
  const note = `Gmail includes domains at Google Workspace, Outlook those at Microsoft 365. A domain whose mail servers did not answer is in Other.${
    earlier > 0 ? ` Sent before this was counted, and not listed: ${formatNumber(earlier)}.` : ''
  }`;
  const rows = all.filter(({ sent }) => sent > 0);
  return (
    <Box mt="8">
      <Section title="Results by mailbox provider" note={note}>
        <DataTable
          label="Mailbox providers"
          columns={COLUMNS}
          rows={rows}
          count={plural(rows.length, 'mailbox provider')}
          rowKey={({ mailbox }) => mailbox}
          empty={<EmptyState title="Nothing was counted by mailbox provider in this range." />}
        />
      </Section>
    </Box>
  );
}
