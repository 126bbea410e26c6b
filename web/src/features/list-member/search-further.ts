import type { ListMembersPage } from '#shared/list-member.ts';

/** The query that continues a search, if that did not read all members and its page is not full; undefined otherwise. */
export function continuation(page: ListMembersPage | undefined, perPage: number) {
  if (!page?.searched || page.searched.complete || page.data.length >= perPage) return undefined;
  return page.next_cursor === null
    ? undefined
    : { cursor: page.next_cursor, room: perPage - page.data.length };
}

/** A page with the rows of its continuation. */
export const withMore = (page: ListMembersPage, more: ListMembersPage): ListMembersPage => ({
  ...more,
  data: [...page.data, ...more.data],
  current_page: page.current_page,
  previous_cursor: page.previous_cursor,
});
