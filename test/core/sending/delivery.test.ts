import { beforeEach, expect, it } from 'vitest';
import * as automations from '../../../functions/core/automation/automation/automation.ts';
import * as list from '../../../functions/core/list/list/list.ts';
import * as listMember from '../../../functions/core/list/list-member/list-member.ts';
import * as safeguards from '../../../functions/core/organization/safeguards/safeguards.ts';
import { membershipKey } from '../../../functions/core/recipient/recipient/membership.store.ts';
import { hashOf, keyOf, memberId } from '../../../functions/core/recipient/recipient/recipient.ts';
import { countsIn } from '../../../functions/core/reporting/rollup/rollup.ts';
import { deliver } from '../../../functions/core/sending/delivery/delivery.ts';
import { batchWrite, queryPartition } from '../../../functions/core/storage/table.store.ts';
import { found } from '../../support/core-list.ts';
import { freshTable } from '../../support/engine.ts';
import { newSender, openVault } from '../../support/sending.ts';

const table = freshTable();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = new Date('2030-01-01T09:58:30Z');
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);

// Each test begins at the same time, and the sweep knows no other organization.
beforeEach(async () => {
  const items = await queryPartition(table, 'SWEEP');
  await batchWrite(table, { deletes: items.map(({ SK }) => ({ PK: 'SWEEP', SK: String(SK) })) });
});

type Sender = Awaited<ReturnType<typeof newSender>>;

/** A list, members whose date makes them due at ten o'clock, and an automation with a template. */
async function ready(emails = ['ann@example.com'], schedule: object = {}) {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  for (const email of emails) await sender.add(readers, email, { trial_ends: '2029-12-30T10:00:20Z' });
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    delay_days: 2,
    every_x_days: 7,
    ...schedule,
  });
  const { id: template } = await sender.newTemplate([id]);
  return { sender, readers, automation: id, template };
}

const mailed = (sender: Sender) =>
  sender.mails().map(({ at, email }) => `${at.toISOString().slice(5, 16)} ${email}`);

const log = (sender: Sender) => queryPartition(table, `ORG#${sender.organization}#LOG`);
const states = async (sender: Sender) => (await log(sender)).flatMap(({ state }) => (state ? [state] : []));
const reasons = async (sender: Sender) => (await log(sender)).flatMap(({ reasons = [] }) => reasons);
const sentOn = async (sender: Sender, day: string) =>
  (await queryPartition(table, `ORG#${sender.organization}#REPORT`, `${day.slice(0, 7)}#`)).map(
    item => countsIn(item).get(day)?.sent,
  );

