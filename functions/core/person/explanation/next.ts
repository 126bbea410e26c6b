import type * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import { type DueRule, nextOccurrence } from '#core/automation/due/rule.ts';
import * as safeguards from '#core/organization/caps.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import type * as membership from '#core/recipient/membership.store.ts';
import type { SendingState } from '#core/sending/state.ts';
import type { Explanation, Obstacle } from '#shared/explanation.ts';
import { startOfMinute } from '#shared/time.ts';

type Named = { list: string; automation: automationStore.StoredAutomation };

type Member = Pick<membership.Membership, 'status'> & {
  isSuppressed: boolean;
  trigger: Date | undefined;
};

/** Everything that keeps an automation from mailing a member, as mending one of several obstacles is not enough. */
export function obstaclesTo(
  { stage, organization, lists }: SendingState,
  { list: listId, automation }: Named,
  linked: automationStore.Linked,
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
  /** With its rule for this member: time of day, days off and quiet hours. */
  automation: DueRule & { active: boolean };
  trigger: Date | undefined;
  claims: journal.Claim[];
  limits: Parameters<typeof safeguards.cappedBy>[0];
  now: Date;
};

/** The next email of the schedule that is not claimed yet, and whether the safeguards would skip it. */
export function nextOf({ automation, trigger, claims, limits, now }: Sending): Explanation['next'] {
  // An automation that is off is taken as switched on now.
  const active_since = automation.active ? automation.active_since : now.toISOString();
  // The next email may be claimed already, for another list of the automation.
  const keys = new Set(claims.map(({ key }) => key));
  const next = nextOccurrence(
    trigger,
    { ...automation, active_since },
    new Date(startOfMinute(now.getTime())),
    ({ key }) => !keys.has(key),
  );
  if (!next) return null;
  const at = next.at.getTime();
  const instants = claims.map(claim => Date.parse(claim.at)).filter(instant => instant <= at);
  const window = safeguards.cappedBy(limits, instants, at);
  const skipped = window ? (`capped:${window.field}` as const) : null;
  const held_since = next.heldSince?.toISOString() ?? null;
  return { due_at: next.at.toISOString(), number: next.k + 1, copy: next.copy, held_since, skipped };
}
