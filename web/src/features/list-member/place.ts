import type { MembersPage } from '../../../../shared/list-member.ts';

/** Where a page begins, and in a search, which cannot be read backwards, the one before it. */
export type Place = { cursor: string; before?: Place | undefined };

/** What the history has kept of it. */
export function placeOf(state: unknown): Place | undefined {
  const isPlace = typeof state === 'object' && state !== null && 'cursor' in state;
  return isPlace && typeof state.cursor === 'string' ? (state as Place) : undefined;
}

/** The neighbours begin where the page that is shown says; the first and the last are found from the ends. */
export function placeOfPage(
  page: number,
  shown: MembersPage | undefined,
  place: Place | undefined,
): Place | undefined {
  if (!shown || page === 1) return undefined;
  const { searched, current_page, last_page, next_cursor, previous_cursor } = shown;
  if (searched) {
    if (page === current_page - 1) return place?.before;
    return next_cursor === null ? undefined : { cursor: next_cursor, before: place };
  }
  if (page === last_page) return undefined;
  const cursors: Record<number, string | null> = {
    [current_page + 1]: next_cursor,
    [current_page - 1]: previous_cursor,
  };
  const cursor = cursors[page];
  return cursor ? { cursor } : undefined;
}
