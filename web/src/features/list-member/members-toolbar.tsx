import { Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import type { ListMembersPage } from '#shared/list-member.ts';
import { PAGE_SIZES } from '#shared/members-page.ts';
import { Button } from '#web/components/button.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Select } from '#web/components/select.tsx';
import { countText, formatNumber, plural } from '#web/lib/format.ts';
import type { useListMembers } from './use-members.ts';
import type { useMembersView } from './use-members-view.ts';

type Props = {
  view: ReturnType<typeof useMembersView>;
  members: ReturnType<typeof useListMembers>;
  searchField: Ref<HTMLInputElement>;
  onColumns: () => void;
  /** Undefined while the list is loading. */
  onExport: (() => void) | undefined;
};

/** Search, filter, columns and page size of the members table. */
export function MembersToolbar({ view, members, searchField, onColumns, onExport }: Props) {
  const { search, status, perPage } = view;
  const isUnfinished = members.isUnfinished && members.data?.data.length !== 0;
  return (
    <Flex wrap="wrap" align="center" gap="3" mb="3" minHeight="control" fontSize="sm" color="fg.muted">
      <SearchField ref={searchField} label="Search members" value={view.typed} onSearch={view.setSearch} />
      <Select
        width="auto"
        aria-label="Status"
        value={status ?? ''}
        onChange={({ target }) => view.setStatus(target.value)}
      >
        <option value="">All members</option>
        <option value="subscribed">Subscribed</option>
        <option value="unsubscribed">Unsubscribed</option>
      </Select>
      {(search || isUnfinished) && <SearchProgress {...members} isUnfinished={isUnfinished} />}
      {/* On phones they fill the lines of the search and the filter. */}
      <Flex
        display={{ base: 'contents', md: 'flex' }}
        wrap="wrap"
        justify="flex-end"
        align="center"
        columnGap="3"
        rowGap="2"
        ml="auto"
      >
        <Button disabled={!onExport} onClick={onExport}>
          Export to CSV
        </Button>
        <Button onClick={onColumns}>Columns</Button>
        <Flex as="label" align="center" gap="2" whiteSpace="nowrap">
          Rows per page
          <Select width="auto" value={perPage} onChange={({ target }) => view.setPageSize(target.value)}>
            {PAGE_SIZES.map(size => (
              <option key={size}>{size}</option>
            ))}
          </Select>
        </Flex>
      </Flex>
    </Flex>
  );
}

/** How many members the list has, or how many have the chosen status. */
export const countOf = (view: Props['view'], data: Props['members']['data']) =>
  view.search ? undefined : countText(totalOf(view, data), view.status ? `${view.status} member` : 'member');

/** Undefined if a search has not read all members. */
export const totalOf = ({ search }: Props['view'], data: Props['members']['data']) =>
  data?.found ?? (search ? undefined : data?.total);

/** The progress of a search, with a button to continue or to stop it. */
function SearchProgress({ data, isUnfinished, isRunning, searchFurther, stop }: Props['members']) {
  const searched = data?.searched;
  return (
    <Flex wrap="wrap" align="center" gap="2">
      <span aria-live="polite">{searched && progressText(searched, isRunning, data.found)}</span>
      {isRunning ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        isUnfinished && <Button onClick={() => void searchFurther()}>Search further</Button>
      )}
    </Flex>
  );
}

function progressText(
  { members, of, complete }: NonNullable<ListMembersPage['searched']>,
  isRunning: boolean,
  found: number | null,
) {
  if (found !== null) return `${formatNumber(found)} found in ${plural(of, 'member')}`;
  if (members === 0) return 'Addresses that begin with this text';
  if (complete) return `Searched all ${plural(of, 'member')}`;
  return `${isRunning ? 'Searching: ' : 'Searched '}${formatNumber(members)} of ${plural(of, 'member')}`;
}
