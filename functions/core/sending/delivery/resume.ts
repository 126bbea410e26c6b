import { inParallel } from '#core/parallel.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { SPARE } from '#core/times.ts';
import * as batchStore from '../batch/batch.store.ts';
import * as batchId from '../batch/batch-id.ts';
import type * as manifest from '../batch/manifest.ts';
import { claimsOf, isStale } from '../claim/claim.ts';
import type { ClaimRef } from '../claim/claimed.ts';
import { LONGEST_DELAY, type Pack } from '../pack.ts';
import { readSkips, skipId } from '../skip.store.ts';
import type { SendingState } from '../state.ts';
import { MOST_AT_ONCE, type Needs } from './needs.ts';
import { queueRecheck } from './recheck.ts';
import {
  candidatesWith,
  dropResends,
  finishRelease,
  owedTo,
  releaseBatch,
  requeue,
  requeueAndRelease,
  sendOf,
  storeSkips,
} from './release.ts';
import { skipsOfPeople, splitPaused } from './send-pack.ts';

/** The time of this process is nearly over. Its message is redelivered, and the next process continues. */
class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * Ends what the previous process of a pack has left undone. Emails that it may have posted are unknown, claims that it did
 * not post are released, and people who were neither claimed nor skipped are queued as a new pack. A repetition at worst
 * queues a person twice, and sends once.
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
export async function recheck(needs: Needs, pack: Pack): Promise<void> {
  const decided = await endBatches(needs, pack);
  await releaseUnlistedClaims(needs, pack, decided);
}

/** Ends the batches that the previous process was posting, and finishes the released ones. */
async function endBatches(needs: Needs, pack: Pack): Promise<batchStore.Batch[]> {
  const { table } = needs;
  const found = await batchStore.readBatches(table, pack.organization, batchId.batchPrefix(pack));
  for (const { head, sends, parts } of found) {
    requireTime(needs);
    if (head.state === 'posting') await batchStore.end(table, pack.organization, head, { event: 'orphaned' });
    if (head.requeued) continue;
    const released =
      head.state === 'released'
        ? sends
        : head.state === 'mixed'
          ? sends.filter(send => parts.released?.has(recipient.claimId(send)))
          : [];
    if (released.length > 0) await finishRelease(needs, pack, head, released);
  }
  return found;
}

/** Releases the claims of the pack that no batch names, and returns them. */
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

/** The claims of the pack that no batch names. */
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
function missingFrom(sends: manifest.Send[], claims: ClaimRef[]): ClaimRef[] {
  const named = new Set(sends.map(recipient.claimId));
  return claims.filter(({ hash, claim }) => !named.has(recipient.claimId({ hash, seq: claim.seq })));
}

function requireTime({ timeLeft }: Needs): void {
  if (timeLeft() < SPARE / 5)
    throw new OutOfTime('What a dead process has left could not be finished in time');
}
