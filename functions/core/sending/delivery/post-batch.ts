import { designOf, type Versioned } from '#core/content/look.ts';
import * as listStore from '#core/list/list.store.ts';
import {
  NEXT_TRY,
  noteFailing,
  noteSending,
  providerNow,
  refusesUntil,
  takesOver,
} from '#core/list/providers.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import { activeDomain } from '#core/list/tracking-domain.ts';
import { inParallel } from '#core/parallel.ts';
import type { NotSent, Outcome } from '#core/provider.ts';
import * as claims from '#core/recipient/claim.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { keyFor } from '#core/recipient/tracking.ts';
import { CLOCK_SKEW, FRESH, MEMBERSHIP_WRITER_TIMEOUT, SPARE } from '#core/timeouts.ts';
import { needsKey, type ProviderName, providerOf } from '#shared/providers.ts';
import { SECOND } from '#shared/time.ts';
import * as batchStore from '../batch/batch.store.ts';
import { PROVEN } from '../batch/outcome.ts';
import type { Claimed } from '../claim/claim.ts';
import type { Pack, Run } from '../pack.ts';
import { sentName } from '../rollup.ts';
import { blockedBy, minuteOfSending, readSendingState, type SendingState } from '../state.ts';
import { finishRelease, MOST_AT_ONCE, type Needs, releaseBatch, sendOf } from './release.ts';
import { outgoingEmails } from './render.ts';

/** `run` is that of this process, which has the lease of the pack. */
type Posting = { pack: Pack; run: Run; batch: string; claimed: Claimed[]; perSecond?: number | undefined };

/**
 * Posts the claims of one list and automation, if they may still be sent. Returns how many emails the provider may have taken.
 */
export async function postBatch(needs: Needs, posting: Posting): Promise<number> {
  const { table, now } = needs;
  const { pack, run, batch, claimed } = posting;
  const { organization } = pack;
  const { list: listId, automation: automationId } = batchStore.parseBatchId(batch);
  const seen = await readAgain(needs, posting);
  const { state, stopped } = seen;
  // A deleted organization is purged: nothing may be written any more.
  if (!state.organization) return 0;
  const list = state.lists.get(listId);
  const automation = state.automations.get(automationId);
  const blocked = blockedNow(state, posting, now());
  if (blocked || !list || !automation) {
    await releaseBatch(needs, { pack, batch, claims: claimed }, { reason: blocked ?? 'list_off' });
    return 0;
  }
  const used = providerNow(list, now());
  const live = claimed.filter(({ hash }) => !stopped.has(hash));
  if ('until' in used || live.length === 0 || !mayBegin(needs, run)) {
    const seconds = 'until' in used ? Math.ceil((used.until.getTime() - now().getTime()) / SECOND) : 0;
    await releaseBatch(needs, { pack, batch, claims: claimed }, { retry_after: seconds });
    return 0;
  }
  const domain = activeDomain(list);
  const design = await designToSend(needs, list, state.organization);
  const sender = {
    organization,
    list,
    publicUrl: needs.publicUrl,
    linkUrl: domain ? `https://${domain}` : needs.publicUrl,
    key: keyFor(await needs.trackingKey(), domain),
    design,
    written: now(),
  };
  const emails = outgoingEmails(sender, live);
  const posted = live.slice(0, emails.length);
  const { provider } = used;
  const access = { ...(await sendingKey.accessOf(needs, list, provider)), perSecond: posting.perSecond };
  const head = {
    batch,
    list_id: listId,
    automation_id: automationId,
    at: now().toISOString(),
    size: claimed.length,
    provider,
    ...(posted[0]?.claim.resumes && { resumes: posted[0].claim.resumes }),
    shown_as: {
      list_name: list.name,
      automation_name: automation.name,
      sender_name: list.sender_name,
      sender_address: list.sender_address,
      unsubscribe_text: list.unsubscribe_text,
      ...(design && { look: design.version, public_name: design.name }),
      ...(design?.logo && list.logo && { logo: list.logo }),
    },
  };
  if (!(await batchStore.insert(table, organization, 'begun', head, claimed.map(sendOf)))) {
    // Another process has resumed the pack, and inserted this batch as released. Its recheck finds claims that it missed.
    return 0;
  }
  const mayContinue = postingCheck(needs, { ...posting, claimed: posted }, seen, provider);
  const answered = await needs.providers[provider].post(access, emails, mayContinue);
  const outcomes = new Map(posted.map((email, index) => [email, answered[index] ?? UNKNOWN]));
  const all = claimed.map((email): [Claimed, Outcome] => [email, outcomes.get(email) ?? NOT_POSTED]);
  const reason = reasonIn(answered);
  const isLeft = reason !== undefined && provider === providerOf(list) && takesOver(list, reason, now());
  await endBatch(needs, pack, head, all, isLeft);
  await noteOutcome(needs, list, provider, answered, reason);
  return all.filter(([, { kind }]) => kind !== 'not_sent').length;
}

