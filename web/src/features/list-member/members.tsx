import { chakra } from '@chakra-ui/react';
import { useRef } from 'react';
import { type ListMemberRow, PAGE_SIZES } from '../../../../shared/list-member.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { Status } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatDate, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { FROM_LIST } from './from-list.ts';
import { NoMembers, NothingFound, PageNotFound } from './no-members.tsx';
import { SearchProgress } from './search-progress.tsx';
import { useListMembers } from './use-members.ts';
import { pageSizeOf, useMembersView } from './use-members-view.ts';

const Toolbar = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '3',
    mb: '3',
    minHeight: '8',
    fontSize: 'sm',
    color: 'fg.muted',
  },
});
const Size = chakra('label', { base: { display: 'flex', alignItems: 'center', gap: '2', ml: 'auto' } });

const columns: Column<ListMemberRow>[] = [
  {
    key: 'email',
    header: 'Email',
    cell: ({ id, email }) => (
      <TextLink to={paths.listMember(id)} state={FROM_LIST} title={email}>
        {email}
      </TextLink>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '140px',
    cell: ({ is_subscribed }) => (
      <Status tone={is_subscribed ? 'usual' : 'off'}>{is_subscribed ? 'Subscribed' : 'Unsubscribed'}</Status>
    ),
  },
  { key: 'created_at', header: 'Added', width: '140px', cell: ({ created_at }) => formatDate(created_at) },
];

/** The members table of a list: paged, and searched by address. */
export function Members({ list }: { list: string }) {
  const { search, perPage, page: requested, cursor, setSearch, goToPage, setPageSize } = useMembersView();
  const members = useListMembers({ list, page: requested, perPage, search, cursor });
  const { data, isLoading } = members;
  const searchField = useRef<HTMLInputElement>(null);
  // The rows are still those of the page before.
  const isOther = isLoading || (members.error !== undefined && data?.current_page !== requested);
  // For a page after the last one, the API answers the last one.
  const page = isOther ? requested : (data?.current_page ?? requested);

  function goTo(next: number) {
    // The cursor of the next page of a search is in the page that is missing: load that first.
    const isUnknown = search !== '' && isOther && next > page;
    if (!isUnknown) goToPage(next, isOther ? undefined : data);
    else if (!isLoading) void members.retry();
  }

  function clearSearch() {
    setSearch('');
    searchField.current?.focus();
  }

  return (
    <Section title="Members">
      <Toolbar>
        <SearchField
          ref={searchField}
          label="Search members"
          value={search}
          onSearch={text => setSearch(text.trim())}
        />
        {search ? (
          <SearchProgress {...members} isUnfinished={members.isUnfinished && data?.data.length !== 0} />
        ) : (
          data && <span>{plural(data.total, 'member')}</span>
        )}
        <Size>
          Rows per page
          <Select
            width="auto"
            value={perPage}
            onChange={({ target }) => setPageSize(pageSizeOf(target.value) ?? PAGE_SIZES[0])}
          >
            {PAGE_SIZES.map(size => (
              <option key={size}>{size}</option>
            ))}
          </Select>
        </Size>
      </Toolbar>
      <DataTable
        label="Members"
        columns={columns}
        rows={data?.data}
        rowKey={({ id }) => id}
        problem={members.error}
        failure="Failed to fetch list members. Please try again"
        onRetry={members.retry}
        busy={isOther}
        expected={PAGE_SIZES[0]}
        minWidth="520px"
        view={{ page, sort: undefined, direction: 'asc', filters: {} }}
        onChange={({ page: next = 1 }) => goTo(next)}
        // While a search can be continued on this page, there is no next one.
        lastPage={members.isUnfinished ? page : data?.last_page}
        openEnd={search !== ''}
        empty={
          search ? (
            <NothingFound {...members} search={search} onClear={clearSearch} />
          ) : page > 1 ? (
            <PageNotFound page={page} onFirst={() => goToPage(1, data)} />
          ) : (
            <NoMembers list={list} />
          )
        }
      />
    </Section>
  );
}
