import type { ListMemberRow } from '#shared/list-member.ts';
import type { MEMBER_ACTIONS } from '#shared/members-page.ts';
import { formatNumber } from '#web/lib/format.ts';

/** An action for a member in the members table. */
export type Action = (typeof MEMBER_ACTIONS)[number];
export type Member = Pick<ListMemberRow, 'id' | 'email'>;

/** The messages of failures for which the server gives no reason. */
export const FAILURES: Record<Action, string> = {
  unsubscribe: 'Failed to update subscription status',
  subscribe: 'Failed to update subscription status',
  delete: 'Failed to delete member',
};

const MOST_NAMED = 3;

/** The first few addresses, and how many more there are. */
export function namesOf(members: readonly Member[]): string {
  const named = members.slice(0, MOST_NAMED).map(({ email }) => email);
  const more = members.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${formatNumber(more)} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}
