import type { Claim } from '#core/recipient/journal.ts';
import type { RecipientKey } from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';
import { type Batch, type Head, readTheseHeads, readTheseParts } from './batch.store.ts';
import { type Outcome, outcomeOf, settledOutcome } from './outcome.ts';

/** Reads the heads and the parts of some batches. Manifests are not read, as the callers have the claims already. */
export async function readAnswered(
  table: Table,
  organization: number,
  batches: string[],
): Promise<Pick<Batch, 'head' | 'parts'>[]> {
  const heads = await readTheseHeads(table, organization, [...new Set(batches)]);
  const mixed = heads.filter(({ state }) => state === 'mixed').map(({ batch }) => batch);
  const parts = await readTheseParts(table, organization, mixed);
  return heads.map((head: Head) => ({ head, parts: parts.get(head.batch) ?? {} }));
}

type Claimed = Pick<Claim, 'seq' | 'batch' | 'outcome'>;

/**
 * The outcomes of a person's claims, with the heads of their batches, by the number of the claim. Claims that are not posted
 * yet, or that were released, are missing.
 */
export async function readOutcomes(
  { table, now }: { table: Table; now: Date },
  { organization, hash }: RecipientKey,
  claims: Claimed[],
): Promise<Map<number, Outcome & { head: Head }>> {
  const answered = await readAnswered(
    table,
    organization,
    claims.map(({ batch }) => batch),
  );
  const byBatch = new Map(answered.map(one => [one.head.batch, one]));
  return new Map(
    claims.flatMap((claim): [number, Outcome & { head: Head }][] => {
      const batch = byBatch.get(claim.batch);
      const outcome = batch && settledOutcome(outcomeOf(batch, { hash, seq: claim.seq }, now), claim);
      return outcome ? [[claim.seq, { ...outcome, head: batch.head }]] : [];
    }),
  );
}
