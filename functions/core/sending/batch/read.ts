import type { Claim, RecipientKey } from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import { type Batch, type Head, readTheseHeads, readTheseParts } from './batch.store.ts';
import { type Outcome, outcomeOf, settledOutcome } from './outcome.ts';

/** The states of some batches and their sends, without the manifests, which callers with the claims do not need. */
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

/** What became of claims of a person, and the heads of their batches, by number: without those that are not posted yet. */
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
