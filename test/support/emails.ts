import { countsIn } from '#core/counters/rollup.ts';
import { newId } from '#core/id.ts';
import type * as list from '#core/list/list.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as batches from '#core/sending/batch/batch.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import type { Follow } from './follow.ts';

const MINUTE = 60_000;

type Emailed = { email: string; key: recipient.RecipientKey; claim: recipient.Claim; send: string };

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
  const batch = batches.batchId({
    minute: minuteOf(at),
    pack: newId(),
    list: list_id,
    automation: automation_id,
  });
  const claims: Emailed[] = [];
  for (const email of emails) {
    const key = recipient.keyOf(organization, email);
    const { head, seq } = await recipient.read(table, key, list_id);
    const claim: recipient.Claim = {
      ...{ seq: seq + 1, type: 'send', at: at.toISOString(), list_id, automation_id },
      ...{ key: `${automation_id}#${at.toISOString().slice(0, 10)}#1`, batch, combination },
    };
    await recipient.writeClaim(table, key, claim, head ? undefined : { email });
    claims.push({ email, key, claim, send: recipient.sendId(key, claim.seq) });
  }
  const head = { batch, at: at.toISOString(), list_id, automation_id, size: emails.length };
  const sends = claims.map(({ key, claim }) => ({ hash: key.hash, seq: claim.seq, combination }));
  await batches.insert(table, organization, 'begun', head, sends);
  const counts = (sent: number) => ({ counts: { [head.at.slice(0, 10)]: { [combination]: sent } } });
  return {
    ...{ claims, head, sends, combination },
    /** Stores an outcome for all emails, as the sender does. */
    end: (happening: batches.BatchEvent) =>
      batches.end(table, organization, head, {
        event: happening,
        ...(happening === 'accepted' && { ending: counts(sends.length) }),
      }),
    /** Stores different outcomes: this many emails were sent, the others are in `parts`. */
    endMixed: (parts: Parameters<typeof batches.end>[3]['parts'], sent: number) =>
      batches.end(table, organization, head, { event: 'answered differently', ending: counts(sent), parts }),
    /** The number of emails that are counted as sent. */
    counted: async () => {
      await follow(at);
      return (await queryPartition(table, `ORG#${organization}#REPORT`))
        .map(item => countsIn(item).counts.get(combination)?.sent ?? 0)
        .reduce((sum, sent) => sum + sent, 0);
    },
    /** The outcomes in the log, some time later. */
    outcomes: async () => {
      const then = new Date(at.getTime() + 10 * MINUTE);
      const [answered] = await batches.readAnswered(table, organization, [batch]);
      if (!answered) throw new Error('The batch is gone');
      const read = claims.map(({ key, claim }) => recipient.readClaim(table, key, claim.seq));
      const now = await Promise.all(read);
      return sends.map((send, place) => {
        const outcome = batches.outcomeOf(answered, send, then);
        return batches.settledOutcome(outcome, now[place])?.status;
      });
    },
  };
}
