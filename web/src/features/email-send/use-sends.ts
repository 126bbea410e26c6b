import { useEffect, useState } from 'react';
import type { EmailSend, EmailSendsPage } from '#shared/send.ts';
import { SENDS_PER_PAGE } from '#shared/send-status.ts';
import { useIsOther, useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { Problem, UNEXPECTED } from '#web/lib/problem.ts';
import { useAction } from '#web/lib/use-action.ts';
import type { SendsTable } from './send-filters.tsx';

export const SENDS = 'GET /api/email-sends';
export const LOG_NOT_LOADED = 'An error occurred while fetching the sending log. Please try again.';

const WHOLE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The query for the API; undefined while the typed recipient is not a complete address. */
export function sendsQuery({ query: { search, ...filters } }: Pick<SendsTable, 'query'>) {
  if (search === undefined) return filters;
  return WHOLE_ADDRESS.test(search) ? { ...filters, recipient: search } : undefined;
}

/** Throws if the response has another shape. */
export function checked(page: EmailSendsPage): EmailSendsPage {
  const { data, meta } = (page ?? {}) as Partial<EmailSendsPage>;
  const isPage =
    Array.isArray(data) && Number.isInteger(meta?.current_page) && Number.isInteger(meta?.last_page);
  if (!isPage) throw new Problem(UNEXPECTED);
  return page;
}

const isOfShape = (page: EmailSendsPage) => {
  try {
    return checked(page) === page;
  } catch {
    return false;
  }
};

export function useSends(table: SendsTable) {
  const query = sendsQuery(table);
  const call = useOrganizationCall();
  const route = query && SENDS;
  const input = { query: { ...query, page: '1', per_page: String(SENDS_PER_PAGE) } };
  const first = useOrganizationData(
    route,
    input,
    // The pages below start where this one ended, so it must not change.
    { keepPreviousData: true, revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  const [more, setMore] = useState<{ after: EmailSendsPage; pages: EmailSendsPage[] }>();
  const [changed, setChanged] = useState<ReadonlyMap<string, Partial<EmailSend>>>(new Map());
  const isWrong = first.data !== undefined && !isOfShape(first.data);
  const firstPage = isWrong ? undefined : first.data;
  const below = more && more.after === firstPage ? more.pages : [];
  const last = below.at(-1) ?? firstPage;
  const next = last?.meta.next ?? undefined;

  const { run, isRunning, error, clearError } = useAction(
    async () => {
      if (!firstPage || !last) return;
      const asked = {
        ...query,
        ...(next && { after: next }),
        page: String(last.meta.current_page + 1),
        per_page: String(SENDS_PER_PAGE),
      };
      const page = checked(await call(SENDS, { query: asked }));
      setMore({ after: firstPage, pages: [...below, page] });
    },
    { failure: LOG_NOT_LOADED },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error is about what was shown before
  useEffect(clearError, [firstPage]);

  const pages = firstPage ? [firstPage, ...below] : [];
  const rows = [...new Map(pages.flatMap(({ data }) => data).map(row => [row.id, row])).values()];
  return {
    rows: !query ? [] : firstPage && rows.map(row => ({ ...row, ...changed.get(row.id) })),
    problem: first.error ?? (isWrong ? new Problem(UNEXPECTED) : undefined),
    isOther: useIsOther(route, input),
    retry: () => void first.mutate(),
    hasMore: last !== undefined && last.meta.current_page < last.meta.last_page,
    /** The log was read only down to this instant. */
    searchedSince: last?.meta.searched_since ?? undefined,
    loadMore: run,
    isLoadingMore: isRunning,
    problemWithMore: error,
    /** Changes a row until it is loaded again. */
    change: (id: string, change: Partial<EmailSend>) => setChanged(known => new Map(known).set(id, change)),
  };
}
