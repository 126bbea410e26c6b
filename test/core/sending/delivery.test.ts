import { beforeEach, describe, expect, it } from 'vitest';
import * as automations from '../../../functions/core/automation/automation/automation.ts';
import * as list from '../../../functions/core/list/list/list.ts';
import * as listMember from '../../../functions/core/list/list-member/list-member.ts';
import * as safeguards from '../../../functions/core/organization/safeguards/safeguards.ts';
import { membershipKey } from '../../../functions/core/recipient/recipient/membership.store.ts';
import { hashOf, keyOf, memberId } from '../../../functions/core/recipient/recipient/recipient.ts';
import { countsIn } from '../../../functions/core/reporting/rollup/rollup.ts';
import { deliver, handleDeadPack, PackHeld } from '../../../functions/core/sending/delivery/delivery.ts';
import { page } from '../../../functions/core/sending/log/log.ts';
import { type Candidate, followUp, type Pack } from '../../../functions/core/sending/pack/pack.ts';
import { addSkips, readSkips } from '../../../functions/core/sending/skip/skip.ts';
import { CLOCK_SKEW, LEASE, MEMBERSHIP_WRITER_TIMEOUT } from '../../../functions/core/sending/times.ts';
import { batchWrite, queryPartition, type Table } from '../../../functions/core/storage/table.store.ts';
import { between, through } from '../../support/between.ts';
import { found } from '../../support/core-list.ts';
import { dying as dyingTable, survives } from '../../support/cut.ts';
import { freshTable } from '../../support/engine.ts';
import { followerOf } from '../../support/follow.ts';
import { NOT_SENT, newSender, openVault, REFUSED, throttled, UNKNOWN } from '../../support/sending.ts';
import { forgetShard } from '../../support/shard.ts';

const table = freshTable();
const follow = followerOf(table);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = new Date('2030-01-01T09:58:30Z');
const timeAfter = (milliseconds: number) => new Date(start.getTime() + milliseconds);

// Each test begins at the same time, and the sweep knows no other organization.
beforeEach(() => forgetShard(table));

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
const skips = (sender: Sender) => queryPartition(table, `ORG#${sender.organization}#SKIPS`);
const reasons = async (sender: Sender) => (await skips(sender)).flatMap(({ reasons }) => reasons);
/** How much is counted as sent on a day. */
async function sentOn(sender: Sender, day: string): Promise<number> {
  await follow(sender.now);
  const items = await queryPartition(table, `ORG#${sender.organization}#REPORT`, `${day}#`);
  const counts = items.flatMap(item => [...countsIn(item).counts.values()]);
  return counts.reduce((sum, { sent = 0 }) => sum + sent, 0);
}
const packOf = ({ queue: [message] }: Sender): Pack => {
  if (!message) throw new Error('Nothing is queued');
  return message.pack;
};

