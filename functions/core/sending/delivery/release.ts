import { inParallel } from '#core/parallel.ts';
import * as claimStore from '#core/recipient/claim.store.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import * as sent from '#core/recipient/sent.store.ts';
import * as batchStore from '../batch/batch.store.ts';
import * as batchId from '../batch/batch-id.ts';
import type * as manifest from '../batch/manifest.ts';
import type { ClaimRef } from '../claim/claimed.ts';
import { type Candidate, delayOf, followUp, type Pack } from '../pack.ts';
import { addSkips, type Skip } from '../skip.store.ts';
import { MOST_AT_ONCE, type Needs } from './needs.ts';

type Why = Pick<batchStore.Head, 'reason' | 'retry_after'>;

export const sendOf = ({ hash, claim }: ClaimRef): manifest.Send => ({
  hash,
  seq: claim.seq,
  combination: claim.combination,
});

/** Releases claims by inserting their batch as released: a process that would still post them cannot insert it. */
export async function releaseBatch(
  needs: Needs,
  { pack, batch, claims }: { pack: Pack; batch: string; claims: ClaimRef[] },
  why: Why,
): Promise<void> {
  const { list: list_id, automation: automation_id } = batchId.parseBatchId(batch);
  const head = { batch, list_id, automation_id, at: needs.now().toISOString(), size: claims.length, ...why };
  const sends = claims.map(sendOf);
  // If another process inserted it first, the recheck of that process finds claims that it missed.
  const isFirst = await batchStore.insert(needs.table, pack.organization, 'given up', head, sends);
  if (isFirst) await finishRelease(needs, pack, head, sends);
}

/** Skips or requeues the people of the released sends of a batch. A repetition queues the same pack: a redelivery. */
export async function finishRelease(
  needs: Needs,
  pack: Pack,
  { batch, reason, retry_after }: Pick<batchStore.Head, 'batch' | 'reason' | 'retry_after'>,
  released: recipientKey.ClaimKey[],
): Promise<void> {
  if (reason) await storeSkips(needs, pack, skipsOfReleased(pack, batch, released, reason));
  if (retry_after === undefined) await releaseClaims(needs, pack, released);
  else await requeueAndRelease(needs, pack, batch, released, retry_after);
  await batchStore.markRequeued(needs.table, pack.organization, batch);
}

/** Stores skips. For the pack of a resend it also drops the request, so that a user may ask for another one. */
export async function storeSkips(needs: Needs, pack: Pack, skips: Skip[]): Promise<void> {
  await addSkips(needs.table, pack, skips);
  await dropResends(needs, pack, skips);
}

/** Drops the request of a skipped resend. A repetition changes nothing. */
export async function dropResends({ table }: Needs, pack: Pack, skips: Skip[]): Promise<void> {
  if (!pack.resend) return;
  const { organization } = pack;
  for (const { hash } of skips) {
    await sent.dropResend(table, { organization, hash }, pack.resend.seq, pack.resend.request);
  }
}

function skipsOfReleased(
  pack: Pack,
  batch: string,
  released: recipientKey.ClaimKey[],
  reason: Skip['reason'],
): Skip[] {
  const { list, automation } = batchId.parseBatchId(batch);
  const source = pack.sources.findIndex(one => one.list === list && one.automation === automation);
  return released.map(({ hash }) => ({ hash, source, reason }));
}

/** Queues the people before it releases their claims: a process that dies in between loses nobody. */
export async function requeueAndRelease(
  needs: Needs,
  pack: Pack,
  batch: string,
  claims: recipientKey.ClaimKey[],
  seconds = 0,
): Promise<void> {
  const { automation } = batchId.parseBatchId(batch);
  const owed = new Set(claims.map(({ hash }) => owedTo(hash, automation)));
  await requeue(needs, pack, candidatesOwed(pack, owed), { seconds, releasing: batch });
  await releaseClaims(needs, pack, claims);
}

export const releaseClaims = (
  { table }: Needs,
  { organization }: Pick<Pack, 'organization'>,
  claims: recipientKey.ClaimKey[],
) =>
  inParallel(claims, MOST_AT_ONCE, ({ hash, seq }) =>
    claimStore.releaseClaim(table, { organization, hash }, seq),
  );

/** Names what an automation owes a person in the minute of a pack, whichever list it is for. */
export const owedTo = (hash: string, automation: string) => `${hash}#${automation}`;

/**
 * The people of a pack with those of their dues that are owed, for all lists: if one list does not owe the email any more,
 * another may.
 */
export const candidatesOwed = (pack: Pack, owed: Set<string>): Candidate[] =>
  candidatesWith(pack, (source, hash) => owed.has(owedTo(hash, pack.sources[source]?.automation ?? '')));

/** The people of a pack with their wanted dues; people without any are left out. */
export const candidatesWith = (
  pack: Pack,
  isWanted: (source: number, hash: string) => boolean,
): Candidate[] =>
  pack.people.flatMap(([hash, dues]): Candidate[] => {
    const kept = dues.filter(([source]) => isWanted(source, hash));
    return kept.length > 0 ? [[hash, kept]] : [];
  });

/** Queues some people of a pack again, as a pack of their own, with at least this delay in seconds. */
export async function requeue(
  { queue }: Needs,
  pack: Pack,
  people: Candidate[],
  { seconds = 0, releasing }: { seconds?: number; releasing?: string } = {},
): Promise<void> {
  if (people.length === 0) return;
  const next = followUp(pack, people, { releasing });
  await queue(next, delayOf(next, seconds));
}