/** The file of a logo that emails show is kept, so the list notes it before the first of them. */
async function designToSend(
  needs: Needs,
  list: listStore.StoredList,
  organization: SendingState['organization'],
): Promise<Versioned | undefined> {
  const design = await designOf(needs, list, organization);
  if (!design?.logo || list.logo_sent === list.logo) return design;
  if (await listStore.keepLogo(needs.table, list)) return design;
  const { logo: _, ...without } = design;
  return without;
}

function blockedNow(state: SendingState, { pack, batch }: Pick<Posting, 'pack' | 'batch'>, now: Date) {
  const { list, automation } = batchStore.parseBatchId(batch);
  const source = pack.sources.find(one => one.list === list && one.automation === automation);
  return blockedBy(state, source ?? { list, automation }, minuteOfSending(pack, automation, now));
}

const UNKNOWN: Outcome = { kind: 'unknown' };
/** For claims that were not handed to the provider: the person was stopped, or the call was full. */
const NOT_POSTED: NotSent = { kind: 'not_sent', reason: 'interrupted', seconds: 0 };

type Seen = { at: Date; state: SendingState; stopped: Set<string> };

async function readAgain(
  { table, now }: Needs,
  { pack: { organization }, batch, claimed }: Posting,
): Promise<Seen> {
  const at = now();
  const { list, automation } = batchStore.parseBatchId(batch);
  const first = Math.min(...claimed.map(({ claimedAt }) => claimedAt.getTime()));
  // The marker of an unsubscribed person has the time at which its process began, by a clock that may be behind ours. The
  // time of the write would be no better: a write may be retried, and is committed later than it is sent.
  const since = new Date(first - MEMBERSHIP_WRITER_TIMEOUT - 2 * CLOCK_SKEW);
  const [state, stopped] = await Promise.all([
    readSendingState(table, organization, [{ list, automation }]),
    suppressions.stoppedSince(table, organization, since, list),
  ]);
  return { at, state, stopped };
}

/** Whether a call can end within the lease. If not, the process that resumes the pack releases the claims. */
const mayBegin = ({ now, timeLeft }: Needs, { until }: Run): boolean =>
  timeLeft() > SPARE && now().getTime() + SPARE <= until.getTime();

/** Asked before each request of the provider. What was read is used for a few seconds (`FRESH`), then read again. */
function postingCheck(
  needs: Needs,
  posting: Posting,
  first: Seen,
  provider: ProviderName,
): () => Promise<boolean> {
  const { run, batch, claimed } = posting;
  let seen = first;
  const { list } = batchStore.parseBatchId(batch);
  const isFresh = () => needs.now().getTime() - seen.at.getTime() <= FRESH;
  const isAllowed = () => {
    const found = seen.state.lists.get(list);
    return (
      blockedNow(seen.state, posting, needs.now()) === undefined &&
      found !== undefined &&
      refusesUntil(found, provider, needs.now()) === undefined &&
      claimed.every(({ hash }) => !seen.stopped.has(hash))
    );
  };
  return async () => {
    if (!isFresh()) seen = await readAgain(needs, posting);
    return isAllowed() && isFresh() && mayBegin(needs, run);
  };
}

