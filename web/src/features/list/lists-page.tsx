import { Box } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import type { EmailList } from '../../../../shared/list.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { DeleteList } from '../../entities/list/delete-list.tsx';
import { LIST, useLists } from '../../entities/list/list.ts';
import { useToggle } from '../../entities/use-toggle.ts';
import { countText, formatNumber, foundText } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { KeyStatus } from './sending-key/connection.tsx';
import { shownLists } from './shown-lists.ts';

const columns: Column<EmailList>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ id, name }) => <TextLink to={paths.list(id)}>{name}</TextLink>,
  },
  { key: 'domain', header: 'Domain', collapse: 'value', sort: 'asc', cell: ({ domain }) => domain },
  { key: 'key', header: 'Sending key', width: '150px', cell: list => <KeyStatus list={list} /> },
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

/** The email lists of the organization. */
export function ListsPage() {
  const { data: lists, error, mutate } = useLists();
  const { view, change } = useTableView({ sort: 'name', filters: ['search'] });
  const [deleting, setDeleting] = useState<EmailList>();
  const { toggle, isChanging } = useToggle(LIST);
  const { search = '' } = view.filters;
  const shown = lists && shownLists(lists, view);
  const total = lists?.length;
  const searchField = useRef<HTMLInputElement>(null);

  function clearSearch() {
    change({ filters: { search: '' } });
    searchField.current?.focus();
  }

  return (
    <Page
      title="Email Lists"
      actions={
        <ButtonLink variant="solid" to={paths.newList()}>
          New list
        </ButtonLink>
      }
    >
      {/* Its room stays: without it the table would move up. */}
      <Box mb="3" visibility={total === 0 ? 'hidden' : undefined}>
        <SearchField
          ref={searchField}
          label="Search lists"
          value={search}
          onSearch={text => change({ filters: { search: text } })}
        />
      </Box>
      <DataTable
        label="Email lists"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        count={search && shown && total ? foundText(shown.length, total, 'list') : countText(total, 'list')}
        problem={error}
        failure="Failed to fetch data. Please try again"
        onRetry={mutate}
        expected={3}
        view={view}
        onChange={change}
        empty={
          search ? (
            <EmptyState
              title="No list found"
              cause={`No list has “${search}” in its name or domain.`}
              action={<Button onClick={clearSearch}>Clear search</Button>}
            />
          ) : (
            <EmptyState
              title="No email lists yet"
              cause="A list holds the contacts that you send to from one of your domains."
              action={<ButtonLink to={paths.newList()}>Create a list</ButtonLink>}
            />
          )
        }
        isChanging={({ id }) => isChanging(id)}
        actions={list => [
          {
            id: 'active',
            label: list.active ? 'Deactivate' : 'Activate',
            run: () => void toggle(list, !list.active),
          },
          { id: 'edit', label: 'Edit', to: paths.editList(list.id) },
          { id: 'delete', label: 'Delete', group: 'delete', danger: true, run: () => setDeleting(list) },
        ]}
      />
      {deleting && <DeleteList list={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}
