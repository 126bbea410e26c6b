import * as claims from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { end, readBatch } from './batch.store.ts';
import { isBeingPosted, outcomeOf } from './outcome.ts';
import { readAnswered } from './read.ts';

type Needs = { table: Table; now: Date };

/** What an event of the provider proves about an email whose outcome is unknown. */
type Proof = 'delivered' | 'rejected';

const MARKS = { delivered: 'delivered_at', rejected: 'rejected_at' } as const satisfies Record<
  Proof,
  keyof journal.Marks
>;
const OUTCOMES = { delivered: 'sent', rejected: 'failed' } as const;

/**
 * Stores what an event of the provider proves about an email whose outcome is unknown. While its batch is being posted, the
 * event is kept in the claim; `applyEarlyEvents` applies it when the batch has ended. Returns false if the email was not
 * sent.
 */
export const applyProviderEvent = (
  needs: Needs,
  key: recipientKey.RecipientKey,
  { batch, seq }: Pick<journal.Claim, 'batch' | 'seq'>,
  proof: Proof,
): Promise<boolean> =>
  optimistically({
    read: async () => {
      // The batch is read before the claim: if it is still being posted, the process that ends it will see the mark stored below.
      const [answered] = await readAnswered(needs.table, key.organization, [batch]);
      return { answered, claim: await claims.readClaim(needs.table, key, seq) };
    },
    write: async ({ answered, claim }) => {
      if (!answered || !claim) return false;
      const { head } = answered;
      const mark = { seq, as: MARKS[proof], at: needs.now.toISOString() };
      if (isBeingPosted(head, needs.now)) {
        if (claim[mark.as]) return true;
        await claims.markClaim(needs.table, key, mark);
        // The batch may have ended before the mark was stored, so it is read again.
        return undefined;
      }
      if (head.state === 'posting') {
        await end(needs.table, key.organization, head, { event: 'orphaned' });
        return undefined;
      }
      const outcome = outcomeOf(answered, { hash: key.hash, seq }, needs.now);
      if (outcome?.status !== 'unknown') return outcome?.status === 'sent';
      await claims.storeOutcome(needs.table, key, { ...mark, outcome: OUTCOMES[proof] });
      return true;
    },
    conflict: 'Other events of this batch are being stored. Please try again.',
  });

/** Applies the events that arrived while the batch was being posted, once it has ended. */
export async function applyEarlyEvents(
  { table, now }: Needs,
  organization: number,
  batch: string,
): Promise<void> {
  const found = await readBatch(table, organization, batch);
  if (!found) return;
  const open = found.sends.filter(send => outcomeOf(found, send, now)?.status === 'unknown');
  const emails = open.map(({ hash, seq }) => ({ key: { organization, hash }, seq }));
  for (const { hash, claim } of await claims.readClaims(table, emails)) {
    if (claim.outcome) continue;
    const proof = claim.delivered_at ? 'delivered' : claim.rejected_at ? 'rejected' : undefined;
    if (!proof) continue;
    const at = claim[MARKS[proof]] ?? now.toISOString();
    await claims.storeOutcome(
      table,
      { organization, hash },
      { seq: claim.seq, as: MARKS[proof], at, outcome: OUTCOMES[proof] },
    );
  }
}
