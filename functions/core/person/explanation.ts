import * as users from '#core/account/user.ts';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import {
  type DueRule,
  dueOccurrences,
  fixedOccurrences,
  fixedTrigger,
  isStarted,
  nextOccurrence,
  type Occurrence,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import * as lists from '#core/list/list.store.ts';
import type { MemberWithList } from '#core/list/list-member/list-member.ts';
import { isRefused, lackOf } from '#core/list/providers.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as switches from '#core/organization/switches.ts';
import { inParallel } from '#core/parallel.ts';
import * as journalStore from '#core/recipient/journal.ts';
import { readMemberships } from '#core/recipient/recipient.store.ts';
import * as batches from '#core/sending/batch/outcome.ts';
import { claimsCountFrom, earnersOf, takenBy } from '#core/sending/claim/decide.ts';
import { resendKey } from '#core/sending/claim/resend.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { readSkipsOf } from '#core/sending/skip.store.ts';
import {
  conditionsAt,
  isHeldOut,
  mismatchOf,
  readSendingState,
  ruleFor,
  type SendingState,
} from '#core/sending/state.ts';
import * as stops from '#core/sending/stop.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import { type AudienceItem, type AudienceMember, describeMismatch, listsOf } from '#shared/audience.ts';
import {
  EXPLAINED_DAYS,
  type Explanation,
  MOST_EXPLAINED,
  type Obstacle,
  type Owed,
} from '#shared/explanation.ts';
import type { Safeguards } from '#shared/safeguards.ts';
import { DELETED, type Reason, type Skipped } from '#shared/send-status.ts';
import { DAY, HOUR, MINUTE, startOfMinute } from '#shared/time.ts';
import { leftOf, warmUpAt } from '#shared/warm-up.ts';

const MOST_ENTRIES = 1_000;
const MOST_SWITCHED = 20;
const MOST_AT_ONCE = 10;

type Needs = { table: Table; now: Date };

type Facts = {
  member: MemberWithList;
  automation: automationStore.StoredAutomation;
  /** The rule of the automation for this member: with the time of day, days off and quiet hours. */
  rule: DueRule;
  trigger: Date | undefined;
  /** As they are now. */
  known: AudienceMember;
  sending: SendingState;
  linked: automationStore.Linked;
  limits: Safeguards;
  earners: safeguards.Earners;
  /** Of the person, newest first: of the days that are explained. */
  journal: (journalStore.Entry | journalStore.Claim)[];
  /** All that count for what is sent next, so those from before they joined the list too. */
  claims: journalStore.Claim[];
  /** Oldest first. */
  switched: switches.Switched[];
  /** Of the whole stage. */
  stopped: switches.Switched[];
};

/** From the journal, the skips, the record of switches and the present schedule. Nothing is stored for it. */
export async function explain(
  needs: Needs,
  member: MemberWithList,
  automation: automationStore.StoredAutomation,
): Promise<Explanation> {
  const { now } = needs;
  const { membership } = member.state;
  const earliest = Math.max(now.getTime() - EXPLAINED_DAYS * DAY, Date.parse(membership.created_at));
  const since = new Date(startOfMinute(earliest));
  const facts = await readFacts(needs, member, automation, since);
  const { trigger } = facts;
  const { next, mismatch } = nextOf(facts, now);
  const starts_nothing = automation.repeat !== 'yearly' && !isOwed(facts, { k: 0 });
  return {
    automation: { id: automation.id, name: automation.name, repeat: automation.repeat ?? 'days' },
    trigger_column: automation.metadata_trigger,
    trigger_value: trigger?.toISOString() ?? null,
    obstacles: obstaclesTo(facts, {
      no_match: mismatch !== undefined,
      starts_nothing,
      over: trigger !== undefined && !next && !mismatch && !starts_nothing,
    }),
    mismatch: mismatch ? await mismatchText(needs, facts, mismatch) : null,
    next: next ? shownNext(facts, next) : null,
    past: await pastOf(needs, facts, since),
    since: since.toISOString(),
    switched: await shownSwitches(needs.table, facts),
  };
}

async function readFacts(
  needs: Needs,
  member: MemberWithList,
  automation: automationStore.StoredAutomation,
  since: Date,
): Promise<Facts> {
  const { table } = needs;
  const { list, key, state } = member;
  const { organization } = key;
  const namesLists = automation.audience && listsOf(automation.audience).length > 0;
  const trigger = triggerOf(state.membership, automation);
  const counted = countedSince(needs.now, { member, automation, trigger });
  const reach = new Date(Math.min(since.getTime(), counted)).toISOString();
  const [sending, linked, { safeguards: limits, earners }, { entries }, switched, stopped, of] =
    await Promise.all([
      readSendingState(table, organization, [{ list: list.id, automation: automation.id }]),
      automationStore.readLinked(table, organization, [automation.id]),
      safeguards.readWithEarners(table, organization),
      journalStore.readJournal(table, key, { since: reach, most: MOST_ENTRIES }),
      switches.readSince(table, organization, since),
      switches.readSince(table, undefined, since),
      namesLists ? readMemberships(table, key) : { memberships: [state.membership] },
    ]);
  return {
    member,
    automation,
    sending,
    limits,
    earners,
    journal: entries.filter(({ at }) => Date.parse(at) >= since.getTime() - PUNCTUAL),
    claims: entries.filter(journalStore.isClaim),
    switched,
    stopped,
    linked: linked.get(automation.id) ?? {},
    rule: ruleFor(sending, list.id, automation, state.membership.metadata),
    trigger,
    known: { ...state.membership, lists: new Set(of.memberships.map(({ list_id }) => list_id)) },
  };
}

/** Since when claims count for what is sent next, as for a sender. */
function countedSince(now: Date, of: Pick<Facts, 'member' | 'automation' | 'trigger'>): number {
  const windows = now.getTime() - safeguards.LONGEST_WINDOW;
  const claims = of.trigger && claimsCountFrom(of.automation, of.trigger, isFixed(of));
  return Math.min(windows, claims ?? windows);
}

/** All of them, as mending one of several obstacles is not enough. */
function obstaclesTo(
  { member, automation, trigger, sending, linked }: Facts,
  schedule: Record<'no_match' | 'starts_nothing' | 'over', boolean>,
): Obstacle[] {
  const { stage, organization } = sending;
  const list = sending.lists.get(member.list.id);
  const isSuppressed = member.state.head?.suppression !== undefined;
  const found: Record<Obstacle, boolean> = {
    stopped: [stage.stop, organization?.stop].some(stop => stop?.stopped_since !== undefined),
    organization_off: !organization?.active,
    automation_off: !automation.active,
    not_of_list: !automation.email_list_ids.includes(member.list.id),
    list_off: !list?.active,
    no_key: !list || lackOf(list) === 'no_key',
    not_verified: list !== undefined && lackOf(list) === 'not_verified',
    key_refused: list !== undefined && isRefused(list),
    no_content: !automations.eligibilityOf(linked).is_eligible,
    suppressed: isSuppressed,
    not_subscribed: !isSuppressed && member.state.membership.status !== 'subscribed',
    held_out: isHeldOut(sending, automation, member.key.hash),
    no_date: !trigger,
    ...schedule,
  };
  return (Object.keys(found) as Obstacle[]).filter(obstacle => found[obstacle]);
}

// Within these days, conditions that count days may come to match.
const MATCHES_WITHIN = 366;

type Next = { next: Occurrence | undefined; mismatch: AudienceItem | undefined };

/** The next email that is not claimed yet, and that the member matches by what is known of them now. */
function nextOf(facts: Facts, now: Date): Next {
  const { rule, trigger } = facts;
  // An automation that is off is taken as if it were on.
  const from = new Date(startOfMinute(now.getTime()));
  const isLeft = (occurrence: Occurrence) => !isTaken(facts, occurrence) && isOwed(facts, occurrence);
  const next = nextOccurrence(trigger, rule, from, isLeft);
  const mismatch = mismatchAt(facts, next?.at ?? now);
  if (!next || !mismatch) return { next, mismatch };
  const until = new Date(next.at.getTime() + MATCHES_WITHIN * DAY);
  const later = dueOccurrences(trigger, rule, { from: next.at, until }).find(
    occurrence => isLeft(occurrence) && !mismatchAt(facts, occurrence.at),
  );
  return { next: later, mismatch: later ? undefined : mismatch };
}

/** Another email was sent in its place, for another list of the automation or by another delay: as a sender decides. */
function isTaken(facts: Facts, occurrence: Occurrence): boolean {
  const { automation, rule, trigger, claims } = facts;
  // A pass mails each person once.
  if (isFixed(facts)) return claims.some(({ automation_id }) => automation_id === automation.id);
  if (!trigger) return false;
  return takenBy({ occurrence, rule, automation, trigger, pass: undefined }, claims) !== undefined;
}

/** Not if the import that added them started nothing. */
const isOwed = ({ member, rule, trigger }: Facts, occurrence: Pick<Occurrence, 'k'>) =>
  !trigger || isStarted(member.state.membership, trigger, rule, occurrence);

const mismatchAt = ({ sending, member, automation, known }: Facts, at: Date) =>
  mismatchOf(sending, member.list.id, automation, known, at);

async function mismatchText(
  { table, now }: Needs,
  { member, automation, sending, known }: Facts,
  mismatch: AudienceItem,
) {
  const named = await lists.readThese(table, member.key.organization, listsOf(mismatch));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const when = conditionsAt(sending, member.list.id, automation, known, now);
  return describeMismatch(mismatch, known, when, names);
}

/** With the safeguard, or the warm-up, that would skip it. */
function shownNext(facts: Facts, { at, k, copy, heldSince }: Occurrence): Explanation['next'] {
  const { claims, limits, sending, member } = facts;
  const warmUp = warmUpAt(sending.lists.get(member.list.id)?.warm_up, at);
  const isUsedUp = warmUp !== undefined && leftOf(warmUp) === 0 && !isFixed(facts);
  const instants = claims.map(claim => Date.parse(claim.at)).filter(instant => instant <= at.getTime());
  const window = safeguards.cappedBy(limits, instants, at.getTime());
  return {
    due_at: at.toISOString(),
    number: k + 1,
    copy,
    held_since: heldSince?.toISOString() ?? null,
    skipped: window ? `capped:${window.field}` : isUsedUp ? 'warm_up' : null,
  };
}

/** By the present schedule, whether it was switched off or not; claims by an earlier schedule are included. */
async function pastOf({ table, now }: Needs, facts: Facts, since: Date): Promise<Owed[]> {
  const { member, automation, rule, trigger, journal } = facts;
  const { list, key } = member;
  const claims = journal
    .filter(journalStore.isClaim)
    .filter(({ automation_id }) => automation_id === automation.id);
  const [outcomes, listNames] = await Promise.all([
    batches.readOutcomes({ table, now }, key, claims),
    namesOf(table, key.organization, claims),
  ]);
  const claimed = ({ seq, list_id, share }: journalStore.Claim): Fate => {
    const outcome = outcomes.get(seq);
    return {
      status: outcome?.status ?? 'waiting',
      reason: outcome?.reason ?? null,
      sent_at: outcome && outcome.status !== 'failed' ? outcome.head.at : null,
      share: share ?? null,
      other_list: list_id === list.id ? null : (listNames.get(list_id) ?? null),
      earns_more: null,
    };
  };
  const isPast = ({ at }: Occurrence) => at >= since && at < now;
  const scheduled = isFixed(facts)
    ? fixedOccurrences(member.state.membership, rule).filter(isPast)
    : dueOccurrences(trigger, { ...rule, active_since: undefined }, { from: since, until: now });
  const due = scheduled.toReversed().slice(0, MOST_EXPLAINED);
  const owed = await inParallel(due, MOST_AT_ONCE, async (occurrence): Promise<Owed> => {
    const { key, k, copy, at } = occurrence;
    const claim = claims.find(claimed => claimed.key === key || claimed.key === resendKey(key));
    const fate = claim ? claimed(claim) : await unclaimed({ table, now }, facts, occurrence);
    return { due_at: at.toISOString(), number: k + 1, copy, ...fate };
  });
  const known = new Set(due.flatMap(({ key }) => [key, resendKey(key)]));
  const others = claims
    .filter(claim => !known.has(claim.key))
    .map((claim): Owed => {
      const [, , copy = '1'] = claim.key.split('#');
      return { due_at: claim.at, number: null, copy: Number(copy), ...claimed(claim) };
    });
  return [...owed, ...others].sort((a, b) => (a.due_at < b.due_at ? 1 : -1)).slice(0, MOST_EXPLAINED);
}

async function namesOf(table: Table, organization: number, claims: journalStore.Claim[]) {
  const ids = [...new Set(claims.map(({ list_id }) => list_id))];
  return new Map((await lists.readThese(table, organization, ids)).map(({ id, name }) => [id, name]));
}

const isFixed = ({ member, automation }: Pick<Facts, 'member' | 'automation'>) =>
  fixedTrigger(member.state.membership, automation) !== undefined;

/** How long after an email was due a pass may have skipped somebody. */
const LONGEST_PASS = 3 * DAY;

type Fate = Pick<Owed, 'status' | 'reason' | 'sent_at' | 'share' | 'other_list' | 'earns_more'>;

const NOT_SENT = { reason: null, sent_at: null, share: null, other_list: null, earns_more: null };

async function unclaimed({ table, now }: Needs, facts: Facts, occurrence: Occurrence): Promise<Fate> {
  const { at } = occurrence;
  const { automation, member } = facts;
  const { organization, hash } = member.key;
  const until = isFixed(facts) ? { until: minuteOf(new Date(at.getTime() + LONGEST_PASS)) } : {};
  const skips = await readSkipsOf(table, organization, { from: minuteOf(at), ...until }, hash);
  const skip = skips.find(({ automation: id, list }) => id === automation.id && list === member.list.id);
  const reason: Reason | undefined = skip?.reason ?? offAt(facts, at) ?? stoppedAt(facts, at);
  if (!reason && !isOwed(facts, occurrence)) return { ...NOT_SENT, status: 'starts_nothing' };
  const isTooLate = automation.broadcast?.local_at !== undefined && at.getTime() + HOUR < now.getTime();
  const unrecorded = mismatchAt(facts, at) ? 'no_match' : isTooLate ? 'zone_passed' : 'unrecorded';
  const earns_more = reason?.startsWith('capped:') ? await earningMore(table, facts, at) : null;
  return { ...NOT_SENT, status: reason ? 'skipped' : unrecorded, reason: reason ?? null, earns_more };
}

/** The name of what was sent in the same minute, as it earns more than what was not. */
async function earningMore(
  table: Table,
  { automation, limits, earners, journal }: Facts,
  at: Date,
): Promise<string | null> {
  const earnersAt = (claim: journalStore.Claim) =>
    earnersOf({ safeguards: limits, earnersOn: day => earners[day] }, claim.at);
  const first = journal.filter(journalStore.isClaim).findLast(claim => {
    const best = earnersAt(claim);
    const place = best.indexOf(claim.automation_id);
    return (
      claim.batch.startsWith(minuteOf(at)) && place !== -1 && !best.slice(0, place).includes(automation.id)
    );
  });
  if (!first) return null;
  const [named] = await automationStore.readThese(table, automation.organization_id, [first.automation_id]);
  return named?.name ?? DELETED;
}

function offAt(facts: Facts, at: Date): Skipped | undefined {
  const { automation, member, sending, switched, stopped } = facts;
  const { stage, organization } = sending;
  const end = new Date(at.getTime() + MINUTE).toISOString();
  const wasOn = (what: switches.Switch, isOn = false, all = switched) => {
    const changes = all.filter(change => change.what === what && change.on !== undefined);
    const before = changes.findLast(change => change.at < end);
    const after = changes.find(change => change.at >= end);
    return before?.on ?? (after ? !after.on : isOn);
  };
  const isSending = ({ stopped_since }: switches.Stop = {}) => stopped_since === undefined;
  if (!wasOn('sending', isSending(stage.stop), stopped) || !wasOn('sending', isSending(organization?.stop))) {
    return stops.isLost(stage, at) ? 'restored' : 'stopped';
  }
  if (!wasOn('organization', organization?.active)) return 'organization_off';
  if (!wasOn(`automation#${automation.id}`, automation.active)) return 'automation_off';
  return wasOn(`list#${member.list.id}`, member.list.active) ? undefined : 'list_off';
}

function stoppedAt({ journal, member }: Facts, at: Date): Skipped | undefined {
  const instant = at.toISOString();
  const before = journal.filter(entry => entry.type !== 'send' && entry.at <= instant);
  if (before.some(({ type }) => type === 'complained' || type === 'bounced')) return 'suppressed';
  const last = before.find(
    ({ type, list_id }) => list_id === member.list.id && (type === 'subscribed' || type === 'unsubscribed'),
  );
  return last?.type === 'unsubscribed' ? 'not_subscribed' : undefined;
}

type Switched = Explanation['switched'];

/** Newest first, with the names of the users. */
async function shownSwitches(
  table: Table,
  { automation, member, switched, stopped }: Facts,
): Promise<Switched> {
  const about: switches.Switch[] = [
    'organization',
    'safeguards',
    'sending',
    `list#${member.list.id}`,
    `automation#${automation.id}`,
  ];
  const shown = [...switched, ...stopped]
    .filter(({ what, on }) => on !== undefined && about.includes(what))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .toReversed()
    .slice(0, MOST_SWITCHED);
  const names = await users.namesOf(
    { table },
    shown.flatMap(({ by }) => by ?? []),
  );
  return shown.map(({ at, what, on = false, by }) => ({
    at,
    on,
    what: what.split('#')[0] as Switched[number]['what'],
    by: by === switches.OPERATOR ? by : (names.get(by ?? '') ?? null),
  }));
}
