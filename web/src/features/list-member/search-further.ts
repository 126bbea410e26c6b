import type { MembersPage } from '../../../../shared/list-member.ts';

/** How far a search has looked, where it has not looked everywhere and its page has room left. */
export function unfinished(page: MembersPage | undefined, perPage: number) {
  if (!page?.searched || page.searched.complete || page.data.length >= perPage) return undefined;
  return page.next_cursor === null
    ? undefined
    : { cursor: page.next_cursor, room: perPage - page.data.length };
}

/** A page of what was found, with what was found beyond it. */
export const joined = (page: MembersPage, more: MembersPage): MembersPage => ({
  ...more,
  data: [...page.data, ...more.data],
  current_page: page.current_page,
  previous_cursor: page.previous_cursor,
});
