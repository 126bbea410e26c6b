import * as recipient from '../../recipient/recipient/recipient.ts';
import { optimistically } from '../../storage/optimistic.ts';
import type { Table } from '../../storage/table.store.ts';
import { commit, held } from '../../storage/write.store.ts';
import {
  type Head,
  markUnknown,
  nameOf,
  type Proof,
  proofWrites,
  readHead,
  readManifest,
  type Send,
} from './batch.store.ts';
import { isBeingPosted, isOpen, mayBeSent } from './outcome.ts';

type Needs = { table: Table; now: Date };

const MARKS = { proven: 'delivered_at', rejected: 'rejected_at' } as const satisfies Record<
  Proof,
  keyof recipient.Marks
>;
const PROOFS = Object.keys(MARKS) as Proof[];

/**
 * What an event of the provider says of an email settles whether it was sent, where its batch does not know. While the
 * batch is being posted, the claim keeps it, and whoever ends the batch as unknown looks there. False where the email
 * was not sent.
 */
export const settle = (
  { table, now }: Needs,
  key: recipient.RecipientKey,
  { batch, seq }: Pick<recipient.Claim, 'batch' | 'seq'>,
  proof: Proof,
): Promise<boolean> =>
  optimistically({
    read: async () => {
      // The batch first: a mark that follows on this reading is then seen by whoever ends the batch.
      const head = await readHead(table, key.organization, batch);
      return { head, claim: await recipient.readClaim(table, key, seq) };
    },
    write: async ({ head, claim }) => {
      if (!head || !claim) return false;
      const send = { hash: key.hash, seq };
      const mark = MARKS[proof];
      if (isBeingPosted(head, now)) {
        if (claim[mark]) return true;
        await recipient.markClaim(table, key, { seq, as: mark, at: now.toISOString() });
        // It may have ended meanwhile.
        return undefined;
      }
      if (head.state === 'posting') {
        await markUnknown(table, key.organization, batch);
        return undefined;
      }
      if (!isOpen(head, send)) return mayBeSent(head, send);
      return prove({ table, now }, key.organization, head, { send, claim, proof });
    },
    conflict: 'Other events of this batch are being stored. Please try again.',
  });

type Proven = { send: Send; claim: recipient.Claim; proof: Proof };

/** True where the batch has the proof by now; undefined where something came in between. */
async function prove(
  { table, now }: Needs,
  organization: number,
  head: Head,
  { send, claim, proof }: Proven,
): Promise<true | undefined> {
  if (head[proof]?.has(nameOf(send))) return true;
  const [seq, mark] = [send.seq, MARKS[proof]];
  const key = { organization, hash: send.hash };
  const writes = [
    ...proofWrites(table, organization, head, { ...send, day: claim.at.slice(0, 10) }, proof),
    ...(claim[mark] ? [] : [recipient.markWrite(table, key, { seq, as: mark, at: now.toISOString() })]),
  ];
  return (await held(commit(table, writes))) || undefined;
}

/** Of a batch that has ended: settles the emails about which an event came while it was being posted. */
export async function settleKept(
  { table, now }: { table: Table; now: () => Date },
  organization: number,
  batch: string,
): Promise<void> {
  const head = await readHead(table, organization, batch);
  if (head?.state !== 'unknown' && head?.state !== 'mixed') return;
  const open = (await readManifest(table, organization, batch)).filter(send => isOpen(head, send));
  const emails = open.map(({ hash, seq }) => ({ key: { organization, hash }, seq }));
  for (const { hash, claim } of await recipient.readClaims(table, emails)) {
    const isKept = (proof: Proof) =>
      claim[MARKS[proof]] !== undefined && !head[proof]?.has(nameOf({ hash, seq: claim.seq }));
    for (const proof of PROOFS.filter(isKept)) {
      await settle({ table, now: now() }, { organization, hash }, claim, proof);
    }
  }
}
