import { chakra } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import type { EmailList } from '../../../../shared/list.ts';
import { Button, ButtonLink, ignoreDoubleClick } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Status } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { DeleteList } from './delete-list.tsx';
import { KeyStatus } from './sending-key/connection.tsx';
import { shownLists } from './shown-lists.ts';
import { useActivation, useLists } from './use-lists.ts';

const Toolbar = chakra('div', { base: { mb: '3' } });

const columns: Column<EmailList>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ id, name }) => (
      <TextLink to={paths.list(id)} title={name}>
        {name}
      </TextLink>
    ),
  },
  {
    key: 'domain',
    header: 'Domain',
    sort: 'asc',
    cell: ({ domain }) => <span title={domain}>{domain}</span>,
  },
  { key: 'key', header: 'Sending key', width: '150px', cell: list => <KeyStatus list={list} /> },
  {
    key: 'members',
    header: 'Members',
    width: '110px',
    align: 'end',
    sort: 'desc',
    cell: ({ members_count }) => formatNumber(members_count),
  },
  {
    key: 'active',
    header: 'Status',
    width: '110px',
    cell: ({ active }) => <Status tone={active ? 'usual' : 'off'}>{active ? 'Active' : 'Inactive'}</Status>,
  },
];

/** The email lists of the organization. */
export function ListsPage() {
  const { data: lists, error, mutate } = useLists();
  const { view, change } = useTableView({ sort: 'name', filters: ['search'] });
  const [deleting, setDeleting] = useState<EmailList>();
  const { activate, isChanging } = useActivation();
  const { search = '' } = view.filters;
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
      {lists?.length !== 0 && (
        <Toolbar>
          <SearchField
            ref={searchField}
            label="Search lists"
            value={search}
            onSearch={text => change({ filters: { search: text } })}
          />
        </Toolbar>
      )}
      <DataTable
        label="Email lists"
        columns={columns}
        rows={lists && shownLists(lists, view)}
        rowKey={({ id }) => id}
        problem={error}
        failure="Failed to fetch data. Please try again"
        onRetry={mutate}
        expected={3}
        actionsWidth="230px"
        minWidth="900px"
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
        actions={list => (
          <RowActions
            list={list}
            changing={isChanging(list.id)}
            onActivate={activate}
            onDelete={setDeleting}
          />
        )}
      />
      {deleting && <DeleteList list={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

type RowProps = {
  list: EmailList;
  changing: boolean;
  onActivate: (list: EmailList, active: boolean) => unknown;
  onDelete: (list: EmailList) => void;
};

function RowActions({ list, changing, onActivate, onDelete }: RowProps) {
  const verb = list.active ? 'Deactivate' : 'Activate';
  return (
    <ActionsFrame>
      <Button
        variant="ghost"
        aria-label={`${verb} ${list.name}`}
        loading={changing}
        loadingText={verb}
        onClickCapture={ignoreDoubleClick}
        onClick={() => void onActivate(list, !list.active)}
      >
        {verb}
      </Button>
      <ButtonLink variant="ghost" to={paths.editList(list.id)} aria-label={`Edit ${list.name}`}>
        Edit
      </ButtonLink>
      <Button variant="ghost" aria-label={`Delete ${list.name}`} onClick={() => onDelete(list)}>
        Delete
      </Button>
    </ActionsFrame>
  );
}

const ActionsFrame = chakra('span', { base: { display: 'inline-flex' } });
