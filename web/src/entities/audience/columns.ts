import { compareNames } from '#shared/names.ts';
import { useAnswersOfLists } from '#web/lib/of-lists.ts';

/** Each list reads 100 members for its columns. */
const MOST_LISTS = 10;
const MOST_VALUE_LISTS = 3;
const MOST_VALUES = 10;
const LONGEST_VALUE = 60;

export type Columns = ReturnType<typeof useColumns>;

/** The columns of these lists: all, and those with dates. */
export function useColumns(lists: readonly string[]) {
  const some = lists.slice(0, MOST_LISTS);
  const options = { keepPreviousData: true };
  const all = useAnswersOfLists('GET /api/email-lists/{list}/metadata-columns', some, undefined, options);
  const dates = useAnswersOfLists('GET /api/email-lists/{list}/datetime-metadata-columns', lists);
  const [found, dated] = [all, dates].map(
    ({ data }) => new Set([...(data?.values() ?? [])].flatMap(({ columns }) => columns)),
  ) as [Set<string>, Set<string>];
  return {
    names: [...new Set([...found, ...dated])].sort(compareNames),
    dates: dated,
    /** The first lists that have this column. */
    listsWith: (column: string) =>
      some.filter(list => all.data?.get(list)?.columns.includes(column)).slice(0, MOST_VALUE_LISTS),
    problem: all.data === undefined ? all.error : undefined,
    retry: () => void all.mutate(),
  };
}

/** The most frequent values of a column among the first members of some lists. */
export function useUsualValues(column: string, lists: readonly string[]): string[] {
  const { data } = useAnswersOfLists('GET /api/email-lists/{list}/members', lists, {
    per_page: '100',
    columns: column,
  });
  const counts = new Map<string, number>();
  for (const { data: members } of data?.values() ?? []) {
    for (const { value } of members.flatMap(({ metadata = [] }) => metadata)) {
      const text = String(value).trim();
      if (text !== '' && text.length <= LONGEST_VALUE) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || compareNames(a[0], b[0]))
    .slice(0, MOST_VALUES)
    .map(([value]) => value);
}
