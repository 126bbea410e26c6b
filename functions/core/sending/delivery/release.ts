import { stop } from '#core/automation/broadcast.store.ts';
import { isBroadcast } from '#core/id.ts';
import type * as list from '#core/list/sending-key.ts';
import { inParallel } from '#core/parallel.ts';
import type { Providers } from '#core/provider.ts';
import * as sent from '#core/recipient/claim.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';
import { RECHECK } from '#core/timeouts.ts';
import { SECOND } from '#shared/time.ts';
import * as batchStore from '../batch/batch.store.ts';
import type { ClaimRef } from '../claim/claim.ts';
import type { MailboxOf } from '../mailbox.ts';
import { type Candidate, candidatesWith, delayOf, followUp, type Pack } from '../pack.ts';
import { addSkips, type Skip } from '../skip.store.ts';

export const MOST_AT_ONCE = 20;

export type Needs = {
  table: Table;
  now: () => Date;
  /** A unique name of this process. */
  holder: string;
  /** Milliseconds until this process is killed. */
  timeLeft: () => number;
  providers: Providers;
  vault: Pick<list.Vault, 'open'>;
  /** Queues a pack with a delay in seconds. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
  publicUrl: string;
  /** Signs the links of emails. */
  trackingKey: () => Promise<string>;
  /** Without it, emails are not counted by mailbox provider. */
  mailboxOf?: MailboxOf;
  /** Reports a failure that is retried. */
  failed: (what: string, error: unknown) => void;
};

type Why = Pick<batchStore.Head, 'reason' | 'retry_after'>;

/** A process that would still post these claims cannot insert their batch, as it is inserted as released. */
export async function releaseBatch(
  needs: Needs,
  { pack, batch, claims }: { pack: Pack; batch: string; claims: ClaimRef[] },
  why: Why,
): Promise<void> {
  const { list: list_id, automation: automation_id } = batchStore.parseBatchId(batch);
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

/**
 * Stores skips. For the pack of a resend it also drops the request, so that a user may ask for another one. A broadcast that
 * cannot go on is stopped first: who stops it may die, and what is skipped is not decided again.
 */
export async function storeSkips(needs: Needs, pack: Pack, skips: Skip[]): Promise<void> {
  const reasons = new Map(skips.map(({ source, reason }) => [`${source} ${reason}`, { source, reason }]));
  for (const { source, reason } of reasons.values()) {
    const { automation = '' } = pack.sources[source] ?? {};
    if (pack.resend || !isBroadcast(automation)) continue;
    await stop({ table: needs.table, now: needs.now() }, pack.organization, automation, reason);
  }
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
  const { list, automation } = batchStore.parseBatchId(batch);
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
  const { automation } = batchStore.parseBatchId(batch);
  const owed = new Set(claims.map(({ hash }) => owedTo(hash, automation)));
  await requeue(needs, pack, candidatesOwed(pack, owed), { seconds, releasing: batch });
  await releaseClaims(needs, pack, claims);
}

export const releaseClaims = (
  { table }: Needs,
  { organization }: Pick<Pack, 'organization'>,
  claims: recipientKey.ClaimKey[],
) =>
  inParallel(claims, MOST_AT_ONCE, ({ hash, seq }) => sent.releaseClaim(table, { organization, hash }, seq));

export const sendOf = ({ hash, claim: { seq, combination } }: ClaimRef): batchStore.Send => ({
  hash,
  seq,
  combination,
});

/** For all lists: if one list does not owe the email any more, another may. */
export const candidatesOwed = (pack: Pack, owed: Set<string>): Candidate[] =>
  candidatesWith(pack, (source, hash) => owed.has(owedTo(hash, pack.sources[source]?.automation ?? '')));

/** Whichever list it is for. */
export const owedTo = (hash: string, automation: string) => `${hash}#${automation}`;

/** As a pack of their own, with at least this delay in seconds. */
export async function requeue(
  { queue }: Needs,
  pack: Pack,
  people: Candidate[],
  { seconds = 0, ...as }: { seconds?: number } & Parameters<typeof followUp>[2] = {},
): Promise<void> {
  if (people.length === 0) return;
  const next = followUp(pack, people, as);
  await queue(next, delayOf(next, seconds));
}

/** A process whose lease has ended may only have been suspended, and still store a claim. */
export const queueRecheck = ({ queue }: Needs, pack: Pack) =>
  queue({ ...pack, isRecheck: true }, RECHECK / SECOND);
