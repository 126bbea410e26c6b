import type { ListMemberRow } from '#shared/list-member.ts';

/** An action for a member in the members table. */
export type Action = 'unsubscribe' | 'subscribe' | 'delete';
export type Member = Pick<ListMemberRow, 'id' | 'email'>;

/** The messages of failures for which the server gives no reason. */
export const FAILURES: Record<Action, string> = {
  unsubscribe: 'Failed to update subscription status',
  subscribe: 'Failed to update subscription status',
  delete: 'Failed to delete member',
};
