import { VisuallyHidden } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { MOST_RECENT } from '#shared/report/figures.ts';
import type { CombinationReport, RecentSend } from '#shared/reporting.ts';
import { TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Section } from '#web/components/section.tsx';
import { formatMoment, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { usePages } from './use-pages.ts';

const tick = (key: 'is_opened' | 'is_clicked', header: string): Column<RecentSend> => ({
  key,
  header,
  width: '88px',
  cell: send =>
    send[key] ? (
      <>
        <Check aria-hidden size={16} />
        <VisuallyHidden>Yes</VisuallyHidden>
      </>
    ) : (
      <VisuallyHidden>No</VisuallyHidden>
    ),
});

const columns: Column<RecentSend>[] = [
  {
    key: 'recipient',
    header: 'Recipient',
    width: 'minmax(0, 2fr)',
    cell: ({ recipient, list_member_id }) =>
      list_member_id === null ? (
        <bdi>{recipient}</bdi>
      ) : (
        <TextLink to={paths.listMember(list_member_id)}>
          <bdi>{recipient}</bdi>
        </TextLink>
      ),
  },
  {
    key: 'email_list',
    header: 'Email list',
    collapse: 'labelAndValue',
    cell: ({ email_list }) => email_list,
  },
  {
    key: 'automation',
    header: 'Automation',
    collapse: 'labelAndValue',
    cell: ({ automation }) => automation,
  },
  { key: 'sent_at', header: 'Sent at', width: '180px', cell: ({ sent_at }) => formatMoment(sent_at) },
  tick('is_opened', 'Opened'),
  tick('is_clicked', 'Clicked'),
];

const PER_PAGE = 25;

/** The newest emails of the range. */
export function RecentSends({ report }: { report: CombinationReport | undefined }) {
  const pages = usePages(report?.recent_sends, PER_PAGE);
  const counts =
    report &&
    ` (${formatNumber(Math.min(MOST_RECENT, report.recent_sends.length))} of ${formatNumber(report.total_sent)})`;
  return (
    <Section
      title={`Recent Sends${counts ?? ''}`}
      note={
        report?.recent_sends_since &&
        `Only what was due since ${formatMoment(report.recent_sends_since)} was looked at.`
      }
    >
      <DataTable
        label="Recent Sends"
        columns={columns}
        {...pages}
        rowKey={({ id }) => id}
        rowName={({ recipient }) => recipient}
        empty={<EmptyState title="No emails were sent in this range" />}
      />
    </Section>
  );
}
