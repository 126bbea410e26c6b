import { newId } from '../../functions/core/id.ts';
import type * as list from '../../functions/core/list/list/list.ts';
import * as recipient from '../../functions/core/recipient/recipient/recipient.ts';
import { countsIn } from '../../functions/core/reporting/rollup/rollup.ts';
import * as batches from '../../functions/core/sending/batch/batch.ts';
import { minuteOf } from '../../functions/core/sending/pack/pack.ts';
import { queryPartition, type Table } from '../../functions/core/storage/table.store.ts';

const MINUTE = 60_000;

/** A batch with an email to each of these addresses, as a sender stores it before it posts; the claims of the emails. */
export async function newBatch(table: Table, of: list.Found, emails: string[], at: Date) {
  const { organization_id: organization, id: list_id } = of;
  const [automation_id, combination] = [newId(), newId()];
  const batch = `${minuteOf(at)}#${newId()}#${list_id}.${automation_id}.${combination}`;
  const claims = [];
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
  const head: batches.Head = {
    ...{ batch, state: 'posting', at: at.toISOString(), list_id, automation_id, combination },
    ...{ size: emails.length, sent: 0 },
  };
  const sends = claims.map(({ key, claim }) => ({ hash: key.hash, seq: claim.seq }));
  await batches.begin(table, organization, head, sends);
  const dated = sends.map(send => ({ ...send, day: head.at.slice(0, 10) }));
  return {
    ...{ claims, head, sends },
    /** The sender stores that so many of the emails were sent, and nothing of the others but how they ended. */
    end: (ending: batches.Ending, sent = sends.length) =>
      batches.end(table, organization, head, ending, dated.slice(0, sent)),
    /** What is counted as sent. */
    counted: async () =>
      (await queryPartition(table, `ORG#${organization}#REPORT`))
        .filter(({ SK }) => String(SK).endsWith(`#${combination}`))
        .flatMap(item => [...countsIn(item).values()])
        .reduce((sum, { sent = 0 }) => sum + sent, 0),
    /** What the log shows, some time later. */
    outcomes: async () => {
      const stored = (await batches.readHead(table, organization, batch)) as batches.Head;
      const then = new Date(at.getTime() + 10 * MINUTE);
      return batches.outcomesOf(stored, sends, then).map(({ status }) => status);
    },
  };
}
