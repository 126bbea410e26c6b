import { beforeEach, describe, expect, it } from 'vitest';
import * as organization from '#core/organization/organization.ts';
import { markClaim, storeOutcome } from '#core/recipient/claim.ts';
import type { Claim, Marks } from '#core/recipient/journal.ts';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { bucketOf, countsIn } from '#core/sending/rollup.ts';
import { project } from '#core/storage/projection.ts';
import { batchWrite, type Item, queryPartition, type Table } from '#core/storage/table.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { purgesOf } from '#test/support/purge.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable();
const written = streamOf(table);
const now = new Date('2030-02-01T00:00:10Z');
const AT = '2030-01-31T23:58:00.000Z';
const COMBINATION = '0123456789ab';
const BATCH = '2030-01-31T23:58#abcdefghijkl#0123456789ab.abcdefghijkl';

let owner: string;
let id: number;
let seq = 0;
beforeEach(async () => {
  const user = await newUser(table, now);
  owner = user.id;
  id = (await organization.create({ table, now }, owner, 'Post office')).id;
  await written();
});

const key = () => keyOf(id, 'ann@example.com');
async function claim(fields: Partial<Claim> = {}): Promise<number> {
  const stored = { seq: ++seq, type: 'send', at: AT, combination: COMBINATION, batch: BATCH, ...fields };
  const PK = `R#${id}#${key().hash}`;
  await batchWrite(table, { puts: [{ PK, SK: `J#${9_999_999_999 - seq}`, ...stored }] });
  return seq;
}
const mark = (seq: number, as: keyof Marks) => markClaim(table, key(), { seq, as, at: now.toISOString() });
const rollupKey = () => ({ PK: `ORG#${id}#REPORT`, SK: `2030-01-31#${bucketOf(COMBINATION)}` });
const rollup = (counts: Item = { [`s${COMBINATION}`]: 1 }) =>
  batchWrite(table, { puts: [{ ...rollupKey(), ...counts }] });
const reported = async () =>
  (await queryPartition(table, `ORG#${id}#REPORT`)).map(item => {
    const { day, counts } = countsIn(item);
    return [[day, counts.get(COMBINATION)]];
  });

async function records() {
  const [one, ...others] = (await written()).filter(({ records }) => records.length > 0);
  expect(others).toEqual([]);
  return {
    shard: `${one?.shard} of ${id}`,
    contributions: (one?.records ?? []).map(record => contributionOf(record)),
  };
}
const count = ({ shard, contributions }: Awaited<ReturnType<typeof records>>, on: Table = table) =>
  project({ ...projecting, table: on, now }, shard, contributions);

describe('what happens to an email', () => {
  it.each<[keyof Marks, string | undefined]>([
    ['opened_at', 'opened'],
    ['first_clicked_at', 'clicked'],
    ['unsub_clicked_at', 'unsub_clicked'],
    ['unsubscribed_at', 'unsubscribed'],
    ['bounced_at', 'bounced'],
    ['complained_at', 'complained'],
    ['machine_opened_at', 'machine_opened'],
    ['machine_clicked_at', undefined],
    ['delivered_at', undefined],
  ])('is counted once on the day of the email: %s as %s', async (as, counted) => {
    await rollup();
    const email = await claim();
    expect(await mark(email, as)).toBe(true);
    expect(await mark(email, as)).toBe(false);
    const once = await records();
    await count(once);
    await count(once);
    expect(await reported()).toEqual([[['2030-01-31', { sent: 1, ...(counted && { [counted]: 1 }) }]]]);
  });

  it('is counted for itself, whatever had happened before', async () => {
    const email = await claim({ opened_at: AT });
    await mark(email, 'first_clicked_at');
    await mark(email, 'unsub_clicked_at');
    await count(await records());
    expect(await reported()).toEqual([[['2030-01-31', { clicked: 1, unsub_clicked: 1 }]]]);
  });

  it('is not counted of a claim that is released, or inserted with it', async () => {
    await mark(await claim({ released: true }), 'opened_at');
    await claim({ opened_at: AT });
    await count(await records());
    expect(await reported()).toEqual([]);
  });

  it.each(['before', 'after'] as const)('counts once where the projector dies %s its write', async how => {
    await mark(await claim(), 'opened_at');
    const opened = await records();
    // The rollup is missing, so the first write fails.
    for (const at of [1, 2]) {
      await expect(count(opened, crashing(table, { at, how }))).rejects.toThrow(Crashed);
    }
    await count(opened);
    expect(await reported()).toEqual([[['2030-01-31', { opened: 1 }]]]);
  });

  it('is counted without a look at the organization where the rollup exists', async () => {
    await rollup();
    const emails = await Promise.all([claim(), claim()]);
    for (const email of emails) await mark(email, 'opened_at');
    const items: number[] = [];
    const meter = intercepted(table, (send, { input }) => {
      const { TransactItems } = input as { TransactItems?: object[] };
      if (TransactItems) items.push(TransactItems.length);
      return send();
    });
    await count(await records(), meter);
    expect(items).toEqual([2]);
  });
});

