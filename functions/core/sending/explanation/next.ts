import type { Explanation, Obstacle } from '../../../../shared/explanation.ts';
import { MOST_DATES_OFF } from '../../../../shared/send-times.ts';
import { DAY, startOfMinute } from '../../../../shared/time.ts';
import * as automations from '../../automation/automation/automation.ts';
import { type DueRule, dueOccurrences } from '../../automation/due/due.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import type * as recipient from '../../recipient/recipient/recipient.ts';
import type { SendingState } from '../state/state.ts';

type Named = { list: string; automation: automations.StoredAutomation };

type Member = Pick<recipient.Membership, 'status'> & {
  isSuppressed: boolean;
  trigger: Date | undefined;
};

/** What keeps an automation from mailing a member, all of it: what is mended alone may not be enough. */
export function obstaclesTo(
  { stage, organization, lists }: SendingState,
  { list: listId, automation }: Named,
  linked: automations.Linked,
  { status, isSuppressed, trigger }: Member,
  isOver: boolean,
): Obstacle[] {
  const list = lists.get(listId);
  const isLinked = linked.template !== undefined || automations.eligibilityOf(linked).is_eligible;
  const found: Record<Obstacle, boolean> = {
    stopped: [stage.stop, organization?.stop].some(stop => stop?.stopped_since !== undefined),
    organization_off: !organization?.active,
    automation_off: !automation.active,
    not_of_list: !automation.email_list_ids.includes(listId),
    list_off: !list?.active,
    no_key: !list?.sending_key,
    key_refused: list?.sending_key !== undefined && list.connection?.valid === false,
    no_content: !isLinked,
    suppressed: isSuppressed,
    not_subscribed: !isSuppressed && status !== 'subscribed',
    no_date: !trigger,
    over: isOver,
  };
  return (Object.keys(found) as Obstacle[]).filter(obstacle => found[obstacle]);
}

type Sending = {
  /** With the times at which emails go to the member. */
  automation: DueRule & { active: boolean };
  trigger: Date | undefined;
  claims: recipient.Claim[];
  limits: Parameters<typeof safeguards.cappedBy>[0];
  now: Date;
};

// One day of the week, and all of its dates that can be off in a row.
const LONGEST_WAIT = (MOST_DATES_OFF + 2) * 7 * DAY;

/** The next email by the schedule, of which nothing is claimed yet, and whether the safeguards would skip it. */
export function nextOf({ automation, trigger, claims, limits, now }: Sending): Explanation['next'] {
  if (!trigger) return null;
  const { delay_days, every_x_days, active_since } = automation;
  const from = new Date(startOfMinute(now.getTime()));
  const first = Math.max(now.getTime(), trigger.getTime() + delay_days * DAY);
  // The next one may be claimed already, by way of another list.
  const until = new Date(first + 2 * every_x_days * DAY + (automation.timing ? LONGEST_WAIT : DAY));
  const keys = new Set(claims.map(({ key }) => key));
  const next = dueOccurrences(
    trigger,
    // One that is off would send from now on.
    { ...automation, active_since: automation.active ? active_since : now.toISOString() },
    { from, until },
  ).find(({ key }) => !keys.has(key));
  if (!next) return null;
  const at = next.at.getTime();
  const instants = claims.map(claim => Date.parse(claim.at)).filter(instant => instant <= at);
  const window = safeguards.cappedBy(limits, instants, at);
  const skipped = window ? (`capped:${window.field}` as const) : null;
  const held_since = next.heldSince?.toISOString() ?? null;
  return { due_at: next.at.toISOString(), number: next.k + 1, copy: next.copy, held_since, skipped };
}
