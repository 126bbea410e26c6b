import { useLocation, useSearchParams } from 'react-router';
import { type ListMembersPage, PAGE_SIZES } from '../../../../shared/list-member.ts';
import { changeView, readView, type ViewChange } from '../../lib/table-view.ts';
import { cursorIn, cursorOfPage, type PageCursor } from './page-cursor.ts';

export type PageSize = (typeof PAGE_SIZES)[number];

const STORED = 'membersPageSize';
const DEFAULTS = { filters: ['search', 'per_page'] };

/** Keeps page, page size and search of the members table in the URL, and the cursor in the state of the history entry. */
export function useMembersView() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const current = cursorIn(state);
  const view = readView(params, DEFAULTS);
  const { search = '', per_page = '' } = view.filters;
  const perPage = pageSizeOf(per_page) ?? pageSizeOf(localStorage.getItem(STORED)) ?? PAGE_SIZES[0];

  // A page of a search is reached page by page: without its cursor, show the first one.
  const page = search && !current ? 1 : view.page;

  const change = (changes: ViewChange, cursor?: PageCursor) =>
    setParams(params => changeView(params, DEFAULTS, changes), {
      replace: changes.filters !== undefined,
      preventScrollReset: true,
      state: cursor ?? null,
    });

  return {
    search,
    perPage,
    page,
    cursor: current?.cursor,
    setSearch: (text: string) => change({ filters: { search: text } }),
    goToPage: (next: number, shown: ListMembersPage | undefined) =>
      change({ page: next }, cursorOfPage(next, shown, current, page)),
    setPageSize(size: PageSize) {
      localStorage.setItem(STORED, String(size));
      change({ filters: { per_page: String(size) } });
    },
  };
}

export const pageSizeOf = (text: string | null): PageSize | undefined =>
  PAGE_SIZES.find(size => String(size) === text);
