import * as automationStore from '#core/automation/automation.store.ts';
import {
  broadcastTrigger,
  type DueRule,
  dayIn,
  dayOfEmail,
  daysAfter,
  dueOccurrences,
  firstOccurrence,
  fixedOccurrences,
  fixedTrigger,
  hasFixedTrigger,
  isDueAnyway,
  isStarted,
  nextOccurrence,
  type Occurrence,
  ownTrigger,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import * as combinations from '#core/content/combination.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import type * as claimStore from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import type * as memberships from '#core/recipient/membership.ts';
import { readTrigger } from '#core/recipient/trigger.ts';
import { PUNCTUAL, STALE } from '#core/timeouts.ts';
import type { Skipped } from '#shared/send-status.ts';
import { DAY, MINUTE, startOfDay, startOfMinute } from '#shared/time.ts';
import { batchId, batchPrefix } from '../batch/batch.store.ts';
import { type Candidate, instantOf, type Pack, type PackSource } from '../pack.ts';
import type { Skip } from '../skip.store.ts';
import {
  blockedBy,
  isHeldOut,
  minuteOfSending,
  mismatchOf,
  ruleFor,
  type SendingContext,
  type SendingState,
  wasOff,
} from '../state.ts';
import { assumedSends, mayHaveBeenSent } from '../stop.ts';

export type EmailToSend = {
  hash: string;
  claim: journal.Claim;
  membership: memberships.Membership;
  automation: automationStore.StoredAutomation;
  /** How many days after the member's date it was due. */
  days: number;
};

type Decision = {
  /** In the order of claiming. */
  emails: (EmailToSend & { choice: combinations.Choice })[];
  /** Already claimed by this pack, in a write whose answer was lost. The claim says which content it has. */
  adopted: EmailToSend[];
  /** Whether any pack has already claimed something that is due. */
  isTaken: boolean;
  /** Whether something due has a claim that is about to be released; the person is decided on after that. */
  isReleasing: boolean;
  /** Sources of which the person is left out without a skip: their trigger rows stay. */
  leftOut: number[];
  skips: Skip[];
};

/** An email to send counts as sent when the next one is decided. */
export function decide(
  context: Omit<SendingContext, 'contents'>,
  pack: Pick<Pack, 'id' | 'minute' | 'sources' | 'after'>,
  { candidate: [hash, dues], person }: { candidate: Candidate; person: claimStore.Person },
  now: Date,
): Decision {
  const decision: Decision = {
    emails: [],
    adopted: [],
    isTaken: false,
    isReleasing: false,
    leftOut: [],
    skips: [],
  };
  const claims = [...person.claims];
  let { seq, at: lastAt } = person.last;
  const reach = reachOf(context, pack, now, dues);
  const isUnused = (claim: journal.Claim) =>
    isOfPack(claim, pack) &&
    person.claims.includes(claim) &&
    !decision.adopted.some(({ claim: adopted }) => adopted === claim);
  const earners = earnersOf(context, instantFor(pack, lastAt, now));
  for (const [source] of inOrder(pack, dues, reachedClaims(reach, claims), earners)) {
    const skip = (reason: Skipped) => decision.skips.push({ hash, source, reason });
    const owed = owedBy(context, pack, source, person, now);
    if ('isLeftOut' in owed) {
      decision.leftOut.push(source);
      continue;
    }
    if ('reason' in owed) {
      skip(owed.reason);
      continue;
    }
    const { occurrence, rule, automation, membership, trigger, pass } = owed;
    const days = daysAfter(trigger, occurrence.key, automation) ?? 0;
    const at = instantFor(pack, lastAt, now);
    if (pass) {
      const used = claims.filter(claim => !isUnused(claim));
      const instead = insteadOfPass(owed, pass, { claims: used, reach, at });
      if (instead === 'not_due') {
        skip(instead);
        continue;
      }
      if (instead) {
        decision.isTaken = true;
        decision.isReleasing ||= instead.some(claim => isReleasing(pack, claim));
        continue;
      }
    }
    const taken = takenBy(owed, claims);
    if (taken) {
      const isOwn = isOfPack(taken, pack) && taken.list_id === membership.list_id;
      const isStored = person.claims.includes(taken);
      const isNew = isStored && !decision.adopted.some(({ claim }) => claim === taken);
      decision.isTaken ||= isStored;
      decision.isReleasing ||= isReleasing(pack, taken);
      if (isOwn && isNew) decision.adopted.push({ hash, claim: taken, membership, automation, days });
      continue;
    }
    // Before whatever counts or reserves: who is held out takes nothing of a limit.
    if (isHeldOut(context, automation, hash)) {
      skip('held_out');
      continue;
    }
    const automationAndDay = occurrence.key.slice(0, -1);
    const linked = context.linked.get(automation.id) ?? {};
    const chosen = { copy: occurrence.copy, within: automationAndDay };
    const emailKey = `${hash}#${automationAndDay}`;
    const shares = context.shares?.get(
      automationStore.sharesName({ automation: automation.id, day: at.slice(0, 10) }),
    );
    const drawn = shares && combinations.drawn(linked, shares, emailKey, chosen);
    const choice = drawn?.choice ?? combinations.choice(linked, emailKey, chosen);
    const before = [...decision.adopted, ...decision.emails].filter(
      ({ claim }) => claim.list_id === membership.list_id,
    );
    // What a broadcast has no share for is not queued, or waits before it is claimed.
    const mayMail =
      automation.broadcast || (context.mayMail?.(membership.list_id, now, hash, before.length) ?? true);
    const reason = mayHaveBeenSent(context.stage, occurrence, { isTimed: rule.timing !== undefined })
      ? 'restored'
      : (skipReason(context, occurrence, claims, at) ??
        (choice ? (mayMail ? undefined : 'warm_up') : 'no_content'));
    if (reason || !choice) {
      skip(reason ?? 'no_content');
      continue;
    }
    const claim: journal.Claim = {
      seq: ++seq,
      type: 'send',
      at,
      list_id: membership.list_id,
      automation_id: automation.id,
      key: occurrence.key,
      batch: batchId({ ...pack, pack: pack.id, list: membership.list_id, automation: automation.id }),
      combination: choice.id,
      ...(drawn && { share: drawn.share, ...(drawn.weighted && { weighted: true }) }),
      trigger: trigger.toISOString(),
      ...(automation.resumes && { resumes: automation.resumes }),
      ...(pass && !automation.broadcast && { existing: true }),
    };
    lastAt = at;
    claims.unshift(claim);
    decision.emails.push({ hash, claim, membership, automation, choice, days });
  }
  return decision;
}

/** Undefined if somebody whom a pass has found gets its email; else their claims since the day on which it was due. */
function insteadOfPass(
  { rule, automation, trigger }: OwedEmail,
  { existing, isFixed, claimsSince }: Pass,
  { claims, reach, at }: { claims: journal.Claim[]; reach: Reach; at: string },
): journal.Claim[] | 'not_due' | undefined {
  const since = new Date(startOfDay(claimsSince.getTime()));
  // Their date was changed to an earlier one since, and the read does not reach back to it.
  if (since < reach.since) return 'not_due';
  const others = claims.filter(
    claim => claim.automation_id === automation.id && claim.at >= since.toISOString(),
  );
  const isDueToo = !isFixed && isDueAnyway(trigger, rule, existing, new Date(at));
  return others.length > 0 || isDueToo ? others : undefined;
}

/**
 * The claim that takes the place of an email: of the same key, of the pass for existing members on the same day, or of the same
 * date, where it is sent once, whatever the delay was then.
 */
export function takenBy(
  { occurrence, rule, automation, trigger, pass }: Omit<OwedEmail, 'membership'>,
  claims: journal.Claim[],
): journal.Claim | undefined {
  const own = claims.filter(claim => claim.automation_id === automation.id);
  const isInstead = ({ existing, at }: journal.Claim) =>
    existing && dayOfEmail(rule, new Date(at)) === dayIn(occurrence.key);
  const date = trigger.toISOString().slice(0, 10);
  const isOfDate = ({ key, trigger: other }: journal.Claim) =>
    key.endsWith(`#${occurrence.copy}`) && other?.slice(0, 10) === date;
  return (
    own.find(({ key }) => key === occurrence.key) ??
    (rule.repeat === 'once' ? own.find(isOfDate) : undefined) ??
    (!pass && occurrence.copy === 1 ? own.find(isInstead) : undefined)
  );
}

const isOfPack = ({ batch }: journal.Claim, pack: Pick<Pack, 'id' | 'minute'>) =>
  batch.startsWith(batchPrefix(pack));

export const isReleasing = ({ after = [] }: Pick<Pack, 'after'>, { batch }: journal.Claim) =>
  after.some(beginning => batch.startsWith(beginning));

type Reach = { since: Date; enough: number };

/** By a date without a time, the day may begin a day earlier. */
const earliestOf = (trigger: Date) => startOfDay(trigger.getTime()) - DAY;

/**
 * Of those whom a pass has found, back to the day of their date, of the broadcast, or on which the step was created; to their
 * date too if the email may have been sent by another delay.
 */
export function reachOf(
  { safeguards: limits, automations }: Pick<SendingContext, 'safeguards' | 'automations'>,
  { minute, sources }: Pick<Pack, 'minute' | 'sources'>,
  now: Date,
  dues: Candidate[1],
): Reach {
  const from = Math.min(now.getTime(), instantOf(minute).getTime());
  const since = from - (limits.enabled ? safeguards.LONGEST_WINDOW : 3 * STALE);
  const dates = dues.flatMap(([place, trigger]) => {
    const source = sources[place];
    const automation = automations.get(source?.automation ?? '');
    if (!automation) return [];
    const date = broadcastTrigger(automation.broadcast) ?? readTrigger(trigger).instant;
    return claimsCountFrom(automation, date, source?.existing !== undefined) ?? [];
  });
  return {
    since: new Date(Math.min(since, ...dates)),
    enough: limits.enabled && dates.length === 0 ? limits.max_emails_1_week : Number.POSITIVE_INFINITY,
  };
}

/** If claims that are older than the windows of the safeguards count for what is due by a date: since when. */
export function claimsCountFrom(
  { sequence_id, created_at, repeat, rescheduled_at = '' }: automationStore.StoredAutomation,
  date: Date,
  isPass: boolean,
): number | undefined {
  if (isPass) return earliestOf(sequence_id ? new Date(created_at) : date);
  return repeat === 'once' && date.toISOString() < rescheduled_at ? earliestOf(date) : undefined;
}

/** A read may return more, as it reads whole pages; the decision must not depend on that. */
const reachedClaims = ({ since, enough }: Reach, claims: journal.Claim[]) =>
  claims.filter(({ at }) => at >= since.toISOString()).slice(0, enough);

/** Those of the UTC day, so that it can be decided again. */
export const earnersOf = (
  { safeguards: { order }, earnersOn }: Pick<SendingContext, 'safeguards' | 'earnersOn'>,
  at: string,
): string[] => (order === 'value' ? (earnersOn?.(at.slice(0, 10)) ?? []) : []);

/** What earns most comes first; then, or without earners, the automation that mailed the person least recently. */
function inOrder(
  pack: Pick<Pack, 'sources'>,
  dues: Candidate[1],
  claims: journal.Claim[],
  earners: string[],
): Candidate[1] {
  const placeOf = (automation: string) => {
    const place = earners.indexOf(automation);
    return String(place === -1 ? earners.length : place).padStart(4, '0');
  };
  const lastOf = (automation: string) =>
    claims.find(({ automation_id }) => automation_id === automation)?.at ?? '';
  const order = ([source]: Candidate[1][number]) => {
    const { list = '', automation = '' } = pack.sources[source] ?? {};
    return `${placeOf(automation)}#${lastOf(automation).padEnd(24)}#${automation}#${list}`;
  };
  return [...dues].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

type OwedEmail = {
  occurrence: Occurrence;
  rule: DueRule;
  automation: automationStore.StoredAutomation;
  membership: memberships.Membership;
  trigger: Date;
  pass: Pass | undefined;
};
/** How a pass has found somebody. With a claim of the automation since the day of `claimsSince`, they get nothing. */
type Pass = { existing: string; isFixed: boolean; claimsSince: Date };
type Owed = { reason: Skipped } | { isLeftOut: true } | OwedEmail;

function owedBy(
  context: SendingState,
  pack: Pick<Pack, 'minute' | 'sources'>,
  source: number,
  person: claimStore.Person,
  now: Date,
): Owed {
  const pair: Partial<PackSource> & Pick<PackSource, 'list' | 'automation'> = pack.sources[source] ?? {
    list: '',
    automation: '',
  };
  const { existing } = pair;
  const minute = instantOf(pack.minute);
  const blocked = blockedBy(context, pair, minuteOfSending(pack, pair.automation, now));
  const automation = context.automations.get(pair.automation);
  // Checked before what is due, so that the skip has this reason instead of `not_due`.
  const isOff = existing === undefined && automation && wasOff(automation, minute);
  if (blocked || !automation || isOff) return { reason: blocked ?? 'automation_off' };
  if (person.suppression) return { reason: 'suppressed' };
  const membership = person.memberships.get(pair.list);
  if (membership?.status !== 'subscribed') return { reason: 'not_subscribed' };
  if (!isReadable(membership)) return { reason: 'unreadable' };
  const trigger = triggerOf(membership, automation);
  const rule = ruleFor(context, pair.list, automation, membership.metadata);
  const isFixed = fixedTrigger(membership, automation) !== undefined;
  // Those and only those are found by a pass of such triggers.
  if (isFixed !== (existing !== undefined && hasFixedTrigger(automation, pair.list))) {
    return { isLeftOut: true };
  }
  const next = new Date(minute.getTime() + MINUTE);
  const [occurrence] =
    existing === undefined
      ? dueOccurrences(trigger, rule, { from: minute, until: next })
      : isFixed
        ? fixedOccurrences(membership, rule)
        : dueAlready(trigger, rule, membership, existing);
  // The pass comes back for another time zone.
  if (isFixed && (!occurrence || occurrence.at > minute)) return { isLeftOut: true };
  if (!occurrence || !trigger) return { reason: 'not_due' };
  const isFound = existing !== undefined && !isFixed;
  if (isFound && isOnTheirWay(context, automation, membership, person, minute)) return { isLeftOut: true };
  const member = { ...membership, lists: person.memberships };
  const isMeant =
    (isFixed || isStarted(membership, trigger, rule, occurrence)) &&
    !mismatchOf(context, pair.list, automation, member, minute);
  if (!isMeant) return { isLeftOut: true };
  const until = new Date(startOfMinute(now.getTime()));
  const isSuperseded = dueOccurrences(trigger, rule, { from: next, until }).some(
    newer => newer.k > occurrence.k || (occurrence.copy > 1 && newer.copy > occurrence.copy),
  );
  // Who was there already and is due by now is left out, without a skip.
  if (existing === undefined && isSuperseded) return { reason: 'superseded' };
  const own = automation.broadcast ? new Date(earliestOf(trigger)) : ownTrigger(membership, automation);
  const begun = (isFixed && own) || occurrence.at;
  // A step is for each person once, by whichever of their lists and dates.
  const claimsSince = automation.sequence_id ? new Date(automation.created_at) : begun;
  const pass = existing === undefined ? undefined : { existing, isFixed, claimsSince };
  return { occurrence, rule, automation, membership, trigger, pass };
}

/** A step is still to come to them by another list, on which the course has begun. */
const isOnTheirWay = (
  context: SendingState,
  automation: automationStore.StoredAutomation,
  { list_id }: memberships.Membership,
  { memberships: all }: claimStore.Person,
  minute: Date,
): boolean =>
  automation.sequence_id !== undefined &&
  [...all.values()].some(other => {
    const isMailed = other.status === 'subscribed' && automation.email_list_ids.includes(other.list_id);
    const own = ownTrigger(other, automation);
    if (other.list_id === list_id || !isMailed || !own) return false;
    if (startOfMinute(own.getTime()) > minute.getTime()) return false;
    const rule = ruleFor(context, other.list_id, automation, other.metadata);
    return nextOccurrence(own, rule, minute, next => isStarted(other, own, rule, next)) !== undefined;
  });

/** The first email, if it was due to this member before an instant. */
export function dueAlready(
  trigger: Date | undefined,
  rule: DueRule,
  { created_at }: Pick<memberships.Membership, 'created_at'>,
  before: string,
): Occurrence[] {
  const first = created_at < before ? firstOccurrence(trigger, rule) : undefined;
  return first && first.at.getTime() < startOfMinute(Date.parse(before)) ? [first] : [];
}

const isReadable = ({ email, metadata, created_at }: memberships.Membership) =>
  typeof email === 'string' &&
  typeof metadata === 'object' &&
  metadata !== null &&
  typeof created_at === 'string';

/** Never before the previous entry. */
function instantFor({ minute }: Pick<Pack, 'minute'>, lastAt: string, now: Date): string {
  const due = instantOf(minute);
  const isPunctual = now.getTime() - due.getTime() <= PUNCTUAL;
  const at = (isPunctual ? due : now).toISOString();
  return at > lastAt ? at : lastAt;
}

function skipReason(
  context: Pick<SendingContext, 'safeguards' | 'stage'>,
  { key, copy, at: due }: Occurrence,
  claims: journal.Claim[],
  at: string,
): Skipped | undefined {
  if (copy > 1) {
    const first = claims.find(claim => claim.key === key.replace(/\d$/, '1'));
    // A first email that was sent late replaces the copies that were due by then.
    if (!first || first.at > due.toISOString()) return 'no_first';
  }
  return capReason(context, claims, new Date(at));
}

export function capReason(
  { safeguards: limits, stage }: Pick<SendingContext, 'safeguards' | 'stage'>,
  claims: journal.Claim[],
  at: Date,
): Skipped | undefined {
  const instants = claims.map(claim => Date.parse(claim.at));
  const window = safeguards.cappedBy(limits, instants, at.getTime(), assumedSends(stage));
  return window && `capped:${window.field}`;
}
