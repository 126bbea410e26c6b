import type { ListMemberRow } from '#shared/list-member.ts';
import type { Sort } from '#shared/members-page.ts';
import type { Suppression } from '#shared/suppression.ts';
import { TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { Status } from '#web/components/status.tsx';
import { formatLocalValue } from '#web/entities/list-member/metadata-value.ts';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { fromList } from './from-list.ts';

/** The columns of the members table: address, chosen metadata, status and date. */
export const memberColumns = (
  list: string,
  chosen: string[],
  sorts: readonly Sort[],
): Column<ListMemberRow>[] => [
  {
    key: 'email',
    header: 'Email',
    ...(sorts.includes('email') && { sort: 'asc' }),
    width: 'minmax(0, 2fr)',
    cell: row => (
      <TextLink to={paths.listMember(row.id)} state={fromList(list, row)}>
        {row.email}
      </TextLink>
    ),
  },
  ...chosen.map(metadataColumn),
  { key: 'status', header: 'Status', width: '130px', cell: SubscriptionStatus },
  {
    key: 'created_at',
    header: 'Added',
    width: '140px',
    // The first click sorts by the newest.
    ...(sorts.includes('created_at') && { sort: 'desc' }),
    cell: ({ created_at }) => formatDate(created_at),
  },
];

/** Why a member cannot be subscribed, in the words of the activity. */
const SUPPRESSED_WORDS: Record<Suppression, string> = { complaint: 'Complained', bounce: 'Bounced' };

type Subscription = Pick<ListMemberRow, 'is_subscribed' | 'suppression'>;

export function SubscriptionStatus({ is_subscribed, suppression }: Subscription) {
  if (suppression) return <Status tone="wrong">{SUPPRESSED_WORDS[suppression]}</Status>;
  return (
    <Status tone={is_subscribed ? 'usual' : 'off'}>{is_subscribed ? 'Subscribed' : 'Unsubscribed'}</Status>
  );
}

const metadataColumn = (name: string): Column<ListMemberRow> => ({
  // The slash makes it different from the keys of all other columns.
  key: `metadata/${name}`,
  header: name,
  collapse: 'labelAndValue',
  cell({ metadata = [] }) {
    const entry = metadata.find(({ key }) => key === name);
    return entry && formatLocalValue(entry.value);
  },
});
