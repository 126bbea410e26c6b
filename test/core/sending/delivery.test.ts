import { expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { keyFor, readToken } from '#core/recipient/tracking.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { type Candidate, followUp, type Pack } from '#core/sending/pack.ts';
import { countsIn } from '#core/sending/rollup.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import {
  ANN,
  deliveries,
  HOUR,
  MINUTE,
  mailed,
  start,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, ready, log, mailedAt, states, sentOn, shown, changeAutomation } = deliveries();

it('a member gets the email of the minute in which it is due, once, and it is counted', async () => {
  const { sender } = await ready();
  await sender.run(timeAfter(10 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T10:01 ann@example.com']);
  expect(await states(sender)).toEqual(['sent']);
  expect(await sentOn(sender, '2030-01-01')).toBe(1);
});

it('a member who matched the conditions in the minute in which they were due gets a late email too', async () => {
  // Due at ten, 48 hours less 20 seconds after their date, and more than that when it is sent.
  const isRecent = { field: 'trial_ends', op: 'after', value: { days_ago: 2 } };
  const { sender } = await ready([ANN], { audience: { all: [isRecent] } });
  expect(await mailedAt(sender, timeAfter(8 * MINUTE))).toEqual(['ann']);
});

it('a pack that is delivered ten times sends one email', async () => {
  const { sender } = await ready(['ann@example.com', 'ben@example.com']);
  const pack = await sweptPack(sender);
  await Promise.allSettled(Array.from({ length: 10 }, () => deliver(sender.needs, pack)));
  expect(sender.mailedTo()).toEqual([ANN, 'ben@example.com']);
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

it('an email carries its links as tokens, the ways to unsubscribe, and the sender of its list', async () => {
  const { sender, readers, automation } = await ready();
  await sender.run(timeAfter(5 * MINUTE));
  const [mail] = sender.mails();
  expect(sender.posts[0]?.emails[0]?.from).toBe('"The editors" <letters@example.com>');
  expect(mail?.subject).toBe('Welcome aboard');
  expect(mail?.id).toMatch(/^\d+-[\w-]{22}-1$/);
  expect(mail?.headers).toEqual({
    'Feedback-ID': `${automation}:${readers.id}:${sender.organization}:letterflow`,
    'List-Id': `"The editors" <${readers.id}.example.com>`,
    'List-Unsubscribe': expect.stringMatching(/^<https:\/\/mail\.example\.com\/t\/u\/[\w-]+>$/),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Message-Id': `<${mail?.id}@example.com>`,
  });
  for (const path of ['/t/o/', '/t/c/', '/t/u/']) {
    expect(mail?.html).toContain(`https://mail.example.com${path}`);
  }
  expect(mail?.html).not.toContain('shop.example.com');
});

it('links have the tracking domain of the list while it is active, with a key of its own, and cost no read more', async () => {
  const { sender, readers } = await ready();
  const tracking_domain = { domain: 'link.example.com', status: 'active' } as const;
  const change = (set: object) => listStore.change(table, readers, { set });
  await change({ tracking_domain, logo: '/files/7/a.png' });
  await sender.run(timeAfter(5 * MINUTE));
  const mail = sender.mails().at(-1);
  for (const path of ['/t/o/', '/t/c/', '/t/u/']) {
    expect(mail?.html).toContain(`https://link.example.com${path}`);
  }
  expect(mail?.html).not.toContain('mail.example.com');
  const tokenAt = (origin: string) => {
    const link = sender.mails().at(-1)?.headers['List-Unsubscribe'] ?? '';
    expect(link).toMatch(new RegExp(`^<${origin}/t/u/[\\w-]+>$`));
    return link.slice(link.lastIndexOf('/') + 1, -1);
  };
  const token = tokenAt('https://link.example.com');
  const key = await sender.needs.trackingKey();
  expect(readToken(keyFor(key, 'link.example.com'), 'unsubscribe', token)).toMatchObject({
    logo: 'https://mail.example.com/files/7/a.png',
  });
  for (const other of [undefined, 'other.example.com']) {
    expect(readToken(keyFor(key, other), 'unsubscribe', token)).toBeUndefined();
  }
  await change({ tracking_domain: { ...tracking_domain, status: 'issuing' } });
  await mailedAt(sender, timeAfter(7 * 24 * HOUR + 5 * MINUTE));
  expect(sender.mails().at(-1)?.html).toContain('https://mail.example.com/t/c/');
  const ofSite = tokenAt('https://mail.example.com');
  expect(readToken(keyFor(key, undefined), 'unsubscribe', ofSite)).toBeDefined();
});

it('answers go to the address of the automation, else to that of the list; names beyond ASCII are encoded', async () => {
  const { sender, readers, automation } = await ready();
  const headersAt = async (minutes: number) => {
    await mailedAt(sender, timeAfter(minutes));
    return sender.posts.at(-1)?.emails[0]?.headers;
  };
  const public_name = 'Neuigkeiten für alle: „Ziegen“ und 🐐 aus dem Zürcher Oberland';
  await list.change({ table, now: start }, readers, { reply_to: 'hello@example.com', public_name });
  const first = await headersAt(5 * MINUTE);
  expect(first?.['Reply-To']).toBe('hello@example.com');
  const [, ...words] = /^((?:=\?UTF-8\?B\?[^?]+\?= )+)<(.*)>$/.exec(first?.['List-Id'] ?? '') ?? [];
  const decoded = words[0]
    ?.trim()
    .split(' ')
    .map(word => Buffer.from(word.slice(10, -2), 'base64').toString());
  expect(decoded?.join('')).toBe(public_name);
  expect(words[0]?.split(' ').every(word => word.length <= 75)).toBe(true);
  expect(words[1]).toBe(`${readers.id}.example.com`);
  // What a provider would fill in is encoded too.
  await list.change({ table, now: start }, readers, { public_name: '{{name}} %recipient%' });
  await changeAutomation(sender, automation, { reply_to: 'team@example.com' });
  const second = await headersAt(7 * 24 * HOUR + 5 * MINUTE);
  expect(second?.['Reply-To']).toBe('team@example.com');
  expect(second?.['List-Id']).toMatch(/^=\?UTF-8\?B\?[\w+/=]+\?= </);
});

it('a list and an automation are one batch and one call, whatever the emails say', async () => {
  const emails = Array.from({ length: 30 }, (_, n) => `reader${n}@example.com`);
  const { sender, automation } = await ready(emails);
  for (let n = 0; n < 8; n++) await sender.newTemplate([automation]);
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  const texts = new Set(sender.mails().map(({ text }) => text.replace(/https:[^\s)]+/g, '')));
  expect(texts.size).toBeGreaterThan(4);
  const items = await queryPartition(table, `ORG#${sender.organization}#REPORT`);
  const sent = items.flatMap(item => [...countsIn(item).counts.values()]);
  expect(await sentOn(sender, '2030-01-01')).toBe(30);
  expect(sent.every(counts => counts.sent)).toBe(true);
  expect(await states(sender)).toEqual(['sent']);
});

it('emails that are too large for one call go in several, all of them', async () => {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  const emails = Array.from({ length: 40 }, (_, n) => `reader${n}@example.com`);
  const data = { trial_ends: '2029-12-30T10:00:20Z', long: 'x'.repeat(1_000) };
  for (const email of emails) await sender.add(readers, email, data);
  const { id } = await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
  // In HTML and as text, with as many values as a part can have: 35 of them have no room in one call.
  const values = '{{long}}'.repeat(499);
  await sender.newTemplate([id], {
    pre_cta_content: values,
    after_cta_content: values,
    footer: `${values}{{UNSUB_LINK}}`,
  });
  await sender.run(timeAfter(10 * MINUTE));
  const posted = sender.posts.map(post => post.emails.map(({ to }) => to));
  expect(posted.flat().toSorted()).toEqual(emails.toSorted());
  expect(posted.length).toBeGreaterThan(1);
});

it('what is said of an email in its log is of its own batch, also where a manifest is missing', async () => {
  const { sender, readers } = await ready();
  await sender.run(timeAfter(5 * MINUTE));
  await sender.add(readers, 'ben@example.com', { trial_ends: '2029-12-30T10:05:00Z' });
  await sender.run(timeAfter(10 * MINUTE));
  const [manifest] = (await log(sender)).filter(({ SK }) => String(SK).endsWith('#M'));
  const key = { PK: String(manifest?.PK), SK: String(manifest?.SK) };
  await batchWrite(table, { deletes: [key] });
  expect((await shown(sender)).map(row => row.recipient_email)).toEqual(['ben@example.com']);
});

it('two follow-up packs of the same pack with other people are two', () => {
  const pack: Pack = {
    id: 'a',
    organization: 1,
    minute: '2030-01-01T10:00',
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