it('a member gets the email of the minute in which it is due, once, and it is counted', async () => {
  const { sender } = await ready();
  await sender.run(timeAfter(10 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  expect(await states(sender)).toEqual(['sent']);
  expect(await sentOn(sender, '2030-01-01')).toBe(1);
});

it('a pack that is delivered ten times sends one email', async () => {
  const { sender } = await ready(['ann@example.com', 'ben@example.com']);
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  await Promise.allSettled(Array.from({ length: 10 }, () => deliver(sender.needs, pack)));
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
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
});

it('a triple send sends three emails with different content, six hours apart', async () => {
  const { sender, automation } = await ready(['ann@example.com'], { triple_send_first: true });
  await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
  await sender.newTemplate([automation]);
  for (const hour of [0, 6, 12]) {
    sender.at(timeAfter(hour * HOUR + MINUTE));
    await sender.sweep();
    await sender.run(timeAfter(hour * HOUR + 5 * MINUTE));
  }
  expect(mailed(sender).map(line => line.slice(6, 11))).toEqual(['10:01', '16:01', '22:01']);
  const [first, second, third] = sender.mails().map(({ text }) => text.replace(/https:[^\s)]+/g, ''));
  expect(first).toBe(third);
  expect(first).not.toBe(second);
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
  await sender.run(timeAfter(10 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  expect(await reasons(sender)).toEqual(['capped:max_emails_5_minutes']);
});

it('who unsubscribed after they were queued gets nothing', async () => {
  const { sender, readers } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const member = await listMember.find({ table }, sender.organization, memberOf(readers, 'ann@example.com'));
  await listMember.change({ table, now: sender.now }, member, { is_subscribed: false });
  await sender.deliverAll();
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['not_subscribed']);
});

it('who leaves when they are claimed gets nothing, also by a request that began long before', async () => {
  const { sender, readers } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  sender.queue.splice(0);
  const member = await listMember.find({ table }, sender.organization, memberOf(readers, 'ann@example.com'));
  const began = new Date(sender.now.getTime() - MEMBERSHIP_WRITER_TIMEOUT - CLOCK_SKEW);
  const leave = () => listMember.change({ table, now: began }, member, { is_subscribed: false });
  const leaving = through(table, async (send, { constructor: { name }, input }) => {
    const { Item } = input as { Item?: { SK?: string } };
    const answer = await send();
    if (name === 'PutCommand' && Item?.SK?.startsWith('J#')) await leave();
    return answer;
  });
  await deliver({ ...sender.needs, table: leaving }, pack);
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['not_subscribed']);
});

const memberOf = (of: list.CountedList, email: string) => memberId(of.id, hashOf(email));

it('an automation that is switched off after its pack was queued sends nothing, also when it is switched on again', async () => {
  const { sender, automation } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const stored = async () => {
    const [one] = await automations.readThese(table, sender.organization, [automation]);
    if (!one) throw new Error('It is gone');
    return one;
  };
  await automations.change({ table, now: sender.now }, await stored(), { active: false });
  sender.at(timeAfter(4 * MINUTE));
  await automations.change({ table, now: sender.now }, await stored(), { active: true });
  await sender.deliverAll();
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['automation_off']);
});

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
  await list.changeSendingKey(
    { table, vault: openVault },
    await found(table, sender.organization, readers.id),
    { mailgun_sending_key: 'key-2' },
  );
  await sender.run(timeAfter(60 * MINUTE));
  expect(sender.posts.map(({ access }) => access.key)).toEqual(['key-1', 'key-2']);
});

it('of a call, each email ends as the provider says of it', async () => {
  const { sender } = await ready(['ann', 'bad', 'cleo', 'dan', 'eve'].map(name => `${name}@example.com`));
  sender.needs.provider.post = async (_, emails) =>
    emails.map(({ to }) => (to.startsWith('bad') ? REFUSED : { kind: 'accepted', provider_id: 'id' }));
  await sender.run(timeAfter(10 * MINUTE));
  expect(await states(sender)).toEqual(['mixed']);
  expect(await sentOn(sender, '2030-01-01')).toBe(4);
  const { data } = await page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 25 });
  expect(data.map(row => `${row.recipient_email} ${row.status}`).sort()).toEqual([
    'ann@example.com sent',
    'bad@example.com failed',
    'cleo@example.com sent',
    'dan@example.com sent',
    'eve@example.com sent',
  ]);
});

it('a list without a key is skipped, and says so', async () => {
  const { sender, readers } = await ready();
  await list.changeSendingKey(
    { table, vault: openVault },
    await found(table, sender.organization, readers.id),
    { mailgun_sending_key: null },
  );
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.posts).toEqual([]);
  expect(await reasons(sender)).toEqual(['no_key']);
});

