import { isBroadcast } from '#core/id.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { ClaimWriter } from '#core/recipient/claim.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { MOST_INSERTS } from '#core/storage/write.store.ts';
import { CLAIMING, SPARE } from '#core/timeouts.ts';
import { SECOND } from '#shared/time.ts';
import { nextDay } from '#shared/warm-up.ts';
import * as batchStore from '../batch/batch.store.ts';
import { batchPrefix } from '../batch/batch.store.ts';
import { type Claimed, type ClaimRef, claimFor, claimsOf, isStale } from '../claim/claim.ts';
import { claimResend } from '../claim/resend.ts';
import { isDue, type Share, shares } from '../pace.ts';
import {
  type Candidate,
  candidatesWith,
  delayOf,
  followUp,
  instantOf,
  LONGEST_DELAY,
  markDone,
  type Pack,
  type Run,
  takeLease,
} from '../pack.ts';
import { readSkips, type Skip, skipId } from '../skip.store.ts';
import {
  pausedUntil,
  quietUntil,
  readContext,
  readSendingState,
  type SendingContext,
  type SendingState,
} from '../state.ts';
import { giveBack, type Reserved, reserveFor } from '../warm-up-shares.ts';
import { postBatch } from './post-batch.ts';
import {
  dropResends,
  finishRelease,
  MOST_AT_ONCE,
  type Needs,
  owedTo,
  queueRecheck,
  releaseBatch,
  releaseClaims,
  requeue,
  requeueAndRelease,
  sendOf,
  storeSkips,
} from './release.ts';

/** Another process has the lease of this pack: the message is redelivered after the end of that lease. */
export class PackHeld extends Error {
  override readonly name = 'PackHeld';
}

/**
 * One process at a time has the lease of a pack, and only the first one claims and posts: an email has one claim, a claim one
 * batch, and a batch one process that posts it. So a pack may be delivered any number of times, also to two processes at once.
 */
export const deliver = (needs: Needs, pack: Pack): Promise<void> => work(needs, pack, { isDead: false });

/** Nothing is posted: its people are queued again with the longest delay, or skipped if the pack is stale. */
export const handleDeadPack = (needs: Needs, pack: Pack): Promise<void> =>
  work(needs, pack, { isDead: true });

async function work(needs: Needs, pack: Pack, { isDead }: { isDead: boolean }): Promise<void> {
  const { table, holder, now } = needs;
  const state = await readSendingState(table, pack.organization, pack.sources);
  // A deleted organization is purged: nothing may be written any more.
  if (!state.organization) return;
  if (pack.isRecheck) return recheck(needs, pack);
  const lease = await takeLease(table, pack, holder, now());
  if (lease.state === 'done') return;
  if (lease.state === 'held') throw new PackHeld('Another process has this pack');
  const { run } = lease;
  if (run.number === 1 && !isDead) await sendPack(needs, pack, run, state);
  else await resumeRedelivered(needs, pack, { state, isDead });
  // Fails, so that the queue keeps the message: the other process may die before it is done.
  if (!(await markDone(table, pack, holder))) throw new PackHeld('Another process has taken this pack over');
}

/** Parallel calls of the provider. */
const MOST_BATCHES_AT_ONCE = 4;
/** After so many groups with a failure the table is taken to be overloaded, and the people who are left are queued again. */
const MOST_FAILURES = 3;

