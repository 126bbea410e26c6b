import { useLocation } from 'react-router';
import type { ListMembersPage } from '#shared/list-member.ts';
import { PAGE_SIZES, SORTS, STATUSES } from '#shared/members-page.ts';
import { useTableView } from '#web/components/use-table-view.ts';
import { oneOf, text } from '#web/lib/filters.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';
import { cursorIn, cursorOfPage } from './page-cursor.ts';

const STORED = 'membersPageSize';
const PER_PAGE = oneOf(PAGE_SIZES);
const MEMBERS_VIEW = {
  filters: { search: text, status: oneOf(STATUSES), per_page: PER_PAGE },
  sorts: SORTS,
};

/** Keeps page, page size, sort, filter and search of the members table in the URL, and the cursor in the state of the history entry. */
export function useMembersView() {
  const { view, change, filter, query } = useTableView(MEMBERS_VIEW);
  const { state } = useLocation();
  const current = cursorIn(state);
  const { search, status, per_page = PER_PAGE.read(readStored(STORED) ?? '') } = view.filters;

  return {
    /** The text as typed; the request has it trimmed. */
    typed: search,
    search: query.search ?? '',
    status,
    sort: view.sort,
    direction: view.direction,
    perPage: per_page ?? PAGE_SIZES[0],
    page: view.page,
    cursor: current?.cursor,
    change,
    setSearch: (text: string) => filter({ search: text }),
    setStatus: (wanted: string | undefined) => filter({ status: wanted }),
    goToPage: (next: number, shown: ListMembersPage | undefined) =>
      change({ page: next }, { state: cursorOfPage(next, shown, current, view.page) }),
    /** Requests the page by its number, as the members at its cursor were deleted. */
    reloadPage: () => change({ page: view.page }, { replace: true }),
    setPageSize(size: string) {
      writeStored(STORED, size);
      filter({ per_page: size });
    },
  };
}
