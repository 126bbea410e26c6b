import type { Claim } from '#core/recipient/journal.ts';
import { type ClaimKey, claimId, type RecipientKey } from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';
import { POSTING } from '#core/timeouts.ts';
import type { Reason, SendStatus } from '#shared/send-status.ts';
import { type Batch, type Head, readTheseHeads, readTheseParts } from './batch.store.ts';

export type Outcome = { status: Exclude<SendStatus, 'skipped'>; reason: Reason | null };

const SENT: Outcome = { status: 'sent', reason: null };
export const FAILED: Outcome = { status: 'failed', reason: 'refused' };
const UNKNOWN: Outcome = { status: 'unknown', reason: 'no_answer' };

/** What is stored in the claim of an unknown email once its outcome is proven. */
export const PROVEN = {
  delivered: { outcome: 'sent', as: 'delivered_at' },
  rejected: { outcome: 'failed', as: 'rejected_at' },
} as const;

type Answered = Pick<Batch, 'head' | 'parts'>;

export const isBeingPosted = ({ state, at }: Head, now: Date) =>
  state === 'posting' && now.getTime() - Date.parse(at) <= POSTING;

/** Undefined while the batch is being posted, and for a claim that it released. */
export function outcomeOf({ head, parts }: Answered, claim: ClaimKey, now: Date): Outcome | undefined {
  const isIn = (part: keyof Batch['parts']) => parts[part]?.has(claimId(claim)) ?? false;
  switch (head.state) {
    case 'sent':
      return SENT;
    case 'failed':
      return FAILED;
    case 'unknown':
      return UNKNOWN;
    case 'released':
      return undefined;
    case 'posting':
      return isBeingPosted(head, now) ? undefined : UNKNOWN;
    case 'mixed':
      return isIn('released') ? undefined : isIn('failed') ? FAILED : isIn('unknown') ? UNKNOWN : SENT;
  }
}

/** If its batch says unknown, a later event of the provider, which is stored in the claim, decides. */
export function settledOutcome(outcome: Outcome | undefined, claim: Pick<Claim, 'outcome'> | undefined) {
  if (outcome?.status !== 'unknown' || !claim?.outcome) return outcome;
  return claim.outcome === 'sent' ? SENT : FAILED;
}

/** The provider took it, and said later that it would not deliver it. Counts have it as sent. */
export const isUndelivered = (
  { status }: { status: SendStatus },
  claim: Pick<Claim, 'rejected_at' | 'delivered_at'> | undefined,
): boolean => status === 'sent' && claim?.rejected_at !== undefined && claim.delivered_at === undefined;

export const shownOutcome = <Shown extends { status: SendStatus }>(
  outcome: Shown,
  claim: Parameters<typeof isUndelivered>[1],
): Shown | Outcome => (isUndelivered(outcome, claim) ? FAILED : outcome);

/** Manifests are not read, as the callers have the claims already. */
export async function readAnswered(
  table: Table,
  organization: number,
  batches: string[],
): Promise<Answered[]> {
  const heads = await readTheseHeads(table, organization, [...new Set(batches)]);
  const mixed = heads.filter(({ state }) => state === 'mixed').map(({ batch }) => batch);
  const parts = await readTheseParts(table, organization, mixed);
  return heads.map(head => ({ head, parts: parts.get(head.batch) ?? {} }));
}

export type Settled = Outcome & { head: Head };

/** By the number of the claim. Claims that are not posted yet, or that were released, are missing. */
export async function readOutcomes(
  { table, now }: { table: Table; now: Date },
  { organization, hash }: RecipientKey,
  claims: Pick<Claim, 'seq' | 'batch' | 'outcome'>[],
): Promise<Map<number, Settled>> {
  const answered = await readAnswered(
    table,
    organization,
    claims.map(({ batch }) => batch),
  );
  const byBatch = new Map(answered.map(batch => [batch.head.batch, batch]));
  return new Map(
    claims.flatMap((claim): [number, Settled][] => {
      const batch = byBatch.get(claim.batch);
      const outcome = batch && settledOutcome(outcomeOf(batch, { hash, seq: claim.seq }, now), claim);
      return outcome ? [[claim.seq, { ...outcome, head: batch.head }]] : [];
    }),
  );
}
