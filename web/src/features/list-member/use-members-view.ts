import { useLocation } from 'react-router';
import type { ListMembersPage } from '../../../../shared/list-member.ts';
import { PAGE_SIZES, type Status } from '../../../../shared/members-page.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { DEFAULT_SORT, statusOf } from './members-sort.ts';
import { cursorIn, cursorOfPage } from './page-cursor.ts';

type PageSize = (typeof PAGE_SIZES)[number];

const STORED = 'membersPageSize';
const DEFAULTS = { ...DEFAULT_SORT, filters: ['search', 'status', 'per_page'] };

/** Keeps page, page size, sort, filter and search of the members table in the URL, and the cursor in the state of the history entry. */
export function useMembersView() {
  const { view, change } = useTableView(DEFAULTS);
  const { state } = useLocation();
  const current = cursorIn(state);
  const { search = '', status = '', per_page = '' } = view.filters;
  const perPage = pageSizeOf(per_page) ?? pageSizeOf(readStored(STORED)) ?? PAGE_SIZES[0];

  return {
    search,
    status: statusOf(status),
    sort: view.sort,
    direction: view.direction,
    perPage,
    page: view.page,
    cursor: current?.cursor,
    change,
    setSearch: (text: string) => change({ filters: { search: text } }),
    setStatus: (wanted: Status | undefined) => change({ filters: { status: wanted ?? '' } }),
    goToPage: (next: number, shown: ListMembersPage | undefined) =>
      change({ page: next }, { state: cursorOfPage(next, shown, current, view.page) }),
    /** By its number: the members by which its cursor began are deleted. */
    reloadPage: () => change({ page: view.page }, { replace: true }),
    setPageSize(size: PageSize) {
      writeStored(STORED, String(size));
      change({ filters: { per_page: String(size) } });
    },
  };
}

export const pageSizeOf = (text: string | null): PageSize | undefined =>
  PAGE_SIZES.find(size => String(size) === text);
