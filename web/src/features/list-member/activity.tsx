import type { Answer } from '../../../../shared/routes.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { useOrganizationData } from '../../lib/data.ts';
import { countText, formatMoment } from '../../lib/format.ts';

type Action = Answer<'GET /api/list-member-actions'>[number];

const LABELS: Record<Action['type'], string> = {
  subscribe: 'Subscribed',
  unsubscribe: 'Unsubscribed',
  open: 'Opened',
  click: 'Clicked',
  bounce: 'Bounced',
  complaint: 'Complained',
  email_sent: 'Email sent',
};
const ERRORS: readonly Action['type'][] = ['bounce', 'complaint'];

const columns: Column<Action>[] = [
  {
    key: 'type',
    header: 'Activity',
    width: '160px',
    cell: ({ type }) => (ERRORS.includes(type) ? <Status tone="wrong">{LABELS[type]}</Status> : LABELS[type]),
  },
  { key: 'created_at', header: 'Time', width: '200px', cell: ({ created_at }) => formatMoment(created_at) },
  { key: 'details', header: 'Details', cell: detailsOf },
];

function detailsOf({ formatted_metadata: about }: Action): string {
  const { subject, automation_name, asset_type, destination_url, url, source } = about;
  return [subject, automation_name, asset_type, destination_url ?? url, source].filter(Boolean).join(' · ');
}

type Props = {
  member: string;
  /** What is above is not loaded yet, and would move this. */
  hidden: boolean;
};

/** The actions of a member, newest first. */
export function Activity({ member, hidden }: Props) {
  const { data, error, mutate } = useOrganizationData('GET /api/list-member-actions', {
    query: { list_member_id: member },
  });
  return (
    <Section title="Activity" hidden={hidden}>
      <DataTable
        label="Activity"
        columns={columns}
        rows={data}
        rowKey={({ id }) => id}
        problem={error}
        failure="The activity could not be loaded."
        onRetry={mutate}
        expected={1}
        count={countText(data?.length, 'entry', 'entries')}
        empty={
          <EmptyState title="No activity yet" cause="Emails sent to them, opens and clicks are shown here." />
        }
      />
    </Section>
  );
}
