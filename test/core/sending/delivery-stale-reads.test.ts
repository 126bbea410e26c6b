import { describe, expect, it } from 'vitest';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import {
  ANN,
  deliveries,
  HOUR,
  MINUTE,
  mailed,
  type Sender,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { throttled } from '#test/support/sending.ts';

const { table, ready, states, reasons, changeMember } = deliveries();

const PRO = { audience: { all: [{ field: 'plan', op: 'is', value: 'pro' }] } };

it('who does not match the conditions is read once more and left out without a write, until they match', async () => {
  const BOB = 'bob@example.com';
  const { sender, readers } = await ready([ANN, BOB], PRO);
  const change = (email: string, plan: string) =>
    changeMember(sender, readers, { metadata: { plan } }, { email });
  await change(ANN, 'pro');
  const of = (email: string) => queryPartition(table, `R#${sender.organization}#${hashOf(email)}`);
  const rows = () => queryPartition(table, `TRG#${readers.id}#trial_ends`);
  const [before, rowsBefore, pack] = [await of(BOB), await rows(), await sweptPack(sender)];
  const reads: string[] = [];
  const on = intercepted(table, async (send, { constructor: { name }, input }) => {
    const { ConsistentRead, ExpressionAttributeValues: values } = input as {
      ConsistentRead?: boolean;
      ExpressionAttributeValues?: { ':pk'?: string };
    };
    if (name === 'QueryCommand' && values?.[':pk']?.startsWith('R#'))
      reads.push(`${values[':pk'].endsWith(hashOf(ANN)) ? ANN : BOB} ${ConsistentRead}`);
    return send();
  });
  await deliver({ ...sender.needs, table: on }, pack);
  expect(reads.sort()).toEqual([`${ANN} false`, `${BOB} false`, `${BOB} true`]);
  expect(sender.mailedTo()).toEqual([ANN]);
  expect(await reasons(sender)).toEqual([]);
  expect(await of(BOB)).toEqual(before);
  expect(await rows()).toEqual(rowsBefore);
  await change(ANN, 'free');
  await change(BOB, 'pro');
  await deliver(sender.needs, await sweptPack(sender, 7 * 24 * HOUR + 3 * MINUTE));
  expect(sender.mailedTo()).toEqual([ANN, BOB]);
});

describe('Who is read as they were a moment ago', () => {
  const partition = ({ organization }: Sender) => `R#${organization}#${hashOf(ANN)}`;
  const stored = async (sender: Sender) =>
    (await queryPartition(table, partition(sender))).filter(({ SK }) => String(SK) < 'K');

  /** The table whose eventually consistent reads have not seen what was written since. */
  async function lagging(sender: Sender) {
    const Items = await stored(sender);
    return intercepted(table, async (send, { constructor: { name }, input }) => {
      const { ConsistentRead, ExpressionAttributeValues: values } = input as {
        ConsistentRead?: boolean;
        ExpressionAttributeValues?: { ':pk'?: string };
      };
      const isStale = name === 'QueryCommand' && !ConsistentRead && values?.[':pk'] === partition(sender);
      return isStale ? { Items } : send();
    });
  }

  it('is not passed over as not due, by a date that they do not have any more', async () => {
    const { sender, readers } = await ready();
    const dated = (trial_ends: string) => changeMember(sender, readers, { metadata: { trial_ends } });
    await dated('2029-12-30T11:00:20Z');
    const on = await lagging(sender);
    await dated('2029-12-30T10:00:20Z');
    const pack = await sweptPack(sender);
    await deliver({ ...sender.needs, table: on }, pack);
    expect(await reasons(sender)).toEqual([]);
    expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  });

  it('is not left out by conditions that they match by now', async () => {
    const { sender, readers } = await ready([ANN], PRO);
    await changeMember(sender, readers, { metadata: { plan: 'free' } });
    const on = await lagging(sender);
    await changeMember(sender, readers, { metadata: { plan: 'pro' } });
    await deliver({ ...sender.needs, table: on }, await sweptPack(sender));
    expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  });

  it('is not passed over as superseded, by a date that they do not have any more', async () => {
    const schedule = { triple_send_first: true, double_send_second: true };
    const { sender, readers } = await ready(['ann@example.com'], schedule);
    await sender.run(timeAfter(5 * MINUTE));
    const pack = await sweptPack(sender, 6 * HOUR + 3 * MINUTE);
    const on = await lagging(sender);
    // A week earlier: the first email becomes the second one, which has no third copy.
    await changeMember(sender, readers, { metadata: { trial_ends: '2029-12-23T10:00:20Z' } });
    sender.at(timeAfter(12 * HOUR + 5 * MINUTE));
    await deliver({ ...sender.needs, table: on }, pack);
    expect(await reasons(sender)).toEqual([]);
    expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com', '01-01T22:03 ann@example.com']);
  });

  it('is not passed over for a claim that is released by now', async () => {
    const { sender } = await ready();
    const { post } = sender.needs.providers.mailgun;
    let on: Table = table;
    sender.needs.providers.mailgun.post = async (...call) => {
      on = await lagging(sender);
      return post(...call);
    };
    sender.answers(throttled(60));
    await sender.run(timeAfter(3 * MINUTE));
    sender.needs.providers.mailgun.post = post;
    sender.at(timeAfter(10 * MINUTE));
    for (const { pack } of sender.queue.splice(0)) await deliver({ ...sender.needs, table: on }, pack);
    expect(sender.mails()).toHaveLength(2);
    expect((await states(sender)).sort()).toEqual(['released', 'sent']);
  });
});
