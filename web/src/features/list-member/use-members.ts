import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Audience } from '#shared/audience.ts';
import type { ListMembersPage } from '#shared/list-member.ts';
import { MOST_READ, PAGE_SIZES, SORTS, type Sort, STATUSES, type Status } from '#shared/members-page.ts';
import { useTableView } from '#web/components/use-table-view.ts';
import { audienceFilter } from '#web/entities/audience/audience.tsx';
import { useIsOther, useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { oneOf, text } from '#web/lib/filters.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';
import type { Direction, Position } from '#web/lib/table-view.ts';
import { toast } from '#web/lib/toasts.ts';

const LIST = 'GET /api/email-lists/{list}';
export const MEMBERS = 'GET /api/email-lists/{list}/members';

export type MembersRequest = {
  list: string;
  page: number;
  perPage: number;
  search: string;
  status: Status | undefined;
  /** The filter, as JSON; empty without one. */
  audience: string;
  sort: Sort;
  direction: Direction;
  columns: string[];
  cursor?: string | undefined;
};

export function membersQuery(request: MembersRequest) {
  const { page, perPage: per_page, search, status, audience, sort, direction, columns } = request;
  const isSorted = sort !== DEFAULT_SORT.sort || direction !== DEFAULT_SORT.direction;
  return {
    page,
    per_page,
    ...(search && { search }),
    ...(status && { status }),
    ...(audience && { audience }),
    ...(isSorted && { sort, direction }),
    ...(columns.length > 0 && { columns: columns.join(',') }),
  };
}

/** The list from the cache of the page, which polls its counts. */
export const useListOfPage = (list: string) =>
  useOrganizationData(LIST, { params: { list } }, { revalidateOnMount: false }).data;

/** A page of the members of a list. If a search or a filter did not read all members, it can be continued. */
export function useListMembers(request: MembersRequest) {
  const { list, cursor, search, status, audience } = request;
  const query = { ...membersQuery(request), ...(cursor && { cursor }) };
  const isPartial = search !== '' || status !== undefined || audience !== '';
  const input = { params: { list }, query };
  const { data, error, mutate, isLoading } = useOrganizationData(
    MEMBERS,
    input,
    // A search reads many items, so it is not revalidated on focus.
    { keepPreviousData: true, revalidateOnFocus: !isPartial },
  );
  const continued = useContinuedSearch(data, request);
  const isWhole = !data?.searched || data.searched.complete;
  useCountChange(list, () => isWhole && void mutate());
  return { ...continued, error, retry: mutate, isLoading, isOther: useIsOther(MEMBERS, input) };
}

function useCountChange(list: string, onChange: () => void) {
  const { members_count, subscribed_members } = useListOfPage(list) ?? {};
  const counts = members_count === undefined ? undefined : `${members_count} ${subscribed_members}`;
  const before = useRef(counts);
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== counts;
    before.current = counts;
    if (changed) onChange();
  });
}

function useContinuedSearch(first: ListMembersPage | undefined, request: MembersRequest) {
  const call = useOrganizationCall();
  const [found, setFound] = useState<{ first: ListMembersPage | undefined; all: ListMembersPage }>();
  const [run, setRun] = useState<{ first: ListMembersPage | undefined; abort: AbortController }>();
  const shown = found && found.first === first ? found.all : first;

  // Aborted when other rows are shown, by the stop button, and on unmount.
  useEffect(() => {
    if (run && run.first !== first) setRun(undefined);
  }, [run, first]);
  useEffect(() => () => run?.abort.abort(), [run]);

  async function searchFurther() {
    const thisRun = { first, abort: new AbortController() };
    const { signal } = thisRun.abort;
    const { list, perPage } = request;
    setRun(thisRun);
    try {
      let all = shown;
      for (let next = continuation(all, perPage); all && next; next = continuation(all, perPage)) {
        const query = { ...membersQuery(request), per_page: next.room, cursor: next.cursor };
        all = withMore(all, await call(MEMBERS, { params: { list }, query, signal }));
        if (signal.aborted) return;
        setFound({ first, all });
      }
    } catch (problem) {
      if (!signal.aborted) {
        toast(serverMessageOr(problem, 'Failed to fetch list members. Please try again'), 'error');
      }
    }
    setRun(current => (current === thisRun ? undefined : current));
  }

  return {
    data: shown,
    isUnfinished: continuation(shown, request.perPage) !== undefined,
    isRunning: run !== undefined,
    searchFurther,
    stop: () => setRun(undefined),
  };
}

