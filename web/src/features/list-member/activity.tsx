import { useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText } from '#web/lib/format.ts';
import { ActivityDetails, ActivityName, type MemberAction, Moment } from './activity-cells.tsx';

const EmailDialog = onDemand(() => import('./email-dialog.tsx'));

const columnsOf = (view: (action: MemberAction) => void): Column<MemberAction>[] => [
  {
    key: 'type',
    header: 'Activity',
    width: 'minmax(0, 2fr)',
    cell: action => <ActivityName action={action} />,
  },
  {
    key: 'details',
    header: 'Details',
    collapse: 'value',
    width: 'minmax(0, 5fr)',
    cell: action => <ActivityDetails action={action} />,
  },
  { key: 'created_at', header: 'Time', width: '172px', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    key: 'email',
    header: 'Email',
    width: '80px',
    cell: action =>
      action.type === 'email_sent' && (
        <Button
          aria-haspopup="dialog"
          aria-label={['View email', action.formatted_metadata.subject].filter(Boolean).join(': ')}
          onClick={() => view(action)}
        >
          View
        </Button>
      ),
  },
];

type Props = {
  member: string;
  /** The part above is still loading, and would move this one. */
  hidden: boolean;
};

/** The actions of a member, newest first. */
export function Activity({ member, hidden }: Props) {
  const { data, error, mutate } = useOrganizationData('GET /api/list-member-actions', {
    query: { list_member_id: member },
  });
  const [viewed, setViewed] = useState<MemberAction>();
  return (
    <Section title="Activity" hidden={hidden}>
      <DataTable
        label="Activity"
        columns={columnsOf(setViewed)}
        rows={data}
        rowKey={({ id }) => id}
        problem={error}
        failure="The activity could not be loaded."
        onRetry={mutate}
        expected={1}
        count={countOf(data)}
        empty={
          <EmptyState title="No activity yet" cause="Emails sent to them, opens and clicks are shown here." />
        }
      />
      {viewed && <EmailDialog action={viewed.id} onClose={() => setViewed(undefined)} />}
    </Section>
  );
}

/** The last action tells how the member was added. If it is missing, there are more actions than a response can hold. */
function countOf(actions: MemberAction[] | undefined): string | undefined {
  const count = countText(actions?.length, 'entry', 'entries');
  const isAll = actions?.at(-1)?.metadata.source === 'added';
  return count && !isAll ? `The newest ${count}. Older ones are not shown.` : count;
}
