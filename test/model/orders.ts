/** Which of several emails to one person comes first, as `model.ts` decides. */
import { dayText } from './clocks.ts';
import type { Claim, Email, World } from './model.ts';

/**
 * What earns most on the day, then what mailed the person least recently. `recent`: the claims that count, the oldest first; `at`:
 * the instant from which the first of these emails would count.
 */
export function inOrder(
  emails: Email[],
  recent: Claim[],
  at: number,
  { safeguards, earners }: World,
): Email[] {
  // What is due for many at once is queued for each automation apart: one after the other, by their ids.
  const isApart = emails.some(({ isShared }) => isShared);
  const best = (safeguards.order === 'value' && !isApart && earners[dayText(at)]) || [];
  const nameOf = ({ automation: { id }, list }: Email) => {
    const last = isApart ? undefined : recent.findLast(({ automation }) => automation === id)?.at;
    return `${last ?? ''.padEnd(24)}#${id}#${list.id}`;
  };
  const earning = best.flatMap(id => emails.filter(({ automation }) => automation.id === id).sort(byName));
  return [...earning, ...emails.filter(email => !earning.includes(email)).sort(byName)];

  function byName(a: Email, b: Email): number {
    return nameOf(a) < nameOf(b) ? -1 : 1;
  }
}