it('a member whose data cannot be read is skipped, and the others get their email', async () => {
  const { sender, readers } = await ready(['ann@example.com', 'broken@example.com']);
  sender.at(timeAfter(3 * MINUTE));
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

it('an email carries its links as tokens, the ways to unsubscribe, and the sender of its list', async () => {
  const { sender } = await ready();
  await sender.run(timeAfter(5 * MINUTE));
  const [mail] = sender.mails();
  expect(sender.posts[0]?.emails[0]?.from).toBe('"The editors" <letters@example.com>');
  expect(mail?.subject).toBe('Welcome aboard');
  expect(mail?.id).toMatch(/^\d+-[\w-]{22}-1$/);
  expect(mail?.headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(/^<https:\/\/mail\.example\.com\/t\/u\/[\w-]+>$/),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Message-Id': `<${mail?.id}@example.com>`,
  });
  for (const path of ['/t/o/', '/t/c/', '/t/u/']) {
    expect(mail?.html).toContain(`https://mail.example.com${path}`);
  }
  expect(mail?.html).not.toContain('shop.example.com');
});

it('a list and an automation are one batch and one call, whatever the emails say', async () => {
  const emails = Array.from({ length: 30 }, (_, n) => `reader${n}@example.com`);
  const { sender, automation } = await ready(emails);
  for (let n = 0; n < 8; n++) await sender.newTemplate([automation]);
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  expect(new Set(sender.mails().map(({ text }) => text.replace(/https:[^\s)]+/g, ''))).size).toBeGreaterThan(
    4,
  );
  const items = await queryPartition(table, `ORG#${sender.organization}#REPORT`);
  const sent = items.flatMap(item => [...countsIn(item).counts.values()]);
  expect(await sentOn(sender, '2030-01-01')).toBe(30);
  expect(sent.every(counts => counts.sent)).toBe(true);
  expect(await states(sender)).toEqual(['sent']);
});

it('emails that are too large for one call go in several, all of them', async () => {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  const emails = Array.from({ length: 90 }, (_, n) => `reader${n}@example.com`);
  const data = { trial_ends: '2029-12-30T10:00:20Z', long: 'x'.repeat(1_000) };
  for (const email of emails) await sender.add(readers, email, data);
  const { id } = await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
  const links = (part: string) =>
    Array.from({ length: 300 }, (_, n) => `[a](http://b.co/${part}${n}?{{long}})`).join('');
  await sender.newTemplate([id], { pre_cta_content: links('c'), after_cta_content: links('d') });
  await sender.run(timeAfter(10 * MINUTE));
  expect(
    sender
      .mails()
      .map(({ email }) => email)
      .toSorted(),
  ).toEqual(emails.toSorted());
  expect(sender.posts.length).toBeGreaterThan(1);
});

it('what is said of an email in its log is of its own batch, also where a manifest is missing', async () => {
  const { sender, readers } = await ready();
  await sender.run(timeAfter(5 * MINUTE));
  await sender.add(readers, 'ben@example.com', { trial_ends: '2029-12-30T10:05:00Z' });
  await sender.run(timeAfter(10 * MINUTE));
  const [manifest] = (await log(sender)).filter(({ SK }) => String(SK).endsWith('#M'));
  const key = { PK: String(manifest?.PK), SK: String(manifest?.SK) };
  await batchWrite(table, { deletes: [key] });
  const { data } = await page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 25 });
  expect(data.map(row => row.recipient_email)).toEqual(['ben@example.com']);
});

