import { useEffect, useRef, useState } from 'react';
import type { ListMembersPage } from '../../../../shared/list-member.ts';
import { useOrganizationCall, useOrganizationData } from '../../lib/data.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { continuation, withMore } from './search-further.ts';

const LIST = 'GET /api/email-lists/{list}';
const ROUTE = 'GET /api/email-lists/{list}/members';

export type MembersRequest = {
  list: string;
  page: number;
  perPage: number;
  search: string;
  cursor?: string | undefined;
};

/** A page of the members of a list. A search that did not read all members can be continued. */
export function useListMembers(request: MembersRequest) {
  const { list, page, perPage, search, cursor } = request;
  const query = { page, per_page: perPage, ...(search && { search }), ...(cursor && { cursor }) };
  const { data, error, mutate, isLoading } = useOrganizationData(
    ROUTE,
    { params: { list }, query },
    // A search reads many items, so it is not revalidated on focus.
    { keepPreviousData: true, revalidateOnFocus: !search },
  );
  const continued = useContinuedSearch(data, request);
  useCountChange(list, () => !search && void mutate());
  return { ...continued, error, retry: mutate, isLoading };
}

/** The page polls the counts of the list: revalidates the members when these have changed. */
function useCountChange(list: string, onChange: () => void) {
  const count = useOrganizationData(LIST, { params: { list } }, { revalidateOnMount: false }).data
    ?.members_count;
  const before = useRef(count);
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== count;
    before.current = count;
    if (changed) onChange();
  });
}

function useContinuedSearch(
  first: ListMembersPage | undefined,
  { list, page, perPage, search }: MembersRequest,
) {
  const call = useOrganizationCall();
  const [found, setFound] = useState<{ first: ListMembersPage | undefined; all: ListMembersPage }>();
  const [run, setRun] = useState<{ first: ListMembersPage | undefined; abort: AbortController }>();
  const shown = found && found.first === first ? found.all : first;

  // Aborted when other rows are shown, on Stop, and on unmount.
  useEffect(() => {
    if (run && run.first !== first) setRun(undefined);
  }, [run, first]);
  useEffect(() => () => run?.abort.abort(), [run]);

  async function searchFurther() {
    const thisRun = { first, abort: new AbortController() };
    const { signal } = thisRun.abort;
    setRun(thisRun);
    try {
      let all = shown;
      for (let next = continuation(all, perPage); all && next; next = continuation(all, perPage)) {
        const query = { page, per_page: next.room, search, cursor: next.cursor };
        all = withMore(all, await call(ROUTE, { params: { list }, query, signal }));
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
    isUnfinished: continuation(shown, perPage) !== undefined,
    isRunning: run !== undefined,
    searchFurther,
    stop: () => setRun(undefined),
  };
}
