import type { ListMembersPage } from '#shared/list-member.ts';

/** The cursor of a page. A search of a long list cannot be paged backwards, so the cursors of previous pages are kept. */
type PageCursor = { cursor: string; previous?: PageCursor | undefined };

/** The cursor in the state of a history entry. */
export function cursorIn(state: unknown): PageCursor | undefined {
  const isCursor = typeof state === 'object' && state !== null && 'cursor' in state;
  return isCursor && typeof state.cursor === 'string' ? (state as PageCursor) : undefined;
}

/**
 * The cursor of the next or previous page, relative to the shown page. Any other page is requested by its number. If the
 * requested page has failed, only the way back is known.
 */
export function cursorOfPage(
  page: number,
  shown: ListMembersPage | undefined,
  current: PageCursor | undefined,
  requested: number,
): PageCursor | undefined {
  if (page === 1) return undefined;
  if (!shown) return page === requested - 1 ? current?.previous : undefined;
  const { searched, current_page, last_page, next_cursor, previous_cursor } = shown;
  if (page === current_page - 1) {
    return previous_cursor === null ? current?.previous : { cursor: previous_cursor };
  }
  const isOpenEnd = searched !== null && !searched.complete;
  if (page === last_page && !isOpenEnd) return undefined;
  if (page !== current_page + 1 || next_cursor === null) return undefined;
  return { cursor: next_cursor, ...(isOpenEnd && { previous: current }) };
}
