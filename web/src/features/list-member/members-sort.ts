import { MOST_READ, SORTS, type Sort, type Status } from '#shared/members-page.ts';
import type { Direction, Position } from '#web/lib/table-view.ts';

type Wanted = { search: string; status: Status | undefined };

/** The columns that the API can sort by. Lists of more than 10,000 members are not read as a whole. */
export function sortsOf(members: number, { search, status }: Wanted): readonly Sort[] {
  if (members <= MOST_READ) return SORTS;
  return search || status ? [] : ['email'];
}

export const DEFAULT_SORT: { sort: Sort; direction: Direction } = { sort: 'email', direction: 'asc' };

/** The sort of the URL, or the default one if the API does not support it. */
export function sortOf({ sort, direction }: Pick<Position, 'sort' | 'direction'>, sorts: readonly Sort[]) {
  const known = sorts.find(name => name === sort);
  return known ? { sort: known, direction } : DEFAULT_SORT;
}
