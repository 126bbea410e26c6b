import { expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { LEASE } from '#core/timeouts.ts';
import { found } from '#test/support/core-list.ts';
import { deliveries, HOUR, MINUTE, sweptPack, timeAfter } from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { NOT_SENT, openVault, REFUSED, throttled, UNKNOWN } from '#test/support/sending.ts';

const { table, ready, log, states, sentOn, shown, changeMember, changeAutomation } = deliveries();

it.each([
  ['throttled', throttled(120)],
  ['unreachable', NOT_SENT],
])('an email that was certainly not sent (%s) is sent later, once', async (_, answer) => {
  const { sender } = await ready();
  sender.answers(answer);
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.posts).toHaveLength(2);
  expect((await states(sender)).sort()).toEqual(['released', 'sent']);
  expect(await sentOn(sender, '2030-01-01')).toBe(1);
});

it('a person who leaves a list before its email is sent gets it from another list of the automation', async () => {
  const { sender, readers, automation } = await ready();
  const others = await sender.newList({ name: 'Others' });
  await sender.add(others, 'ann@example.com', { trial_ends: '2029-12-30T10:00:20Z' });
  await changeAutomation(sender, automation, { email_list_ids: [readers.id, others.id] });
  sender.answers(NOT_SENT);
  await deliver(sender.needs, await sweptPack(sender));
  const [{ list_id: from } = {}] = await log(sender);
  const [left, to] = from === readers.id ? [readers, others] : [others, readers];
  await changeMember(sender, left, { is_subscribed: false });
  await sender.run(timeAfter(30 * MINUTE));
  const rows = await shown(sender, { status: 'sent' });
  expect(rows.map(({ email_list_id }) => email_list_id)).toEqual([to.id]);
});

