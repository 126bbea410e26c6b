import { add, type Sums } from '#core/operations/rebuild.ts';
import { type Claim, entryKey, type Marks } from '#core/recipient/journal.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import * as batchStore from '#core/sending/batch/batch.store.ts';
import * as rollup from '#core/sending/sending.counters.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';

export type WrittenSend = {
  to: string;
  seq: number;
  combination: string;
  at: string;
  marks?: Partial<Marks>;
  outcome?: 'sent' | 'failed';
};
export type WrittenBatch = {
  minute: string;
  pack: string;
  list: string;
  automation: string;
  at: string;
  end: 'sent' | 'failed' | 'unknown';
  sends: WrittenSend[];
  /** Leaves out the claims, if nothing reads them. */
  bare?: true;
};

/** Writes a log as the sender would, and the counts that the projector would make. */
export async function writeLog(table: Table, organization: number, all: WrittenBatch[]): Promise<void> {
  const sums: Sums = new Map();
  for (const one of all) {
    const { list: list_id, automation: automation_id, sends, end, at } = one;
    const batch = batchStore.batchId(one);
    const claims = sends.map(({ to, seq, combination, at, marks, outcome }): [string, Claim] => [
      hashOf(to),
      {
        seq,
        type: 'send',
        at,
        list_id,
        automation_id,
        key: `${automation_id}#${at}`,
        batch,
        combination,
        ...(outcome && { outcome }),
        ...marks,
      },
    ]);
    if (!one.bare) {
      const puts = claims.map(([hash, claim]) => ({
        ...entryKey({ organization, hash }, claim.seq),
        ...claim,
      }));
      await batchWrite(table, { puts });
    }
    const head = { batch, at, list_id, automation_id, size: sends.length };
    const named = claims.map(([hash, { seq, combination }]) => ({ hash, seq, combination }));
    await batchStore.insert(table, organization, 'begun', head, named);
    const counts: batchStore.SentCounts = {};
    for (const [, { at, combination }] of claims) {
      const day = at.slice(0, 10);
      counts[day] = { ...counts[day], [combination]: (counts[day]?.[combination] ?? 0) + 1 };
    }
    const happening = { sent: 'accepted', failed: 'refused', unknown: 'unknown' } as const;
    await batchStore.end(table, organization, head, {
      event: happening[end],
      ...(end === 'sent' && { ending: { counts } }),
    });
    if (end === 'sent')
      add(
        sums,
        rollup.batchCounters({
          organization_id: organization,
          batch,
          at: head.at,
          provider: undefined,
          before: undefined,
          after: counts,
        }),
      );
    for (const [hash, claim] of claims) {
      const after = rollup.countedOf(hash, claim);
      const { outcome: _, ...before } = { ...after, marks: [] };
      add(sums, rollup.claimCounters({ organization_id: organization, before, after }));
    }
  }
  // Settled outcomes are added to the entries that the batches have put.
  const listed = [...sums.values()].filter(({ key }) => /#LOG#(failed|unknown)$/.test(key.PK));
  const others = [...sums.values()].filter(one => !listed.includes(one));
  await batchWrite(table, { puts: others.map(({ key, numbers }) => ({ ...key, ...numbers })) });
  for (const { key, numbers } of listed) await updateItem(table, key, { add: numbers });
}

/** A table that sums the read units of the requests through it. */
export function metered(table: Table) {
  const used = { units: 0, requests: 0 };
  type Command = { input: { ReturnConsumedCapacity?: string } };
  type Consumed = { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] };
  const client = {
    send: async (command: Command) => {
      command.input.ReturnConsumedCapacity = 'TOTAL';
      const answer = (await table.client.send(command as never)) as Consumed;
      used.requests++;
      for (const one of [answer.ConsumedCapacity ?? []].flat()) used.units += one.CapacityUnits ?? 0;
      return answer;
    },
  };
  return { table: { name: table.name, client } as unknown as Table, used };
}