/** Claims all, then posts. */
async function sendPack(needs: Needs, pack: Pack, run: Run, state: SendingState): Promise<void> {
  const { now } = needs;
  if (isStale(pack, now())) return storeSkips(needs, pack, skipsOfPeople(pack.people, 'stale'));
  const { ready, waiting, seconds } = splitPaused(pack, state, now());
  const { warm_up_day } = pack;
  if (!pack.isEarly) await requeue(needs, pack, waiting, { seconds, warm_up_day });
  const parts = ready.length > 0 ? await shares(needs, pack, state, ready) : [];
  const due = parts.filter(share => isDue(share, now()));
  if (!pack.isEarly) await postpone(needs, pack, parts);
  const people = due.flatMap(({ people }) => people);
  const reserved = await reserveFor(needs, pack, state, people);
  const within = await postponeBroadcast(needs, pack, people, reserved);
  const claims = await claimAll(needs, pack, state, within, reserved);
  await requeue(needs, pack, claims.waiting);
  await requeueRest(needs, pack, claims);
  if (!pack.isEarly) await storeSkips(needs, pack, claims.skips);
  const batches = [...Map.groupBy(claims.claimed, ({ claim }) => claim.batch)];
  const used = new Map<string, number>();
  await inParallel(batches, MOST_BATCHES_AT_ONCE, async ([batch, claimed]) => {
    const posted = await postBatch(needs, { pack, run, batch, claimed, perSecond: due[0]?.perSecond });
    const { list } = batchStore.parseBatchId(batch);
    used.set(list, (used.get(list) ?? 0) + posted);
  });
  for (const [list, of] of reserved) {
    try {
      await giveBack(needs.table, of, of.emails - (used.get(list) ?? 0));
    } catch (error) {
      needs.failed('what is left of a warm-up could not be given back', error);
    }
  }
}

/** Whose time is to come waits unclaimed. It is no failed attempt. */
async function postpone(needs: Needs, pack: Pack, parts: Share[]): Promise<void> {
  const now = needs.now();
  for (const share of parts.filter(share => !isDue(share, now))) {
    const paced_at = share.isReserved ? share.from.toISOString() : undefined;
    const { attempt = 0, warm_up_day } = pack;
    const next = followUp(pack, share.people, { attempt, paced_at, warm_up_day });
    const seconds = Math.ceil((share.from.getTime() - now.getTime()) / SECOND);
    await needs.queue(next, Math.min(LONGEST_DELAY, seconds));
  }
}

/** Nobody of a broadcast is skipped for a warm-up: who has no share waits for the next day. Returns those who have one. */
async function postponeBroadcast(
  needs: Needs,
  pack: Pack,
  people: Candidate[],
  reserved: Map<string, Reserved>,
): Promise<Candidate[]> {
  const [source] = pack.sources;
  const share =
    source && isBroadcast(source.automation) && !pack.resend ? reserved.get(source.list) : undefined;
  if (!share) return people;
  const seconds = Math.ceil((nextDay(needs.now()).getTime() - needs.now().getTime()) / SECOND);
  await requeue(needs, pack, people.slice(share.emails), { seconds: Math.min(LONGEST_DELAY, seconds) });
  return people.slice(0, share.emails);
}

const skipsOfPeople = (people: Candidate[], reason: Skip['reason']): Skip[] =>
  people.flatMap(([hash, dues]) => dues.map(([source]) => ({ hash, source, reason })));

/** Those whose lists are paused wait, in quiet hours all of them. `seconds` is how long. */
function splitPaused(pack: Pack, { organization, lists }: SendingState, now: Date) {
  const end = quietUntil(organization, instantOf(pack.minute), now);
  if (end) {
    const seconds = Math.ceil((end.getTime() - now.getTime()) / 1000);
    return { ready: [], waiting: pack.people, seconds };
  }
  const until = pack.sources.map(({ list: id }) => {
    const found = lists.get(id);
    return found && pausedUntil(found, now);
  });
  const times = until.flatMap(instant => instant?.getTime() ?? []);
  return {
    ready: candidatesWith(pack, source => until[source] === undefined),
    waiting: candidatesWith(pack, source => until[source] !== undefined),
    seconds: times.length > 0 ? Math.ceil((Math.min(...times) - now.getTime()) / 1000) : 0,
  };
}

type Claims = {
  claimed: Claimed[];
  skips: Skip[];
  /** People with a claim that is about to be released. */
  waiting: Candidate[];
  /** People for whom there was no time, or who were not tried after too many failures. */
  left: Candidate[];
  failed: Candidate[];
};