it('an answer that leaves open whether it was sent is unknown, and nothing is sent again', async () => {
  const { sender } = await ready();
  sender.answers(UNKNOWN);
  await sender.run(timeAfter(60 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  expect(await states(sender)).toEqual(['unknown']);
  expect(await sentOn(sender, '2030-01-01')).toBe(0);
});

it('a key that does not hold stops the list; with another key what waited is sent', async () => {
  const { sender, readers } = await ready();
  sender.answers({ ...NOT_SENT, reason: 'denied' });
  await sender.run(timeAfter(20 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  expect((await found(table, sender.organization, readers.id)).connection?.valid).toBe(false);
  await sendingKey.changeSendingKey(
    { table, now: sender.now, vault: openVault },
    await found(table, sender.organization, readers.id),
    { mailgun_sending_key: 'key-2' },
  );
  await sender.run(timeAfter(60 * MINUTE));
  expect(sender.posts.map(({ access }) => access.key)).toEqual(['key-1', 'key-2']);
});

it('of a list in test mode the provider is told so, which nobody sets by way of another organization', async () => {
  const { sender, readers } = await ready();
  await expect(sendingKey.setTestMode(table, sender.organization + 1, readers.id)).rejects.toThrow(
    'not found',
  );
  await sendingKey.setTestMode(table, sender.organization, readers.id);
  await sender.run(timeAfter(20 * MINUTE));
  expect(sender.posts.map(({ access }) => access.testMode)).toEqual([true]);
});

it('of a call, each email ends as the provider says of it', async () => {
  const { sender } = await ready(['ann', 'bad', 'cleo'].map(name => `${name}@example.com`));
  sender.needs.providers.mailgun.post = async (_, emails) =>
    emails.map(({ to }) => (to.startsWith('bad') ? REFUSED : { kind: 'accepted', provider_id: 'id' }));
  await sender.run(timeAfter(10 * MINUTE));
  expect(await states(sender)).toEqual(['mixed']);
  expect(await sentOn(sender, '2030-01-01')).toBe(2);
  const rows = (await shown(sender)).map(row => `${row.recipient_email} ${row.status}`);
  expect(rows.sort()).toEqual(['ann@example.com sent', 'bad@example.com failed', 'cleo@example.com sent']);
});

it('people whom a call refused are mailed though the process dies before it queues them', async () => {
  const emails = ['ann', 'ben', 'cleo', 'dan'].map(name => `${name}@example.com`);
  const { sender } = await ready(emails);
  const pack = await sweptPack(sender);
  const mailgun: typeof sender.needs.providers.mailgun = {
    post: async (access, all, ...rest) => [
      ...(await sender.needs.providers.mailgun.post(access, all.slice(0, 2), ...rest)),
      ...all.slice(2).map(() => NOT_SENT),
    ],
  };
  const queue = () => Promise.reject(new Error('The queue could not be reached'));
  await expect(
    deliver({ ...sender.needs, providers: { ...sender.needs.providers, mailgun }, queue }, pack),
  ).rejects.toThrow('could not be reached');
  expect(sender.mails()).toHaveLength(2);
  expect(await states(sender)).toEqual(['mixed']);

  sender.at(new Date(sender.now.getTime() + LEASE + MINUTE));
  await deliver(sender.needs, pack);
  await sender.run(timeAfter(60 * MINUTE));
  expect(sender.mailedTo()).toEqual(emails);
  expect((await states(sender)).sort()).toEqual(['mixed', 'sent']);
  expect(await sentOn(sender, '2030-01-01')).toBe(4);
});

it('a call that was certainly not sent stays so where the list cannot be paused', async () => {
  const { sender, readers } = await ready();
  const pack = await sweptPack(sender);
  sender.answers(throttled(60));
  const list = `LIST#${readers.id}`;
  const failing = intercepted(table, (send, { constructor: { name }, input }) => {
    const { Key } = input as { Key?: { SK: string } };
    if (name === 'UpdateCommand' && Key?.SK === list) throw new Error('Throttled');
    return send();
  });
  await expect(deliver({ ...sender.needs, table: failing }, pack)).rejects.toThrow('Throttled');
  expect(await states(sender)).toEqual(['released']);
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.mails()).toHaveLength(2);
  expect((await states(sender)).sort()).toEqual(['released', 'sent']);
});

type Ready = Awaited<ReturnType<typeof ready>>;
const needs = { table, now: timeAfter(3 * MINUTE) };
const listOf = ({ sender, readers }: Ready) => found(table, sender.organization, readers.id);

it.each<[string, (ready: Ready) => Promise<unknown>]>([
  ['somebody left', ({ sender, readers }) => changeMember(sender, readers, { is_subscribed: false }, needs)],
  ['the list was switched off', async one => list.change(needs, await listOf(one), { active: false })],
  ['the list was paused', async one => listStore.pause(table, await listOf(one), timeAfter(HOUR))],
  [
    'the automation was switched off',
    ({ sender, automation }) => changeAutomation(sender, automation, { active: false }),
  ],
])('what was looked at holds for five seconds: no further request is made after %s', async (_, happens) => {
  const one = await ready(['ann@example.com', 'ben@example.com']);
  const { sender } = one;
  const pack = await sweptPack(sender);
  const allowed: boolean[] = [];
  const post: typeof sender.needs.providers.mailgun.post = async (_, emails, mayContinue) => {
    allowed.push(await mayContinue());
    sender.at(timeAfter(3 * MINUTE + 6_000));
    allowed.push(await mayContinue());
    await happens(one);
    sender.at(timeAfter(3 * MINUTE + 12_000));
    allowed.push(await mayContinue());
    return emails.map(() => ({ kind: 'not_sent', reason: 'interrupted', seconds: 0 }));
  };
  await deliver({ ...sender.needs, providers: { ...sender.needs.providers, mailgun: { post } } }, pack);
  expect(allowed).toEqual([true, true, false]);
});

it('of several pauses that the provider asks for at once, the longest holds', async () => {
  const { sender, readers } = await ready();
  const paused = await found(table, sender.organization, readers.id);
  await listStore.pause(table, paused, timeAfter(HOUR));
  await listStore.pause(table, paused, timeAfter(MINUTE));
  expect(await found(table, sender.organization, readers.id)).toMatchObject({
    paused_until: timeAfter(HOUR).toISOString(),
  });
});
