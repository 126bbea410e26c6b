import { useState } from 'react';
import type { EmailList } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { ButtonLink, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { DeleteList } from '#web/entities/list/delete-list.tsx';
import { LIST, useLists } from '#web/entities/list/list.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { text } from '#web/lib/filters.ts';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { ViewOf } from '#web/lib/table-view.ts';
import { SendingStatus } from './list-status.tsx';

const columns: Column<EmailList>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ id, name }) => <TextLink to={paths.list(id)}>{name}</TextLink>,
  },
  { key: 'domain', header: 'Domain', collapse: 'value', sort: 'asc', cell: ({ domain }) => domain },
  {
    key: 'key',
    header: 'Sending key',
    width: '150px',
    card: 'half',
    cell: list => <SendingStatus list={list} />,
  },
  {
    key: 'members',
    header: 'Members',
    width: '110px',
    align: 'end',
    sort: 'desc',
    cell: ({ members_count }) => formatNumber(members_count),
  },
  { key: 'active', header: 'Status', width: '110px', cell: ActiveStatus },
];

export function ListsPage() {
  const { data: lists, error, mutate } = useLists();
  const table = useTableView(LISTS_VIEW);
  const [deleting, setDeleting] = useState<EmailList>();
  const { actionOf: toggleOf, isChanging } = useToggle(LIST);
  const shown = lists && shownLists(lists, table.view);

  return (
    <TablePage
      title="Email Lists"
      pageActions={
        <ButtonLink variant="solid" to={paths.newList()} right={LIST.right}>
          Create list
        </ButtonLink>
      }
      table={table}
      search="Search lists"
      noun="list"
      total={lists?.length}
      found={shown?.length}
      nothing={{
        title: 'No email lists yet',
        cause: 'Create one for the contacts that you send to from one of your domains.',
        more: 'importing-people',
        action: (
          <ButtonLink right={LIST.right} to={paths.newList()}>
            Create list
          </ButtonLink>
        ),
      }}
      noMatch={{
        title: 'No lists match your search',
        cause: `No list has “${table.view.filters.search.trim()}” in its name or domain.`,
      }}
      label="Email lists"
      figures="all"
      columns={columns}
      rows={shown}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      problem={error}
      failure="Failed to fetch data. Please try again"
      onRetry={mutate}
      expected={3}
      isChanging={({ id }) => isChanging(id)}
      right={LIST.right}
      actions={list => [
        toggleOf(list),
        { id: 'edit', label: 'Edit', to: paths.editList(list.id) },
        { id: 'delete', label: 'Delete', group: 'delete', danger: true, run: () => setDeleting(list) },
      ]}
    >
      {deleting && <DeleteList list={deleting} onClose={() => setDeleting(undefined)} />}
    </TablePage>
  );
}

const ORDERS = {
  name: (a: EmailList, b: EmailList) => compareNames(a.name, b.name),
  domain: (a: EmailList, b: EmailList) => compareNames(a.domain, b.domain),
  members: (a: EmailList, b: EmailList) => a.members_count - b.members_count,
};

export const LISTS_VIEW = { filters: { search: text }, sorts: ['name', 'domain', 'members'] } as const;

export function shownLists(
  lists: EmailList[],
  { sort = 'name', direction, filters }: ViewOf<typeof LISTS_VIEW>,
): EmailList[] {
  const query = filters.search.trim().toLowerCase();
  const matches = lists.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(query));
  const sorted = matches.toSorted(ORDERS[sort]);
  return direction === 'desc' ? sorted.reverse() : sorted;
}