describe('A process that does not end', () => {
  /** Delivers the pack in a process that dies at its n-th write, and then again until nothing is queued. */
  async function dying(at: number, how: 'before' | 'after') {
    await forgetShard(table);
    const { sender } = await ready(['ann@example.com', 'ben@example.com']);
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    const on = dyingTable(table, { at, how });
    const isDone = await survives(deliver({ ...sender.needs, table: on }, pack));
    for (let minutes = 7; minutes < 60; minutes += 2) {
      sender.at(timeAfter(minutes * MINUTE));
      await survives(deliver(sender.needs, pack)).catch(() => {});
      await sender.deliverAll();
    }
    await follow(sender.now);
    return { sender, isDone };
  }

  it.each(['before', 'after'] as const)(
    'loses no email and doubles none, wherever it dies (%s a write)',
    async how => {
      for (let at = 1, isDone = false; !isDone; at++) {
        const { sender, isDone: done } = await dying(at, how);
        isDone = done;
        const { data } = await page({ table, now: sender.now }, sender.organization, {
          page: 1,
          per_page: 25,
        });
        const mails = sender.mails().map(({ email }) => email);
        expect(new Set(mails).size, `write ${at}`).toBe(mails.length);
        expect(data.map(row => row.recipient_email).sort(), `write ${at}`).toEqual([
          'ann@example.com',
          'ben@example.com',
        ]);
        for (const row of data)
          expect(row.status).toBe(mails.includes(row.recipient_email) ? row.status : 'unknown');
        expect(await sentOn(sender, '2030-01-01')).toBe(data.filter(row => row.status === 'sent').length);
      }
    },
  );

  it('has its message taken by nobody else, while it may be alive', async () => {
    const { sender } = await ready();
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    const twin = between(table, 'TransactWriteCommand', () =>
      expect(deliver(sender.needs, pack)).rejects.toThrow(PackHeld),
    );
    await deliver({ ...sender.needs, table: twin }, pack);
    expect(sender.mails()).toHaveLength(1);
    await deliver(sender.needs, pack);
    expect(sender.mails()).toHaveLength(1);
  });

  it('leaves its message, when it goes on after another one took the pack over, which died', async () => {
    const { sender } = await ready();
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    const later = () => sender.at(new Date(sender.now.getTime() + LEASE + MINUTE));
    const paused = between(table, 'TransactWriteCommand', async () => {
      later();
      // Its lease, the batch as released, and then the claim.
      const on = dyingTable(table, { at: 3, how: 'before' });
      expect(await survives(deliver({ ...sender.needs, table: on }, pack))).toBe(false);
    });
    await expect(deliver({ ...sender.needs, table: paused }, pack)).rejects.toThrow(PackHeld);
    expect(sender.mails()).toEqual([]);
    // It is claimed still, so what was queued for it does nothing.
    later();
    await sender.deliverAll();
    expect(sender.mails()).toEqual([]);

    await deliver(sender.needs, pack);
    later();
    await sender.deliverAll();
    expect(sender.mails()).toHaveLength(1);
  });

  it('posts what it has claimed where its time runs out, and leaves the others to packs of half the size', async () => {
    const emails = Array.from({ length: 40 }, (_, n) => `reader${n}@example.com`);
    const { sender } = await ready(emails);
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    let claims = 0;
    const slow = through(table, async (send, { constructor: { name } }) => {
      const isClaim = name === 'PutCommand';
      // So slow that time is over when half of them are claimed.
      if (isClaim && ++claims === 20) sender.at(new Date(sender.now.getTime() + 20_000));
      return send();
    });
    await deliver({ ...sender.needs, table: slow }, pack);
    const sent = sender.mails().length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(40);
    const left = sender.queue.map(({ pack: { people }, at }) => [people.length, at - sender.now.getTime()]);
    expect(left.map(([people]) => people)).toEqual([Math.ceil((40 - sent) / 2), Math.floor((40 - sent) / 2)]);
    expect(left.every(([, delay]) => delay === 0)).toBe(true);
    await sender.deliverAll();
    expect(
      sender
        .mails()
        .map(({ email }) => email)
        .sort(),
    ).toEqual(emails.sort());
  });

  it('waits with who could not be claimed, and sends to the others', async () => {
    const emails = Array.from({ length: 6 }, (_, n) => `reader${n}@example.com`);
    const { sender } = await ready(emails);
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    const broken = `R#${sender.organization}#${hashOf('reader3@example.com')}`;
    const failing = through(table, async (send, { constructor: { name }, input }) => {
      const { Item } = input as { Item?: { PK: string; SK: string } };
      const answer = await send();
      // It is stored, and nobody learns it.
      if (name === 'PutCommand' && Item?.PK === broken && Item.SK.startsWith('J#'))
        throw new Error('Timeout');
      return answer;
    });
    const failures: string[] = [];
    const failed = (what: string) => void failures.push(what);
    await deliver({ ...sender.needs, table: failing, failed }, pack);
    expect(sender.mails()).toHaveLength(5);
    expect(failures).toEqual(['a recipient could not be claimed']);
    await sender.run(timeAfter(30 * MINUTE));
    expect(
      sender
        .mails()
        .map(({ email }) => email)
        .sort(),
    ).toEqual(emails);
  });
});

