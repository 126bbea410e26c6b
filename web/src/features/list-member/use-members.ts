import { useEffect, useRef, useState } from 'react';
import type { ListMembersPage } from '#shared/list-member.ts';
import type { Sort, Status } from '#shared/members-page.ts';
import { useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Direction } from '#web/lib/table-view.ts';
import { toast } from '#web/lib/toasts.ts';
import { DEFAULT_SORT } from './members-sort.ts';
import { continuation, withMore } from './search-further.ts';

const LIST = 'GET /api/email-lists/{list}';
export const MEMBERS = 'GET /api/email-lists/{list}/members';

export type MembersRequest = {
  list: string;
  page: number;
  perPage: number;
  search: string;
  status: Status | undefined;
  sort: Sort;
  direction: Direction;
  columns: string[];
  cursor?: string | undefined;
};

export const membersQuery = ({
  page,
  perPage,
  search,
  status,
  sort,
  direction,
  columns,
}: MembersRequest) => ({
  page,
  per_page: perPage,
  ...(search && { search }),
  ...(status && { status }),
  ...((sort !== DEFAULT_SORT.sort || direction !== DEFAULT_SORT.direction) && { sort, direction }),
  ...(columns.length > 0 && { columns: columns.join(',') }),
});

/** The list from the cache of the page, which polls its counts. */
export const useListOfPage = (list: string) =>
  useOrganizationData(LIST, { params: { list } }, { revalidateOnMount: false }).data;

/** A page of the members of a list. If a search or a filter did not read all members, it can be continued. */
export function useListMembers(request: MembersRequest) {
  const { list, cursor, search, status } = request;
  const query = { ...membersQuery(request), ...(cursor && { cursor }) };
  const isPartial = search !== '' || status !== undefined;
  const { data, error, mutate, isLoading } = useOrganizationData(
    MEMBERS,
    { params: { list }, query },
    // A search reads many items, so it is not revalidated on focus.
    { keepPreviousData: true, revalidateOnFocus: !isPartial },
  );
  const continued = useContinuedSearch(data, request);
  const isWhole = !data?.searched || data.searched.complete;
  useCountChange(list, () => isWhole && void mutate());
  return { ...continued, error, retry: mutate, isLoading };
}

/** Revalidates the members when the counts of the list have changed. */
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
