import type { SortedBy } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Direction } from '#web/lib/table-view.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { isSameRange } from './dates.ts';
import { NOT_LOADED, NOT_SORTED } from './report-texts.ts';

/** The report of a range, sorted by the server. The previous one is shown until it is loaded. */
export function useReport(range: Range, sort_by: SortedBy, sort_direction: Direction) {
  const { data, error, isValidating, mutate } = useOrganizationData(
    'GET /api/reporting/combinations',
    { query: { ...range, sort_by, sort_direction } },
    // It may be large, and most of its days are over.
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  const { isRepeating, repeat } = useRepeat(mutate);
  const isOfRange = data !== undefined && isSameRange(data, range);
  const isSorted = isOfRange && data.sort.by === sort_by && data.sort.direction === sort_direction;

  return {
    report: error && !isOfRange ? undefined : data,
    problem: error as unknown,
    failure: serverMessageOr(error, isOfRange && !isSorted ? NOT_SORTED : NOT_LOADED),
    isLoading: isRepeating || (isValidating && !isSorted),
    repeat,
  };
}