describe('An update whose answer is lost, and which the SDK repeats', () => {
  /** The end of a batch, as it is stored by one update. */
  const repeatingEnd = through(table, async (send, { constructor: { name }, input }) => {
    const { Key, ExpressionAttributeValues: values = {} } = input as {
      Key?: { PK: string };
      ExpressionAttributeValues?: Record<string, unknown>;
    };
    const isEnd = name === 'UpdateCommand' && Key?.PK.endsWith('#LOG') && ':new_state' in values;
    const answer = await send();
    return isEnd ? send() : answer;
  });

  async function delivered(...answers: Parameters<Sender['answers']>) {
    const { sender } = await ready();
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    sender.answers(...answers);
    await deliver({ ...sender.needs, table: repeatingEnd }, pack);
    return sender;
  }

  it('leaves no claim behind of somebody who is owed nothing any more', async () => {
    const { sender, readers } = await ready();
    sender.at(timeAfter(3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    const key = { organization: sender.organization, hash: hashOf('ann@example.com') };
    const repeating = through(table, async (send, { constructor: { name }, input }) => {
      const { Item } = input as { Item?: { SK: string } };
      if (name !== 'PutCommand' || !Item?.SK.startsWith('J#')) return send();
      await send();
      const member = await listMember.find({ table }, key.organization, memberOf(readers, 'ann@example.com'));
      await listMember.change({ table, now: sender.now }, member, { is_subscribed: false });
      return send();
    });
    await deliver({ ...sender.needs, table: repeating }, pack);
    expect(sender.mails()).toEqual([]);
    expect(await reasons(sender)).toEqual(['not_subscribed']);
    const claims = (await queryPartition(table, `R#${key.organization}#${key.hash}`, 'J#')).filter(
      ({ type }) => type === 'send',
    );
    expect(claims).toMatchObject([{ released: true }]);
  });

  it('counts an email that was sent, once', async () => {
    const sender = await delivered();
    expect(await states(sender)).toEqual(['sent']);
    expect(await sentOn(sender, '2030-01-01')).toBe(1);
  });

  it.each([
    ['throttled', throttled(60)],
    ['unreachable', NOT_SENT],
  ])('leaves no email behind that was certainly not sent (%s)', async (_, answer) => {
    const sender = await delivered(answer);
    expect(await states(sender)).toEqual(['released']);
    await sender.run(timeAfter(90 * MINUTE));
    expect(sender.mails()).toHaveLength(2);
    expect((await states(sender)).sort()).toEqual(['released', 'sent']);
    const { data } = await page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 25 });
    expect(data.map(({ status }) => status)).toEqual(['sent']);
    expect(await sentOn(sender, '2030-01-01')).toBe(1);
  });
});

describe('Who is read as they were a moment ago', () => {
  const partition = ({ organization }: Sender) => `R#${organization}#${hashOf('ann@example.com')}`;
  const stored = async (sender: Sender) =>
    (await queryPartition(table, partition(sender))).filter(({ SK }) => String(SK) < 'K');

  /** The table whose eventually consistent reads have not seen what was written since. */
  async function lagging(sender: Sender) {
    const Items = await stored(sender);
    return through(table, async (send, { constructor: { name }, input }) => {
      const { ConsistentRead, ExpressionAttributeValues: values } = input as {
        ConsistentRead?: boolean;
        ExpressionAttributeValues?: { ':pk'?: string };
      };
      const isStale = name === 'QueryCommand' && !ConsistentRead && values?.[':pk'] === partition(sender);
      return isStale ? { Items } : send();
    });
  }

  it('is not passed over as superseded, by a date that they do not have any more', async () => {
    const schedule = { triple_send_first: true, double_send_second: true };
    const { sender, readers } = await ready(['ann@example.com'], schedule);
    await sender.run(timeAfter(5 * MINUTE));
    sender.at(timeAfter(6 * HOUR + 3 * MINUTE));
    await sender.sweep();
    const pack = packOf(sender);
    sender.queue.splice(0);
    const on = await lagging(sender);
    // A week earlier: the first email becomes the second one, which has no third copy.
    const member = await listMember.find(
      { table },
      sender.organization,
      memberOf(readers, 'ann@example.com'),
    );
    const metadata = { trial_ends: '2029-12-23T10:00:20Z' };
    await listMember.change({ table, now: sender.now }, member, { metadata });
    sender.at(timeAfter(12 * HOUR + 5 * MINUTE));
    await deliver({ ...sender.needs, table: on }, pack);
    expect(await reasons(sender)).toEqual([]);
    expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com', '01-01T22:03 ann@example.com']);
  });

  it('is not passed over for a claim that is released by now', async () => {
    const { sender } = await ready();
    const { post } = sender.needs.provider;
    let on: Table = table;
    sender.needs.provider.post = async (...call) => {
      on = await lagging(sender);
      return post(...call);
    };
    sender.answers(throttled(60));
    await sender.run(timeAfter(3 * MINUTE));
    sender.needs.provider.post = post;
    sender.at(timeAfter(10 * MINUTE));
    for (const { pack } of sender.queue.splice(0)) await deliver({ ...sender.needs, table: on }, pack);
    expect(sender.mails()).toHaveLength(2);
    expect((await states(sender)).sort()).toEqual(['released', 'sent']);
  });
});

