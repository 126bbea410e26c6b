import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { type DueRule, dueOccurrences, type Occurrence } from '#core/automation/due/rule.ts';
import type { Stop, Switch, Switched } from '#core/organization/switches.store.ts';
import type * as recipient from '#core/recipient/journal.store.ts';
import type { Head } from '#core/sending/batch/batch.store.ts';
import type { Outcome } from '#core/sending/batch/outcome.ts';
import { resendKey } from '#core/sending/claim/resend.ts';
import type * as stopStore from '#core/sending/stop.store.ts';
import * as stops from '#core/sending/stop.ts';
import type { Owed } from '#shared/explanation.ts';
import type { Reason, Skipped } from '#shared/send-status.ts';
import { MINUTE } from '#shared/time.ts';

/** What is known of a member and an automation. */
export type Facts = {
  /** With its rule for this member: time of day, days off and quiet hours. */
  automation: DueRule & Pick<StoredAutomation, 'active'>;
  list: { id: string; active: boolean };
  organization: { active: boolean; stop?: Stop | undefined };
  stage: stopStore.StageSending;
  trigger: Date | undefined;
  /** Of the person, newest first. */
  journal: (recipient.Entry | recipient.Claim)[];
  /** The outcomes of the claims, by number. Claims that are being posted are missing. */
  outcomes: Map<number, Outcome & { head: Pick<Head, 'at'> }>;
  /** Oldest first. */
  switched: Switched[];
  /** The switches of the whole stage, oldest first. */
  stopped: Switched[];
  listNames: Map<string, string>;
};

const isClaimOf =
  (automation: string) =>
  (entry: Facts['journal'][number]): entry is recipient.Claim =>
    entry.type === 'send' && entry.automation_id === automation && !entry.released;

/** What fell due between two instants by the present schedule, newest first. Whether it was switched off does not matter. */
export const owedBetween = (
  { automation, trigger }: Pick<Facts, 'automation' | 'trigger'>,
  from: Date,
  until: Date,
): Occurrence[] =>
  dueOccurrences(trigger, { ...automation, active_since: undefined }, { from, until }).toReversed();

/** The occurrences without a claim. */
export function withoutClaim({ automation, journal }: Facts, due: Occurrence[]): Occurrence[] {
  const keys = new Set(journal.filter(isClaimOf(automation.id)).map(({ key }) => key));
  return due.filter(({ key }) => !keys.has(key));
}

/** What became of each email that was due, newest first. Claims by an earlier schedule are included. */
export function pastOf(facts: Facts, due: Occurrence[], skipped: Map<number, Skipped>): Owed[] {
  const claims = facts.journal.filter(isClaimOf(facts.automation.id));
  const known = new Set(due.flatMap(({ key }) => [key, resendKey(key)]));
  const others = claims.filter(({ key }) => !known.has(key));
  return [
    ...due.map(occurrence => {
      const { key, k, copy, at } = occurrence;
      const claim = claims.find(one => one.key === key || one.key === resendKey(key));
      const which = { due_at: at.toISOString(), number: k + 1, copy };
      return { ...which, ...(claim ? claimed(facts, claim) : unclaimed(facts, at, skipped)) };
    }),
    ...others.map(claim => {
      const [, , copy = '1'] = claim.key.split('#');
      return { due_at: claim.at, number: null, copy: Number(copy), ...claimed(facts, claim) };
    }),
  ].sort((a, b) => (a.due_at < b.due_at ? 1 : -1));
}

type Fate = Pick<Owed, 'status' | 'reason' | 'sent_at' | 'other_list'>;

function claimed({ outcomes, list, listNames }: Facts, { seq, list_id }: recipient.Claim): Fate {
  const outcome = outcomes.get(seq);
  return {
    status: outcome?.status ?? 'waiting',
    reason: outcome?.reason ?? null,
    sent_at: outcome && outcome.status !== 'failed' ? outcome.head.at : null,
    other_list: list_id === list.id ? null : (listNames.get(list_id) ?? null),
  };
}

function unclaimed(facts: Facts, at: Date, skipped: Map<number, Skipped>): Fate {
  const reason: Reason | undefined = skipped.get(at.getTime()) ?? offAt(facts, at) ?? stoppedAt(facts, at);
  return {
    status: reason ? 'skipped' : 'unrecorded',
    reason: reason ?? null,
    sent_at: null,
    other_list: null,
  };
}

/** What was switched off in the minute in which an email was due. */
function offAt(facts: Facts, at: Date): Skipped | undefined {
  const { automation, list, organization, stage, switched, stopped } = facts;
  const end = new Date(at.getTime() + MINUTE).toISOString();
  const wasOn = (what: Switch, isOn: boolean, all = switched) => {
    const changes = all.filter(one => one.what === what && one.on !== undefined);
    const before = changes.findLast(one => one.at < end);
    const after = changes.find(one => one.at >= end);
    return before?.on ?? (after ? !after.on : isOn);
  };
  const isSending = ({ stopped_since }: Stop = {}) => stopped_since === undefined;
  if (
    !wasOn('sending', isSending(stage.stop), stopped) ||
    !wasOn('sending', isSending(organization.stop), switched)
  ) {
    return stops.isLost(stage, at) ? 'restored' : 'stopped';
  }
  if (!wasOn('organization', organization.active)) return 'organization_off';
  if (!wasOn(`automation#${automation.id}`, automation.active)) return 'automation_off';
  return wasOn(`list#${list.id}`, list.active) ? undefined : 'list_off';
}

/** Why a person could not be mailed then, as their journal says. */
function stoppedAt({ journal, list }: Facts, at: Date): Skipped | undefined {
  const instant = at.toISOString();
  const before = journal.filter(entry => entry.type !== 'send' && entry.at <= instant) as recipient.Entry[];
  if (before.some(({ type }) => type === 'complained' || type === 'bounced')) return 'suppressed';
  const last = before.find(
    ({ type, list_id }) => list_id === list.id && (type === 'subscribed' || type === 'unsubscribed'),
  );
  return last?.type === 'unsubscribed' ? 'not_subscribed' : undefined;
}
