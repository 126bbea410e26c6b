import { inParallel } from '#core/parallel.ts';
import { CLAIMING } from '#core/times.ts';
import { batchPrefix } from '../batch/batch-id.ts';
import { claimFor, claimsOf, isStale } from '../claim/claim.ts';
import type { Claimed } from '../claim/claimed.ts';
import { readContext } from '../claim/context.ts';
import { claimResend } from '../claim/resend.ts';
import type { Run } from '../pack.store.ts';
import { type Candidate, delayOf, followUp, instantOf, type Pack } from '../pack.ts';
import type { Skip } from '../skip.store.ts';
import { pausedUntil, quietUntil, type SendingState } from '../state.ts';
import { MOST_AT_ONCE, type Needs } from './needs.ts';
import { postBatch } from './post-batch.ts';
import { queueRecheck } from './recheck.ts';
import { candidatesWith, releaseClaims, requeue, sendOf, storeSkips } from './release.ts';

/** Parallel calls of the provider. */
const MOST_BATCHES_AT_ONCE = 4;
/** After so many failures the table is taken to be overloaded, and the people who are left are queued again. */
const MOST_FAILURES = 5;

/** Sends a pack whose lease no other process has had: claims all, then posts. */
export async function sendPack(needs: Needs, pack: Pack, run: Run, state: SendingState): Promise<void> {
  const { now } = needs;
  if (isStale(pack, now())) return storeSkips(needs, pack, skipsOfPeople(pack.people, 'stale'));
  const { ready, waiting, seconds } = splitPaused(pack, state, now());
  if (!pack.isEarly) await requeue(needs, pack, waiting, { seconds });
  const claims = await claimAll(needs, pack, state, ready);
  await requeue(needs, pack, claims.waiting);
  await requeueRest(needs, pack, claims);
  if (!pack.isEarly) await storeSkips(needs, pack, claims.skips);
  const batches = [...Map.groupBy(claims.claimed, ({ claim }) => claim.batch)];
  await inParallel(batches, MOST_BATCHES_AT_ONCE, ([batch, some]) =>
    postBatch(needs, { pack, run, batch, claimed: some }),
  );
}

export const skipsOfPeople = (people: Candidate[], reason: Skip['reason']): Skip[] =>
  people.flatMap(([hash, dues]) => dues.map(([source]) => ({ hash, source, reason })));

/** Splits the people of a pack: those whose lists are paused wait, in quiet hours all of them. `seconds` is how long. */
export function splitPaused(pack: Pack, { organization, lists }: SendingState, now: Date) {
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

/** Claims until the time for it is over, or until too many claims have failed. */
async function claimAll(needs: Needs, pack: Pack, state: SendingState, people: Candidate[]): Promise<Claims> {
  const context = await readContext(needs.table, pack.organization, pack.sources, state);
  const end = needs.now().getTime() + CLAIMING;
  const claims: Claims = { claimed: [], skips: [], waiting: [], left: [], failed: [] };
  await inParallel(people, MOST_AT_ONCE, async candidate => {
    if (needs.now().getTime() >= end || claims.failed.length >= MOST_FAILURES) {
      claims.left.push(candidate);
      return;
    }
    try {
      const { claimed, skips, isReleasing } = pack.resend
        ? await claimResend(needs, context, pack, pack.resend, candidate)
        : await claimFor(needs, context, pack, candidate);
      claims.claimed.push(...claimed);
      claims.skips.push(...skips);
      if (isReleasing) claims.waiting.push(candidate);
    } catch (error) {
      claims.failed.push(candidate);
      needs.failed('a recipient could not be claimed', error);
    }
  });
  return claims;
}

/**
 * Queues the people who are left in two packs of half the size, so that each has less to claim: without a delay if only the
 * time was short, else with one. A claim that failed may have been stored nevertheless, or be stored in a moment, so the
 * pack is rechecked.
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
