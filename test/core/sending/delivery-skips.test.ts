import { expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { membershipKey } from '#core/recipient/membership.ts';
import { hashOf, keyOf } from '#core/recipient/recipient.key.ts';
import { erase } from '#core/recipient/recipient.ts';
import { suppress } from '#core/recipient/suppression.ts';
import { deliver, handleDeadPack } from '#core/sending/delivery/delivery.ts';
import type { Pack } from '#core/sending/pack.ts';
import { addSkips, readSkips, type Skip } from '#core/sending/skip.store.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { CLOCK_SKEW, MEMBERSHIP_WRITER_TIMEOUT } from '#core/timeouts.ts';
import { crashing as crashingTable, survives } from '#test/support/crash.ts';
import {
  ANN,
  deliveries,
  HOUR,
  MINUTE,
  mailed,
  memberOf,
  type Sender,
  start,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { beforeFirst } from '#test/support/intercepted.ts';

const { table, ready, reasons, shown, changeMember, atClaims, mailedAt } = deliveries();

async function threeDue() {
  const { sender, readers } = await ready();
  for (const name of ['b', 'c']) {
    const fields = { name, email_list_ids: [readers.id], metadata_trigger: 'trial_ends' };
    await sender.newTemplate([(await sender.newAutomation(fields)).id]);
  }
  return sender;
}

it.each<[string, string, (sender: Sender, readers: { id: string }, began: Date) => Promise<unknown>]>([
  [
    'is unsubscribed',
    'not_subscribed',
    (sender, readers, now) => changeMember(sender, readers, { is_subscribed: false }, { now }),
  ],
  [
    'is removed from the list',
    'not_subscribed',
    async ({ organization }, readers, now) => {
      const member = await listMember.find({ table }, organization, memberOf(readers, 'ann@example.com'));
      await listMember.remove({ table, now }, member);
    },
  ],
  [
    'is erased',
    'not_subscribed',
    ({ organization }, _, now) => erase({ table, now }, organization, 'ann@example.com'),
  ],
  [
    'is suppressed',
    'suppressed',
    ({ organization }, { id: list_id }, now) =>
      suppress({ table, now }, keyOf(organization, ANN), { email: { seq: 1, list_id }, why: 'complaint' }),
  ],
])(
  'who %s when they are claimed gets nothing, also by a request that began long before',
  async (_, reason, leave) => {
    const { sender, readers } = await ready();
    const pack = await sweptPack(sender);
    const began = new Date(sender.now.getTime() - MEMBERSHIP_WRITER_TIMEOUT - CLOCK_SKEW);
    const leaving = atClaims(async send => {
      const answer = await send();
      await leave(sender, readers, began);
      return answer;
    });
    await deliver({ ...sender.needs, table: leaving }, pack);
    await sender.run(timeAfter(30 * MINUTE));
    expect(sender.posts).toEqual([]);
    expect(await reasons(sender)).toEqual([reason]);
  },
);

it('who leaves when they are claimed gets nothing, though others of the pack are claimed later', async () => {
  const { sender, readers } = await ready(['ann@example.com', 'bob@example.com']);
  const pack = await sweptPack(sender);
  const began = new Date(sender.now.getTime() - MEMBERSHIP_WRITER_TIMEOUT - CLOCK_SKEW);
  const leave = async (PK: string) => {
    const id = `${readers.id}-${PK.split('#').at(-1)}`;
    const member = await listMember.find({ table }, sender.organization, id);
    await listMember.change({ table, now: began }, member, { is_subscribed: false });
  };
  let requests = 0;
  const leaving = atClaims(async (send, [first = ''], { input }) => {
    if (++requests > 1) return send();
    // Only the first of both is claimed: the other one a while later.
    input.Statements = input.Statements?.slice(0, 1);
    const { Responses } = (await send()) as { Responses: object[] };
    await leave(first);
    sender.at(new Date(sender.now.getTime() + 15_000));
    return { Responses: [...Responses, { Error: { Code: 'DuplicateItem' } }] };
  });
  await deliver({ ...sender.needs, table: leaving }, pack);
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
  expect(await reasons(sender)).toEqual(['not_subscribed']);
});

it('the first email of a double send goes late, though its second copy is due by then, and stands for that', async () => {
  const { sender } = await ready(undefined, { double_send_first: true });
  const pack = await sweptPack(sender);
  sender.at(timeAfter(6.5 * HOUR));
  await deliver(sender.needs, pack);
  await sender.sweep();
  await sender.deliverAll();
  expect(mailed(sender)).toEqual(['01-01T16:28 ann@example.com']);
  expect(await reasons(sender)).toEqual(['no_first']);
});

it('a member whose data cannot be read is skipped, and the others get their email', async () => {
  const { sender, readers } = await ready(['ann@example.com', 'broken@example.com']);
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const { PK, SK } = membershipKey(keyOf(sender.organization, 'broken@example.com'), readers.id);
  const [stored] = await queryPartition(table, PK, SK);
  await batchWrite(table, { puts: [{ ...stored, PK, SK, metadata: 'no map' }] });
  await sender.deliverAll();
  expect(sender.mailedTo()).toEqual([ANN]);
  expect(await reasons(sender)).toEqual(['unreadable']);
});

it.each([
  ['is sent when it is over', 20, ['01-02T06:00 ann@example.com'], []],
  ['is stale after a day', 24.02, [], ['stale']],
  ['is stale after days too', 100, [], ['stale']],
])('what fell due during an outage %s', async (_, hours, mails, skipped) => {
  const { sender } = await ready();
  await sender.run(timeAfter(MINUTE));
  sender.at(new Date(start.getTime() + hours * HOUR + 90_000));
  await sender.sweep();
  await sender.deliverAll();
  expect(mailed(sender)).toEqual(mails);
  expect(await reasons(sender)).toEqual(skipped);
});

it('of two emails a day of which one may be sent, the automation comes first that mailed the person least recently', async () => {
  const { sender, readers } = await ready(undefined, { name: 'a', delay_days: 0, every_x_days: 1 });
  const fields = { name: 'b', email_list_ids: [readers.id], metadata_trigger: 'trial_ends' };
  await sender.newTemplate([(await sender.newAutomation(fields)).id]);
  await safeguards.change({ table, now: start }, sender.organization, { max_emails_5_minutes: 1 });
  for (let day = 0; day < 4; day++) await mailedAt(sender, timeAfter(day * 24 * HOUR + 3 * MINUTE));
  const sent = (await shown(sender)).flatMap(row => (row.status === 'sent' ? [row.automation_name] : []));
  expect(sent).toEqual([...sent.slice(0, 2), ...sent.slice(0, 2)]);
  expect(sent.slice(0, 2).sort()).toEqual(['a', 'b']);
  expect(await reasons(sender)).toEqual(Array(4).fill('capped:max_emails_5_minutes'));
});

it('limits that are lowered between two attempts leave no claim behind', async () => {
  const sender = await threeDue();
  await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
  const pack = await sweptPack(sender);
  // All three are claimed, and the process dies before its first batch.
  const on = crashingTable(table, { at: 6, how: 'before' });
  await survives(deliver({ ...sender.needs, table: on }, pack));
  const limits = { enabled: true, max_emails_1_week: 1, max_emails_24_hours: 1 };
  await safeguards.change({ table, now: start }, sender.organization, limits);
  sender.at(timeAfter(8 * MINUTE));
  await deliver(sender.needs, pack);
  await sender.run(timeAfter(40 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
  const claims = await queryPartition(table, `R#${sender.organization}#${hashOf(ANN)}`, 'J#');
  expect(claims.filter(({ released }) => !released)).toHaveLength(1);
});

it('an email is claimed no earlier than what is in the journal before it', async () => {
  const { sender } = await ready();
  const others = await sender.newList({ name: 'Others' });
  await sender.add(others, ANN);
  const pack = await sweptPack(sender);
  await changeMember(sender, others, { is_subscribed: false });
  await deliver(sender.needs, pack);
  const at = sender.now.toISOString();
  const entries = await queryPartition(table, `R#${sender.organization}#${hashOf(ANN)}`, 'J#');
  expect(entries.map(entry => [entry.type, entry.at])).toEqual([
    ['send', at],
    ['unsubscribed', at],
  ]);
});

it('a skip keeps its first reason, and is one row, also where two packs come upon it', async () => {
  const { sender, readers } = await ready();
  const pack = await sweptPack(sender);
  await changeMember(sender, readers, { is_subscribed: false });
  await deliver(sender.needs, pack);
  await deliver(sender.needs, { ...pack, id: 'another0pack' });
  const skip = { hash: hashOf(ANN), source: 0 };
  for (const id of [pack.id, 'another0pack'])
    await addSkips(table, { ...pack, id }, [{ ...skip, reason: 'dead' }]);
  const rows = await shown(sender, { status: 'skipped' });
  expect(rows.map(({ reason }) => reason)).toEqual(['not_subscribed']);
  // Another email that was due for the same person.
  await addSkips(table, pack, [{ ...skip, source: 1, reason: 'dead' }]);
  expect((await readSkips(table, pack)).map(({ reason }) => reason)).toEqual(['not_subscribed', 'dead']);
});

it.each([
  ['the first ones', []],
  ['more', ['zoe@example.com']],
])('no skip is lost where two processes add %s to those of a pack at once', async (_, before) => {
  const { sender } = await ready();
  const pack = await sweptPack(sender);
  const skipOf = (email: string): Skip => ({ hash: hashOf(email), source: 0, reason: 'not_due' });
  await addSkips(table, pack, before.map(skipOf));
  const other = () => addSkips(table, pack, [skipOf('ben@example.com')]);
  await addSkips(beforeFirst(table, 'PutCommand', other), pack, [skipOf('ann@example.com')]);
  const stored = await readSkips(table, pack);
  expect(stored.map(({ hash }) => hash).sort()).toEqual(
    [...before, 'ann@example.com', 'ben@example.com'].map(hashOf).sort(),
  );
});

it('a pack that failed each time is tried again until it is stale, and then its people are skipped', async () => {
  const { sender } = await ready();
  const pack = await sweptPack(sender);
  await handleDeadPack(sender.needs, pack);
  const [again] = sender.queue.filter(({ pack }) => !pack.isRecheck);
  expect((again?.at ?? 0) - sender.now.getTime()).toBe(900_000);
  expect(again?.pack.people).toEqual(pack.people);
  sender.at(timeAfter(25 * HOUR));
  await handleDeadPack(sender.needs, again?.pack as Pack);
  expect(await reasons(sender)).toEqual(['dead']);
  expect(sender.posts).toEqual([]);
});
