import type { ListMembersQuery } from '../../../../shared/list-member.ts';
import type { Sort, Status } from '../../../../shared/members-page.ts';

/** Which members of a list are wanted, and in which order. */
export type View = {
  /** What an address has to contain; empty where nothing is searched. */
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

/** Whether only some members are wanted. */
export const isPartial = ({ text, status }: View) => text !== '' || status !== undefined;

/** Whether the index answers it, at one end or at an address. */
export const isIndexed = (view: View) => !isPartial(view) && view.sort === 'email';

/** Whether it is answered as far as a bounded read reaches, however many members there are. */
export const isSearch = (view: View) => isPartial(view) && view.sort === 'email' && !view.descending;

export const hasStatus = ({ status }: View, member: { status: Status }) =>
  status === undefined || member.status === status;
