import { useEffect, useRef, useState } from 'react';
import type { MembersPage } from '../../../../shared/list-member.ts';
import { useOrganizationCall, useOrganizationData } from '../../lib/data.ts';
import { messageOf } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { joined, unfinished } from './search-further.ts';

const LIST = 'GET /api/email-lists/{list}';
const ROUTE = 'GET /api/email-lists/{list}/members';

export type Wanted = {
  list: string;
  page: number;
  perPage: number;
  search: string;
  cursor?: string | undefined;
};

/** A page of the members of a list. A search that has not looked everywhere goes on when asked to. */
export function useMembers(wanted: Wanted) {
  const { list, page, perPage, search, cursor } = wanted;
  const query = { page, per_page: perPage, ...(search && { search }), ...(cursor && { cursor }) };
  const { data, error, mutate, isLoading } = useOrganizationData(
    ROUTE,
    { params: { list }, query },
    // A search reads much, so it is not done again for a glance at another window.
    { keepPreviousData: true, revalidateOnFocus: !search },
  );
  const further = useFurther(data, wanted);
  useWhenCounted(list, () => !search && void mutate());
  return { ...further, error, retry: mutate, isLoading };
}

/** The page of the list asks for its counts now and then; what is shown beside them follows. */
function useWhenCounted(list: string, follow: () => void) {
  const count = useOrganizationData(LIST, { params: { list } }, { revalidateOnMount: false }).data
    ?.members_count;
  const before = useRef(count);
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== count;
    before.current = count;
    if (changed) follow();
  });
}

function useFurther(first: MembersPage | undefined, { list, page, perPage, search }: Wanted) {
  const call = useOrganizationCall();
  const [found, setFound] = useState<{ first: MembersPage | undefined; all: MembersPage }>();
  const [run, setRun] = useState<{ first: MembersPage | undefined; abort: AbortController }>();
  const shown = found && found.first === first ? found.all : first;

  // Whoever looks at something else, or has seen enough, wants no more of it.
  useEffect(() => {
    if (run && run.first !== first) setRun(undefined);
  }, [run, first]);
  useEffect(() => () => run?.abort.abort(), [run]);

  async function goOn() {
    const mine = { first, abort: new AbortController() };
    const { signal } = mine.abort;
    setRun(mine);
    try {
      let all = shown;
      for (let rest = unfinished(all, perPage); all && rest; rest = unfinished(all, perPage)) {
        const query = { page, per_page: rest.room, search, cursor: rest.cursor };
        all = joined(all, await call(ROUTE, { params: { list }, query, signal }));
        if (signal.aborted) return;
        setFound({ first, all });
      }
    } catch (problem) {
      if (!signal.aborted) toast(messageOf(problem), 'error');
    }
    setRun(current => (current === mine ? undefined : current));
  }

  return {
    data: shown,
    unfinished: unfinished(shown, perPage) !== undefined,
    running: run !== undefined,
    goOn,
    stop: () => setRun(undefined),
  };
}