it('limits that are lowered between two attempts leave no claim behind', async () => {
  const { sender, readers } = await ready();
  for (const name of ['b', 'c']) {
    const { id } = await sender.newAutomation({
      ...{ name, email_list_ids: [readers.id], metadata_trigger: 'trial_ends' },
    });
    await sender.newTemplate([id]);
  }
  await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  sender.queue.splice(0);
  // All three are claimed, and the process dies before its first batch.
  const on = dyingTable(table, { at: 6, how: 'before' });
  await survives(deliver({ ...sender.needs, table: on }, pack));
  const limits = { enabled: true, max_emails_1_week: 1, max_emails_24_hours: 1 };
  await safeguards.change({ table, now: start }, sender.organization, limits);
  sender.at(timeAfter(8 * MINUTE));
  await deliver(sender.needs, pack);
  await sender.run(timeAfter(40 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
  const claims = await queryPartition(table, `R#${sender.organization}#${hashOf('ann@example.com')}`, 'J#');
  expect(claims.filter(({ released }) => !released)).toHaveLength(1);
});

it('a call that was certainly not sent stays so where the list cannot be paused', async () => {
  const { sender, readers } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  sender.queue.splice(0);
  sender.answers(throttled(60));
  const list = `LIST#${readers.id}`;
  const failing = through(table, (send, { constructor: { name }, input }) => {
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

it('two follow-up packs of the same pack with other people are two', () => {
  const pack: Pack = {
    ...{ id: 'a', organization: 1, minute: '2030-01-01T10:00' },
    sources: [{ list: 'l', column: '', automation: 'x' }],
    people: [],
  };
  const people = ['x', 'y'].map((hash): Candidate => [hash, [[0, '2030-01-01T10:00']]]);
  const idsOf = (releasing?: string) => people.map(one => followUp(pack, [one], { releasing }).id);
  expect(new Set([...idsOf(), ...idsOf('batch'), ...idsOf('another')]).size).toBe(6);
  expect(idsOf('batch')).toEqual(idsOf('batch'));
  const again = followUp(followUp(pack, people, { releasing: 'batch' }), people, { releasing: 'another' });
  expect(again.after).toEqual(['batch', 'another']);
});

type Ready = Awaited<ReturnType<typeof ready>>;
const needs = { table, now: timeAfter(3 * MINUTE) };
const listOf = ({ sender, readers }: Ready) => found(table, sender.organization, readers.id);

it.each<[string, (ready: Ready) => Promise<unknown>]>([
  [
    'somebody left',
    async ({ sender, readers }) => {
      const member = await listMember.find(
        needs,
        sender.organization,
        memberId(readers.id, hashOf('ann@example.com')),
      );
      await listMember.change(needs, member, { is_subscribed: false });
    },
  ],
  ['the list was switched off', async one => list.change(needs, await listOf(one), { active: false })],
  ['the list was paused', async one => list.pause(needs, await listOf(one), timeAfter(HOUR))],
  [
    'the automation was switched off',
    async ({ sender, automation }) => {
      const [stored] = await automations.readThese(table, sender.organization, [automation]);
      if (stored) await automations.change(needs, stored, { active: false });
    },
  ],
])('what was looked at holds for five seconds: no further request is made after %s', async (_, happens) => {
  const one = await ready();
  const { sender } = one;
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  const allowed: boolean[] = [];
  const post: typeof sender.needs.provider.post = async (_, emails, mayContinue) => {
    allowed.push(await mayContinue());
    sender.at(timeAfter(3 * MINUTE + 6_000));
    allowed.push(await mayContinue());
    await happens(one);
    sender.at(timeAfter(3 * MINUTE + 12_000));
    allowed.push(await mayContinue());
    return emails.map(() => ({ kind: 'not_sent', reason: 'interrupted', seconds: 0 }));
  };
  await deliver({ ...sender.needs, provider: { post } }, pack);
  expect(allowed).toEqual([true, true, false]);
});

it('of several pauses that the provider asks for at once, the longest holds', async () => {
  const { sender, readers } = await ready();
  const paused = await found(table, sender.organization, readers.id);
  await list.pause({ table }, paused, timeAfter(HOUR));
  await list.pause({ table }, paused, timeAfter(MINUTE));
  expect(await found(table, sender.organization, readers.id)).toMatchObject({
    paused_until: timeAfter(HOUR).toISOString(),
  });
});

it('whoever waits is in one pack, however often the process dies that has queued it', async () => {
  const { sender, readers } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  sender.queue.splice(0);
  const paused = await found(table, sender.organization, readers.id);
  await list.pause({ table }, paused, timeAfter(10 * HOUR));
  const failing = through(table, (send, { constructor: { name }, input }) => {
    const { ExpressionAttributeValues: values = {} } = input as { ExpressionAttributeValues?: object };
    if (name === 'UpdateCommand' && Object.values(values).includes('done')) throw new Error('Throttled');
    return send();
  });
  const queued = new Set<string>();
  const queue = async ({ id, isRecheck }: Pack) => void (!isRecheck && queued.add(id));
  for (let run = 1; run <= 4; run++) {
    sender.at(timeAfter((3 + run * 2) * MINUTE));
    await expect(deliver({ ...sender.needs, table: failing, queue }, pack)).rejects.toThrow('Throttled');
  }
  expect(queued.size).toBe(1);
});

it('a skip keeps its first reason, and is one row, also where two packs come upon it', async () => {
  const { sender, readers } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  const member = await listMember.find({ table }, sender.organization, memberOf(readers, 'ann@example.com'));
  await listMember.change({ table, now: sender.now }, member, { is_subscribed: false });
  await deliver(sender.needs, pack);
  await deliver(sender.needs, { ...pack, id: 'another0pack' });
  const skip = { hash: hashOf('ann@example.com'), source: 0 };
  for (const id of [pack.id, 'another0pack'])
    await addSkips(table, { ...pack, id }, [{ ...skip, reason: 'dead' }]);
  const { data } = await page({ table, now: sender.now }, sender.organization, {
    ...{ page: 1, per_page: 25, status: 'skipped' },
  });
  expect(data.map(({ reason }) => reason)).toEqual(['not_subscribed']);
  // Another email that was due for the same person.
  await addSkips(table, pack, [{ ...skip, source: 1, reason: 'dead' }]);
  expect((await readSkips(table, pack)).map(({ reason }) => reason)).toEqual(['not_subscribed', 'dead']);
});

it('a pack that failed each time is tried again until it is stale, and then its people are skipped', async () => {
  const { sender } = await ready();
  sender.at(timeAfter(3 * MINUTE));
  await sender.sweep();
  const pack = packOf(sender);
  sender.queue.splice(0);
  await handleDeadPack(sender.needs, pack);
  const [again] = sender.queue.filter(({ pack }) => !pack.isRecheck);
  expect((again?.at ?? 0) - sender.now.getTime()).toBe(900_000);
  expect(again?.pack.people).toEqual(pack.people);
  sender.at(timeAfter(25 * HOUR));
  await handleDeadPack(sender.needs, again?.pack as Pack);
  expect(await reasons(sender)).toEqual(['dead']);
  expect(sender.posts).toEqual([]);
});