/** The query that continues a search, if that did not read all members and its page is not full; undefined otherwise. */
export function continuation(page: ListMembersPage | undefined, perPage: number) {
  if (!page?.searched || page.searched.complete || page.data.length >= perPage) return undefined;
  return page.next_cursor === null
    ? undefined
    : { cursor: page.next_cursor, room: perPage - page.data.length };
}

export const withMore = (page: ListMembersPage, more: ListMembersPage): ListMembersPage => ({
  ...more,
  data: [...page.data, ...more.data],
  current_page: page.current_page,
  previous_cursor: page.previous_cursor,
});

const STORED = 'membersPageSize';
const PER_PAGE = oneOf(PAGE_SIZES);
const MEMBERS_VIEW = {
  filters: { search: text, status: oneOf(STATUSES), per_page: PER_PAGE, audience: audienceFilter },
  sorts: SORTS,
};

/** Keeps page, page size, sort, filter and search of the members table in the URL, and the cursor in the state of the history entry. */
export function useMembersView() {
  const { view, change, filter, query } = useTableView(MEMBERS_VIEW);
  const { state } = useLocation();
  const current = cursorIn(state);
  const { search, status, per_page = PER_PAGE.read(readStored(STORED) ?? '') } = view.filters;

  return {
    typed: search,
    search: query.search ?? '',
    status,
    filter: view.filters.audience,
    audience: query.audience ?? '',
    sort: view.sort,
    direction: view.direction,
    perPage: per_page ?? PAGE_SIZES[0],
    page: view.page,
    cursor: current?.cursor,
    change,
    setSearch: (text: string) => filter({ search: text }),
    setStatus: (wanted: string | undefined) => filter({ status: wanted }),
    setFilter: (audience: Audience | null) => filter({ audience }),
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

/** The cursor of a page. A search of a long list cannot be paged backwards, so the cursors of previous pages are kept. */
type PageCursor = { cursor: string; previous?: PageCursor | undefined };

export function cursorIn(state: unknown): PageCursor | undefined {
  const isCursor = typeof state === 'object' && state !== null && 'cursor' in state;
  return isCursor && typeof state.cursor === 'string' ? (state as PageCursor) : undefined;
}

/**
 * The cursor of the next or previous page, relative to the shown page. Any other page is requested by its number. If the
 * requested page has failed, only the way back is known.
 */
export function cursorOfPage(
  page: number,
  shown: ListMembersPage | undefined,
  current: PageCursor | undefined,
  requested: number,
): PageCursor | undefined {
  if (page === 1) return undefined;
  if (!shown) return page === requested - 1 ? current?.previous : undefined;
  const { searched, current_page, last_page, next_cursor, previous_cursor } = shown;
  if (page === current_page - 1) {
    return previous_cursor === null ? current?.previous : { cursor: previous_cursor };
  }
  const isOpenEnd = searched !== null && !searched.complete;
  if (page === last_page && !isOpenEnd) return undefined;
  if (page !== current_page + 1 || next_cursor === null) return undefined;
  return { cursor: next_cursor, ...(isOpenEnd && { previous: current }) };
}

/** The columns that the API can sort by. Lists of more than 10,000 members are not read as a whole. */
export function sortsOf(
  members: number,
  { search, status, audience }: Pick<MembersRequest, 'search' | 'status' | 'audience'>,
): readonly Sort[] {
  if (members <= MOST_READ) return SORTS;
  return search || status || audience ? [] : ['email'];
}

export const DEFAULT_SORT: { sort: Sort; direction: Direction } = { sort: 'email', direction: 'asc' };

export function sortOf({ sort, direction }: Pick<Position, 'sort' | 'direction'>, sorts: readonly Sort[]) {
  const known = sorts.find(name => name === sort);
  return known ? { sort: known, direction } : DEFAULT_SORT;
}
