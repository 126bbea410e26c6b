import { newId } from '#core/id.ts';
import type * as list from '#core/list/list.ts';
import * as claimStore from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as batchStore from '#core/sending/batch/batch.store.ts';
import * as outcomeStore from '#core/sending/batch/outcome.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { countsIn } from '#core/sending/rollup.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import type { Follow } from './follow.ts';

const MINUTE = 60_000;

type Emailed = { email: string; key: recipientKey.RecipientKey; claim: journal.Claim; send: string };

/** A stored batch with an email to each of these addresses, as a sender stores it before it posts; returns the claims. */
export async function newBatch(
  table: Table,
  of: list.CountedList,
  emails: string[],
  at: Date,
  follow: Follow,
) {
  const { organization_id: organization, id: list_id } = of;
  const [automation_id, combination] = [newId(), newId()];
  const batch = batchStore.batchId({
    minute: minuteOf(at),
    pack: newId(),
    list: list_id,
    automation: automation_id,
  });
  const claims: Emailed[] = [];
  for (const email of emails) {
    const key = recipientKey.keyOf(organization, email);
    const { head, seq } = await recipientStore.read(table, key, list_id);
    const claim: journal.Claim = {
      seq: seq + 1,
      type: 'send',
      at: at.toISOString(),
      list_id,
      automation_id,
      key: `${automation_id}#${at.toISOString().slice(0, 10)}#1`,
      batch,
      combination,
    };
    await claimStore.writeClaim(table, key, claim, head ? undefined : { email });
    claims.push({ email, key, claim, send: recipientKey.sendId(key, claim.seq) });
  }
  const head = { batch, at: at.toISOString(), list_id, automation_id, size: emails.length };
  const sends = claims.map(({ key, claim }) => ({ hash: key.hash, seq: claim.seq, combination }));
  await batchStore.insert(table, organization, 'begun', head, sends);
  const counts = (sent: number) => ({ counts: { [head.at.slice(0, 10)]: { [combination]: sent } } });
  return {
    claims,
    head,
    sends,
    combination,
    end: (happening: batchStore.BatchEvent) =>
      batchStore.end(table, organization, head, {
        event: happening,
        ...(happening === 'accepted' && { ending: counts(sends.length) }),
      }),
    /** Stores different outcomes: this many emails were sent, the others are in `parts`. */
    endMixed: (parts: Parameters<typeof batchStore.end>[3]['parts'], sent: number) =>
      batchStore.end(table, organization, head, {
        event: 'answered differently',
        ending: counts(sent),
        parts,
      }),
    counted: async () => {
      await follow(at);
      return (await queryPartition(table, `ORG#${organization}#REPORT`))
        .map(item => countsIn(item).counts.get(combination)?.sent ?? 0)
        .reduce((sum, sent) => sum + sent, 0);
    },
    outcomes: async () => {
      const then = new Date(at.getTime() + 10 * MINUTE);
      const [answered] = await outcomeStore.readAnswered(table, organization, [batch]);
      if (!answered) throw new Error('The batch is gone');
      const read = claims.map(({ key, claim }) => claimStore.readClaim(table, key, claim.seq));
      const now = await Promise.all(read);
      return sends.map((send, place) => {
        const outcome = outcomeStore.outcomeOf(answered, send, then);
        return outcomeStore.settledOutcome(outcome, now[place])?.status;
      });
    },
  };
}
