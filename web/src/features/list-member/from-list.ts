import type { ListMemberRow } from '#shared/list-member.ts';

type Known = Pick<
  ListMemberRow,
  'id' | 'email' | 'is_subscribed' | 'suppression' | 'created_at' | 'updated_at'
>;

/**
 * History state of a member's page that was opened from the members table. The known values are shown until the page is
 * loaded. After a deletion, the user returns to that page of the table.
 */
type FromList = { from: 'list'; list: string; member: Known };

export const fromList = (list: string, row: ListMemberRow): FromList => {
  const { id, email, is_subscribed, suppression, created_at, updated_at } = row;
  return { from: 'list', list, member: { id, email, is_subscribed, suppression, created_at, updated_at } };
};

export const isFromList = (state: unknown): state is FromList =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === 'list';