/** People whose claims are inserted together are read together. */
const MOST_GROUPS_AT_ONCE = 2;

/** Claims until the time for it is over, or until too many claims have failed. */
async function claimAll(
  needs: Needs,
  pack: Pack,
  state: SendingState,
  people: Candidate[],
  reserved: Map<string, Reserved>,
): Promise<Claims> {
  const left = new Map([...reserved].map(([list, { emails }]) => [list, emails]));
  const leftOf = (list: string) => left.get(list) ?? Number.POSITIVE_INFINITY;
  const context: SendingContext = {
    ...(await readContext(needs.table, pack, needs.now(), state)),
    mayMail: (list, _, __, before) => leftOf(list) > before,
    take: (list, emails) => left.set(list, leftOf(list) - emails),
  };
  const end = needs.now().getTime() + CLAIMING;
  const claims: Claims = { claimed: [], skips: [], waiting: [], left: [], failed: [] };
  let failures = 0;
  /** Returns whether it failed. */
  const fails = async (candidate: Candidate, writer: ClaimWriter): Promise<boolean> => {
    try {
      const { claimed, skips, isReleasing } = pack.resend
        ? await claimResend(needs, context, pack, pack.resend, candidate)
        : await claimFor(needs, context, pack, candidate, writer);
      claims.claimed.push(...claimed);
      claims.skips.push(...skips);
      if (isReleasing) claims.waiting.push(candidate);
      return false;
    } catch (error) {
      claims.failed.push(candidate);
      needs.failed('a recipient could not be claimed', error);
      return true;
    } finally {
      writer.leave();
    }
  };
  await inParallel(chunksOf(people, MOST_INSERTS), MOST_GROUPS_AT_ONCE, async group => {
    if (needs.now().getTime() >= end || failures >= MOST_FAILURES) {
      claims.left.push(...group);
      return;
    }
    const writer = new ClaimWriter(needs.table, group.length);
    const failed = await Promise.all(group.map(candidate => fails(candidate, writer)));
    if (failed.includes(true)) failures += 1;
  });
  return claims;
}

/**
 * Queues the people who are left in two packs of half the size, so that each has less to claim. A claim that failed may have
 * been stored nevertheless, or be stored in a moment: the others wait, and the pack is rechecked.
 */
async function requeueRest(needs: Needs, pack: Pack, { left, failed, ...done }: Claims): Promise<void> {
  const again = pack.isEarly ? failed : [...left, ...failed];
  const isDelayed = failed.length > 0 || done.claimed.length + done.skips.length === 0;
  const attempt = (pack.attempt ?? 0) + (isDelayed ? 1 : 0);
  const releasing = failed.length > 0 ? batchPrefix(pack) : undefined;
  const half = Math.ceil(again.length / 2);
  for (const people of [again.slice(0, half), again.slice(half)]) {
    if (people.length === 0) continue;
    const next = followUp(pack, people, { releasing, attempt });
    await needs.queue(next, isDelayed ? delayOf(next) : 0);
  }
  if (failed.length === 0) return;
  await queueRecheck(needs, pack);
  try {
    const stored = await inParallel(failed, MOST_AT_ONCE, candidate => claimsOf(needs, pack, candidate));
    await releaseClaims(needs, pack, stored.flat().map(sendOf));
  } catch (error) {
    // The recheck releases them. If this process failed instead, its people would be queued a second time.
    needs.failed('claims could not be released', error);
  }
}

/** The time of this process is nearly over. Its message is redelivered, and the next process continues. */
class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * Emails that the previous process may have posted are unknown, claims that it did not post are released, and people who were
 * neither claimed nor skipped are queued as a new pack. A repetition at worst queues a person twice, and sends once.
 */
