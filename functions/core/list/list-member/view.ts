import type { ListMembersQuery } from '#shared/list-member.ts';
import type { Sort, Status } from '#shared/members-page.ts';

/** Which members of a list to show, and in which order. */
export type View = {
  /** The text that an address must contain; empty without a search. */
  text: string;
  status: Status | undefined;
  sort: Sort;
  descending: boolean;
};

export const viewOf = ({ search, status, sort = 'email', direction }: ListMembersQuery): View => ({
  text: search?.trim().toLowerCase() ?? '',
  status,
  sort,
  descending: direction === 'desc',
});

/** Whether a search or a filter selects some of the members. */
export const isPartial = ({ text, status }: View) => text !== '' || status !== undefined;

/** Whether a page can be read from the index, from an end or from an address on. */
export const isIndexed = (view: View) => !isPartial(view) && view.sort === 'email';

/** Whether a page can be found step by step by bounded reads, however many members the list has. */
export const isSearch = (view: View) => isPartial(view) && view.sort === 'email' && !view.descending;

export const hasStatus = ({ status }: View, member: { status: Status }) =>
  status === undefined || member.status === status;
