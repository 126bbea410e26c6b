import { inParallel } from '../../parallel.ts';
import * as batches from '../batch/batch.ts';
import { claimsOf } from '../claim/claim.ts';
import type { Pack } from '../pack/pack.ts';
import type { Needs } from './needs.ts';
import { abandon, notAmong, partsOf, releaseAll, releaseLeft, settleReleased } from './release.ts';

/** Longer than a process takes that posts a batch. */
const POSTING = 2 * 60 * 1000;
const MOST_AT_ONCE = 20;

/** A process is about to end what this one was asked to look after. */
export class StillPosting extends Error {
  override readonly name = 'StillPosting';
}

/**
 * A pack that was delivered before, and of which a batch exists: nothing more is posted. What was being posted is
 * unknown; what was claimed and not posted is released, and queued again.
 */
export async function settle(needs: Needs, pack: Pack, heads: batches.Head[]): Promise<void> {
  await releaseOf(needs, pack, heads, { isDead: false });
}

/** What an automation owes to a person in the minute of a pack, from whichever of its lists. */
export const owedTo = (hash: string, automation: string) => `${hash}#${automation}`;

/** `batched`: what a batch says the outcome of. */
export async function releaseOf(
  needs: Needs,
  pack: Pack,
  heads: batches.Head[],
  { isDead }: { isDead: boolean },
): Promise<{ batched: Set<string> }> {
  const { table, now } = needs;
  const { organization } = pack;
  const batched = new Set<string>();
  const decided = new Map<string, batches.Send[]>();
  let isPosting = false;
  for (const head of heads) {
    const sends = await batches.readManifest(table, organization, head.batch);
    decided.set(head.batch, sends);
    for (const { hash } of sends) batched.add(owedTo(hash, partsOf(head.batch).automation));
    if (head.state === 'posting') {
      const isOld = now().getTime() - Date.parse(head.at) > POSTING;
      if (isOld) await batches.markUnknown(table, organization, head.batch);
      else isPosting = true;
    } else if (!head.settled) {
      const released =
        head.state === 'released' ? sends : batches.unpacked(head.released ?? new Uint8Array());
      if (released.length > 0) await settleReleased(needs, pack, head, released);
    }
    await batches.settleKept(needs, organization, head.batch);
  }
  if (isPosting) throw new StillPosting('A batch of this pack is being posted');
  const unended = await inParallel(pack.people, MOST_AT_ONCE, async ([hash]) =>
    (await claimsOf(needs, pack, hash)).map(claim => ({ hash, claim })),
  );
  for (const [batch, claimed] of Map.groupBy(unended.flat(), ({ claim }) => claim.batch)) {
    const known = decided.get(batch);
    if (!known) {
      await abandon(needs, pack, batch, claimed, isDead ? { reason: 'dead' } : { retry_after: 0 });
      for (const { hash } of claimed) batched.add(owedTo(hash, partsOf(batch).automation));
      continue;
    }
    const left = notAmong(known, claimed);
    if (isDead) await releaseAll(needs, pack, left);
    else await releaseLeft(needs, pack, batch, left);
  }
  return { batched };
}