export async function resumeRedelivered(
  needs: Needs,
  pack: Pack,
  { state, isDead }: { state: SendingState; isDead: boolean },
): Promise<void> {
  const decided = await endBatches(needs, pack);
  const unlisted = await releaseUnlistedClaims(needs, pack, decided);
  const rest = await undecided(needs, pack, decided, unlisted);
  if (isStale(pack, needs.now()))
    await storeSkips(needs, pack, skipsOfPeople(rest, isDead ? 'dead' : 'stale'));
  else {
    // Split as the previous process did, so that a pack that it has queued gets the same id.
    const { ready, waiting, seconds } = splitPaused({ ...pack, people: rest }, state, needs.now());
    await requeue(needs, pack, waiting, { seconds });
    await requeue(needs, pack, ready, { seconds: isDead ? LONGEST_DELAY : 0 });
  }
  await queueRecheck(needs, pack);
}

/** Releases what a suspended process has claimed after another one resumed its pack. */
async function recheck(needs: Needs, pack: Pack): Promise<void> {
  const decided = await endBatches(needs, pack);
  await releaseUnlistedClaims(needs, pack, decided);
}

async function endBatches(needs: Needs, pack: Pack): Promise<batchStore.Batch[]> {
  const { table } = needs;
  const found = await batchStore.readBatches(table, pack.organization, batchStore.batchPrefix(pack));
  for (const { head, sends, parts } of found) {
    requireTime(needs);
    if (head.state === 'posting') await batchStore.end(table, pack.organization, head, { event: 'orphaned' });
    if (head.requeued) continue;
    const released =
      head.state === 'released' ? sends : sends.filter(send => parts.released?.has(recipient.claimId(send)));
    if (released.length > 0) await finishRelease(needs, pack, head, released);
  }
  return found;
}

async function releaseUnlistedClaims(
  needs: Needs,
  pack: Pack,
  decided: batchStore.Batch[],
): Promise<ClaimRef[]> {
  const unlisted = await unlistedClaims(needs, pack, decided);
  for (const [batch, claims] of Map.groupBy(unlisted, ({ claim }) => claim.batch)) {
    requireTime(needs);
    const isDecided = decided.some(({ head }) => head.batch === batch);
    // If there is no batch yet, it is inserted: nothing else stops a suspended process from posting these claims.
    if (isDecided) await requeueAndRelease(needs, pack, batch, claims.map(sendOf));
    else await releaseBatch(needs, { pack, batch, claims }, { retry_after: 0 });
  }
  return unlisted;
}

async function unlistedClaims(needs: Needs, pack: Pack, decided: batchStore.Batch[]): Promise<ClaimRef[]> {
  const claims = await inParallel(pack.people, MOST_AT_ONCE, candidate => {
    requireTime(needs);
    return claimsOf(needs, pack, candidate);
  });
  return missingFrom(
    decided.flatMap(({ sends }) => sends),
    claims.flat(),
  );
}

/** The people with dues that were neither claimed nor skipped. */
async function undecided(needs: Needs, pack: Pack, decided: batchStore.Batch[], unlisted: ClaimRef[]) {
  const skips = await readSkips(needs.table, pack);
  // The previous process may have died after it stored the skips, and before it dropped the request.
  await dropResends(needs, pack, skips);
  const skipped = new Set(skips.map(skipId));
  const claimed = new Set([
    ...unlisted.map(({ hash, claim }) => owedTo(hash, claim.automation_id)),
    ...decided.flatMap(({ head, sends }) => sends.map(({ hash }) => owedTo(hash, head.automation_id))),
  ]);
  return candidatesWith(pack, (source, hash) => {
    const isClaimed = claimed.has(owedTo(hash, pack.sources[source]?.automation ?? ''));
    return !isClaimed && !skipped.has(skipId({ hash, source }));
  });
}

/** The claims that are not among these sends. */
function missingFrom(sends: batchStore.Send[], claims: ClaimRef[]): ClaimRef[] {
  const named = new Set(sends.map(recipient.claimId));
  return claims.filter(({ hash, claim }) => !named.has(recipient.claimId({ hash, seq: claim.seq })));
}

function requireTime({ timeLeft }: Needs): void {
  if (timeLeft() < SPARE / 5)
    throw new OutOfTime('What a dead process has left could not be finished in time');
}
