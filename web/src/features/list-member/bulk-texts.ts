import { formatNumber, plural } from '#web/lib/format.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { FailedItem, Outcome } from './bulk.ts';
import { type Action, FAILURES, type Member } from './member-action.ts';

const DONE: Record<Action, string> = {
  unsubscribe: 'unsubscribed',
  subscribe: 'subscribed again',
  delete: 'deleted',
};
const RUNNING: Record<Action, string> = {
  unsubscribe: 'Unsubscribing',
  subscribe: 'Subscribing again',
  delete: 'Deleting',
};
const MOST_NAMED = 3;

/** The first few addresses, and how many more there are. */
export function namesOf(members: Member[]): string {
  const named = members.slice(0, MOST_NAMED).map(({ email }) => email);
  const more = members.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${formatNumber(more)} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}

type Progress = { action: Action; total: number; outcome: Pick<Outcome<Member>, 'done' | 'failed'> };

export const progressText = ({ action, total, outcome: { done, failed } }: Progress) =>
  `${RUNNING[action]} ${formatNumber(done.length + failed.length)} of ${formatNumber(total)}`;

/** How many succeeded, how many failed for which reason, and how many were not tried. */
export function resultText({ action, total, outcome: { done, failed } }: Progress): string {
  if (done.length === total) return `${plural(total, 'member')} ${DONE[action]}.`;
  const untried = total - done.length - failed.length;
  return [
    `${formatNumber(done.length)} of ${formatNumber(total)} ${DONE[action]}`,
    ...(failed.length > 0 ? [`${formatNumber(failed.length)} failed: ${reasonsOf(action, failed)}`] : []),
    ...(untried > 0 ? [`${formatNumber(untried)} not tried`] : []),
  ]
    .join('; ')
    .concat('.');
}

function reasonsOf(action: Action, failed: FailedItem<Member>[]): string {
  const byReason = Map.groupBy(failed, ({ problem }) =>
    serverMessageOr(problem, FAILURES[action]).replace(/\.$/, ''),
  );
  return [...byReason]
    .map(([reason, failures]) => `${reason} (${namesOf(failures.map(({ item }) => item))})`)
    .join('; ');
}
