import useSWR from 'swr';
import { compareNames } from '#shared/names.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { isMissing } from '#web/lib/problem.ts';

const ROUTE = 'GET /api/email-lists/{list}/metadata-columns';
/** Each call reads 100 members. */
const LISTS_AT_ONCE = 10;

export type Columns = ReturnType<typeof useColumns>;

/** The columns of some lists, with the usual values of each. */
export function useColumns(lists: readonly string[]) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const columnsOf = (list: string) =>
    call(ROUTE, { params: { list }, isRefusalExpected: true }).catch(problem => {
      // The list was deleted.
      if (isMissing(problem)) return undefined;
      throw problem;
    });
  const ofAll = async () => {
    const found: Awaited<ReturnType<typeof columnsOf>>[] = [];
    for (let from = 0; from < lists.length; from += LISTS_AT_ONCE)
      found.push(...(await Promise.all(lists.slice(from, from + LISTS_AT_ONCE).map(columnsOf))));
    return found;
  };
  const { data, error, mutate } = useSWR(lists.length > 0 && [ROUTE, organization, ...lists], ofAll, {
    keepPreviousData: true,
  });
  const found = data?.filter(answer => answer !== undefined) ?? [];
  return {
    names: [...new Set(found.flatMap(({ columns }) => columns))].sort(compareNames),
    valuesOf: (column: string) => [...new Set(found.flatMap(({ values }) => values[column] ?? []))],
    isLoading: lists.length > 0 && !data && !error,
    hasFailed: error !== undefined && !data,
    retry: () => void mutate(),
  };
}