it('a member gets the email of the minute in which it is due, once, and it is counted', async () => {
  const { sender } = await ready();
  await sender.run(after(10 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  expect(await states(sender)).toEqual(['sent']);
  expect(await sentOn(sender, '2030-01-01')).toEqual([1]);
});

it('a pack that is delivered ten times sends one email', async () => {
  const { sender } = await ready(['ann@example.com', 'ben@example.com']);
  sender.at(after(3 * MINUTE));
  await sender.sweep();
  const [message] = sender.queue;
  if (!message) throw new Error('Nothing is queued');
  await Promise.allSettled(
    Array.from({ length: 10 }, (_, time) => deliver(sender.needs, message.pack, time > 0)),
  );
  expect(
    sender
      .mails()
      .map(({ email }) => email)
      .sort(),
  ).toEqual(['ann@example.com', 'ben@example.com']);
});

it('a person on two lists of an automation gets one email', async () => {
  const sender = await newSender(table, start);
  const lists = [await sender.newList(), await sender.newList({ name: 'Others' })];
  for (const one of lists) await sender.add(one, 'ann@example.com', { trial_ends: '2030-01-01T10:00:00Z' });
  const { id } = await sender.newAutomation({
    email_list_ids: lists.map(one => one.id),
    metadata_trigger: 'trial_ends',
  });
  await sender.newTemplate([id]);
  await sender.run(after(10 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
});

it('a triple send sends three emails with different content, six hours apart', async () => {
  const { sender, automation } = await ready(['ann@example.com'], { triple_send_first: true });
  await safeguards.change({ table }, sender.organization, { enabled: false });
  await sender.newTemplate([automation]);
  for (const hour of [0, 6, 12]) {
    sender.at(after(hour * HOUR + MINUTE));
    await sender.sweep();
    await sender.run(after(hour * HOUR + 5 * MINUTE));
  }
  expect(mailed(sender).map(line => line.slice(6, 11))).toEqual(['10:01', '16:01', '22:01']);
  const [first, second, third] = sender.mails().map(({ message }) => message.html.length);
  expect(first).toBe(third);
  expect(sender.mails()[0]?.message.text).not.toBe(sender.mails()[1]?.message.text);
  expect(second).toBeGreaterThan(0);
});

it('safeguards skip what exceeds them, and let go on when the window has passed', async () => {
  const { sender, readers } = await ready();
  for (const name of ['b', 'c']) {
    const { id } = await sender.newAutomation({
      name,
      email_list_ids: [readers.id],
      metadata_trigger: 'trial_ends',
    });
    await sender.newTemplate([id]);
  }
  await sender.run(after(10 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  expect(await reasons(sender)).toEqual(['capped:max_emails_5_minutes']);
});

it('who unsubscribed after they were queued gets nothing', async () => {
  const { sender, readers } = await ready();
  sender.at(after(3 * MINUTE));
  await sender.sweep();
  const member = await listMember.find({ table }, sender.organization, memberOf(readers, 'ann@example.com'));
  await listMember.change({ table, now: sender.now }, member, { is_subscribed: false });
  await sender.deliverAll();
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['not_subscribed']);
});

const memberOf = (of: list.Found, email: string) => memberId(of.id, hashOf(email));

it('an automation that is switched off after its pack was queued sends nothing, also when it is switched on again', async () => {
  const { sender, automation } = await ready();
  sender.at(after(3 * MINUTE));
  await sender.sweep();
  const stored = async () => {
    const [one] = await automations.readThese(table, sender.organization, [automation]);
    if (!one) throw new Error('It is gone');
    return one;
  };
  await automations.change({ table, now: sender.now }, await stored(), { active: false });
  sender.at(after(4 * MINUTE));
  await automations.change({ table, now: sender.now }, await stored(), { active: true });
  await sender.deliverAll();
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['not_due']);
});

it.each([
  ['throttled', { kind: 'throttled', seconds: 120 } as const],
  ['unreached', { kind: 'unreached' } as const],
])('an email that was certainly not sent (%s) is sent later, once', async (_, answer) => {
  const { sender } = await ready();
  sender.answers(answer);
  await sender.run(after(30 * MINUTE));
  expect(sender.posts).toHaveLength(2);
  expect((await states(sender)).sort()).toEqual(['released', 'sent']);
  expect(await sentOn(sender, '2030-01-01')).toEqual([1]);
});

it('an answer that leaves open whether it was sent is unknown, and nothing is sent again', async () => {
  const { sender } = await ready();
  sender.answers({ kind: 'unknown' });
  await sender.run(after(60 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  expect(await states(sender)).toEqual(['unknown']);
  expect(await sentOn(sender, '2030-01-01')).toEqual([]);
});

it('a key that does not hold stops the list; with another key what waited is sent', async () => {
  const { sender, readers } = await ready();
  sender.answers({ kind: 'denied' });
  await sender.run(after(20 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  expect((await found(table, sender.organization, readers.id)).connection?.valid).toBe(false);
  await list.changeSendingKey(
    { table, vault: openVault },
    await found(table, sender.organization, readers.id),
    { mailgun_sending_key: 'key-2' },
  );
  await sender.run(after(60 * MINUTE));
  expect(sender.posts.map(({ access }) => access.key)).toEqual(['key-1', 'key-2']);
});

it('the addresses that the provider does not take are found, and the others are sent', async () => {
  const { sender } = await ready(['ann', 'bad', 'cleo', 'dan', 'eve'].map(name => `${name}@example.com`));
  sender.needs.post = async (access, message) => {
    sender.posts.push({ at: sender.now, access, message });
    const isBad = message.recipients.some(({ email }) => email.startsWith('bad'));
    return isBad ? { kind: 'invalid' } : { kind: 'accepted', id: 'id' };
  };
  await sender.run(after(10 * MINUTE));
  const [head] = (await log(sender)).filter(({ state }) => state);
  expect(head).toMatchObject({ state: 'mixed', size: 5, sent: 4 });
  expect(await sentOn(sender, '2030-01-01')).toEqual([4]);
});

it('a list without a key is skipped, and says so', async () => {
  const { sender, readers } = await ready();
  await list.changeSendingKey(
    { table, vault: openVault },
    await found(table, sender.organization, readers.id),
    { mailgun_sending_key: null },
  );
  await sender.run(after(10 * MINUTE));
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['no_key']);
});

it('a member whose data cannot be read is skipped, and the others get their email', async () => {
  const { sender, readers } = await ready(['ann@example.com', 'broken@example.com']);
  sender.at(after(3 * MINUTE));
  await sender.sweep();
  const { PK, SK } = membershipKey(keyOf(sender.organization, 'broken@example.com'), readers.id);
  const [stored] = await queryPartition(table, PK, SK);
  await batchWrite(table, { puts: [{ ...stored, PK, SK, metadata: 'no map' }] });
  await sender.deliverAll();
  expect(sender.mails().map(({ email }) => email)).toEqual(['ann@example.com']);
  expect(await reasons(sender)).toEqual(['unreadable']);
});

it.each([
  ['is sent when it is over', 20, ['01-02T06:00 ann@example.com'], []],
  ['is stale after a day', 30, [], ['stale']],
])('what fell due during an outage %s', async (_, hours, mails, skipped) => {
  const { sender } = await ready();
  await sender.run(after(MINUTE));
  sender.at(new Date(start.getTime() + hours * HOUR + 90_000));
  await sender.sweep();
  await sender.deliverAll();
  expect(mailed(sender)).toEqual(mails);
  expect(await reasons(sender)).toEqual(skipped);
});

it('an email carries its links as tokens, the ways to unsubscribe, and the sender of its list', async () => {
  const { sender } = await ready();
  await sender.run(after(5 * MINUTE));
  const [post] = sender.posts;
  const [recipient] = post?.message.recipients ?? [];
  expect(post?.message).toMatchObject({
    from: '"The editors" <letters@example.com>',
    subject: 'Welcome aboard',
    headers: {
      'List-Unsubscribe': '<%recipient.unsubscribe%>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Message-Id': '<%recipient.send%@example.com>',
    },
  });
  expect(recipient?.variables.send).toMatch(/^\d+-[\w-]{22}-1$/);
  const values = Object.values(recipient?.variables ?? {}).join('\n');
  for (const path of ['/t/o/', '/t/c/', '/t/u/']) expect(values).toContain(`https://mail.example.com${path}`);
  expect(values).not.toContain('shop.example.com');
});