it('a batch of a thousand combinations, half of them before midnight, is counted as a whole', async () => {
  const half = (from: number) =>
    Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [(from + at).toString(36).padStart(12, '0'), 1]),
    );
  const head = { PK: `ORG#${id}#LOG`, SK: '2030-01-31T23:59#pack#list.automation', type: 'batch' };
  await batchWrite(table, { puts: [{ ...head, state: 'posting' }] });
  const counts = { '2030-01-31': half(0), '2030-02-01': half(500) };
  await batchWrite(table, { puts: [{ ...head, state: 'sent', counts }] });
  await count(await records());
  const days = (await queryPartition(table, `ORG#${id}#REPORT`)).map(countsIn);
  const sentOn = (day: string) =>
    days.filter(one => one.day === day).flatMap(one => [...one.counts.values()].map(({ sent }) => sent));
  expect(sentOn('2030-01-31')).toEqual(Array(500).fill(1));
  expect(sentOn('2030-02-01')).toEqual(Array(500).fill(1));
});

describe('an unknown email that is settled as failed', () => {
  const settled = async () => {
    const seq = await claim();
    await storeOutcome(table, key(), { seq, outcome: 'failed', as: 'rejected_at', at: AT });
    return records();
  };
  const listed = () => queryPartition(table, `ORG#${id}#LOG#failed`);

  it('is listed once, however often its record is delivered', async () => {
    const record = await settled();
    await count(record);
    await count(record);
    expect(await listed()).toEqual([{ PK: `ORG#${id}#LOG#failed`, SK: BATCH, size: 1 }]);
  });

  it('is not listed of a deleted organization', async () => {
    const record = await settled();
    await organization.remove({ table, now }, await actingIn(table, owner, id));
    await count(record);
    expect(await listed()).toEqual([]);
  });
});

describe('a deleted organization gets no rollup again', () => {
  const remove = async () => organization.remove({ table, now }, await actingIn(table, owner, id));
  const { purged } = purgesOf(table);

  it('of a record that is counted before its purge, after it, or while it goes on', async () => {
    await rollup();
    const email = await claim();
    await mark(email, 'opened_at');
    const opened = await records();
    await mark(email, 'first_clicked_at');
    const clicked = await records();
    await remove();
    // What exists is counted: the purge is still to come.
    await count(opened);
    expect(await reported()).toEqual([[['2030-01-31', { sent: 1, opened: 1 }]]]);
    await batchWrite(table, { deletes: [rollupKey()] });
    await count(clicked);
    expect(await reported()).toEqual([]);
    await purged({ organization_id: id }, now);
    const later = { ...clicked, shard: 'another shard' };
    await count(later);
    expect(await reported()).toEqual([]);
  });

  it('where it is deleted just before the rollup would be created', async () => {
    await mark(await claim(), 'opened_at');
    let transactions = 0;
    const meanwhile = intercepted(table, async (send, { constructor: { name } }) => {
      if (name === 'TransactWriteCommand' && ++transactions === 2) await remove();
      return send();
    });
    await count(await records(), meanwhile);
    expect(transactions).toBe(3);
    expect(await reported()).toEqual([]);
  });

  it('where the rollup is purged just before it would be counted', async () => {
    await rollup();
    await mark(await claim(), 'opened_at');
    const opened = await records();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', async () => {
      await remove();
      await purged({ organization_id: id }, now);
    });
    await count(opened, meanwhile);
    expect(await reported()).toEqual([]);
  });
});
