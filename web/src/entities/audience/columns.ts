import useSWR from 'swr';
import { compareNames } from '#shared/names.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { isMissing } from '#web/lib/problem.ts';

const ROUTE = 'GET /api/email-lists/{list}/metadata-columns';
/** Each reads 100 members. */
const MOST_LISTS = 10;

export type Columns = ReturnType<typeof useColumns>;

/** The columns of some lists, with the usual values of each. */
export function useColumns(lists: readonly string[]) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const some = lists.slice(0, MOST_LISTS);
  const columnsOf = (list: string) =>
    call(ROUTE, { params: { list }, isRefusalExpected: true }).catch(problem => {
      // The list was deleted.
      if (isMissing(problem)) return undefined;
      throw problem;
    });
  const { data, error, mutate } = useSWR(
    some.length > 0 && [ROUTE, organization, ...some],
    () => Promise.all(some.map(columnsOf)),
    { keepPreviousData: true },
  );
  const found = data?.filter(answer => answer !== undefined) ?? [];
  return {
    names: [...new Set(found.flatMap(({ columns }) => columns))].sort(compareNames),
    valuesOf: (column: string) => [...new Set(found.flatMap(({ values }) => values[column] ?? []))],
    isLoading: some.length > 0 && !data && !error,
    hasFailed: error !== undefined && !data,
    retry: () => void mutate(),
  };
}