async function endBatch(
  needs: Needs,
  pack: Pack,
  head: Pick<batchStore.Head, 'batch' | 'size'>,
  outcomes: [Claimed, Outcome][],
  isLeft: boolean,
): Promise<void> {
  const { organization } = pack;
  const endedAs = (kind: Outcome['kind']) =>
    outcomes.filter(([, outcome]) => outcome.kind === kind).map(([claimed]) => claimed);
  const sent = endedAs('accepted');
  const parts = {
    failed: endedAs('refused').map(sendOf),
    unknown: endedAs('unknown').map(sendOf),
    released: endedAs('not_sent').map(sendOf),
  };
  const kinds = [...new Set(outcomes.map(([, { kind }]) => kind))];
  const [kind = 'unknown', ...others] = kinds;
  const waits = outcomes.map(([, outcome]) => outcome).filter(outcome => outcome.kind === 'not_sent');
  const ids = outcomes.flatMap(([, outcome]) =>
    outcome.kind === 'accepted' ? (outcome.provider_id ?? []) : [],
  );
  const ending: batchStore.Ending = {
    ...(sent.length > 0 && { provider_ids: [...new Set(ids)], counts: countsOf(sent) }),
    // The second provider asks for no wait.
    ...(waits.length > 0 && { retry_after: isLeft ? 0 : Math.max(...waits.map(({ seconds }) => seconds)) }),
  };
  const end =
    others.length > 0 ? ({ event: 'answered differently', ending, parts } as const) : { event: kind, ending };
  const isEnded = await batchStore.end(needs.table, organization, head, end);
  // Another process has ended the batch as orphaned, so the outcomes are stored in the claims.
  if (!isEnded) return storeOutcomes(needs, organization, outcomes);
  if (parts.released.length > 0) {
    await finishRelease(needs, pack, { ...head, ...ending }, parts.released);
  }
}

/** Counts emails by the UTC day of their claims, and by combination and mailbox provider. */
function countsOf(sent: Claimed[]): batchStore.SentCounts {
  const counts: batchStore.SentCounts = {};
  for (const { claim } of sent) {
    const day = claim.at.slice(0, 10);
    counts[day] ??= {};
    const name = sentName(claim);
    counts[day][name] = (counts[day][name] ?? 0) + 1;
  }
  return counts;
}

async function storeOutcomes(
  { table, now, timeLeft }: Needs,
  organization: number,
  outcomes: [Claimed, Outcome][],
): Promise<void> {
  const at = now().toISOString();
  await inParallel(outcomes, MOST_AT_ONCE, async ([{ hash, claim }, { kind }]) => {
    // The email then stays unknown until an event of the provider settles it.
    if (kind === 'unknown' || timeLeft() < CLOCK_SKEW) return;
    const proof = kind === 'accepted' ? 'delivered' : 'rejected';
    await claims.storeOutcome(table, { organization, hash }, { seq: claim.seq, at, ...PROVEN[proof] });
  });
}

/** What the answers say of the provider decides when it is tried again, and whether the second one is. */
async function noteOutcome(
  { table, now }: Needs,
  list: listStore.StoredList,
  provider: ProviderName,
  outcomes: Outcome[],
  reason: Reason | undefined,
): Promise<void> {
  const isFirst = provider === providerOf(list);
  const unsent = outcomes.filter(outcome => outcome.kind === 'not_sent');
  if (!reason) {
    const isTaken = outcomes.some(({ kind }) => kind === 'accepted');
    if (isFirst && list.failing && isTaken) await noteSending(table, list);
    return;
  }
  const isNoted = isFirst && list.second_provider;
  const hasOthers = isNoted && !(await noteFailing(table, list, reason, now()));
  if (reason === 'denied' && needsKey(provider)) {
    await sendingKey.markDenied({ table, now: now() }, list);
    return;
  }
  const seconds =
    reason === 'denied'
      ? NEXT_TRY / SECOND
      : Math.max(0, ...unsent.map(({ reason, seconds }) => (reason === 'throttled' ? seconds : 0)));
  const until = new Date(now().getTime() + seconds * SECOND);
  if (seconds > 0 && !hasOthers)
    await listStore.pause(table, list, until, isFirst ? 'paused_until' : 'second_paused_until');
}

/** The one that keeps a provider from sending the longest comes first. */
const REASONS = ['denied', 'throttled', 'unreachable'] as const;

type Reason = (typeof REASONS)[number];

const reasonIn = (outcomes: Outcome[]): Reason | undefined =>
  REASONS.find(reason => outcomes.some(one => one.kind === 'not_sent' && one.reason === reason));
