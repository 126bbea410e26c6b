import { expect, it } from 'vitest';
import { rebuild } from '#core/operations/rebuild.ts';
import { markClaim } from '#core/recipient/claim.ts';
import { hashOf, readSendId } from '#core/recipient/recipient.key.ts';
import { report } from '#core/reporting/report.ts';
import { mailboxes } from '#core/sending/mailbox.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { CombinationsQuery } from '#shared/reporting.ts';
import { deliveries, MINUTE, type Sender, start, timeAfter } from '#test/support/deliveries.ts';

const { table, ready, follow } = deliveries();
const now = () => start;

const SERVERS: Record<string, string[]> = {
  'acme.example': ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
  'shop.example': ['shop-example.mail.protection.outlook.com'],
  'new.example': ['new-example.a-v1.mx.microsoft'],
  'isp.example': ['mta5.am0.yahoodns.net'],
  'own.example': ['mx01.mail.icloud.com'],
  'filtered.example': ['mx.filter.example', 'aspmx.l.google.com'],
  'fake.example': ['notgoogle.com'],
  'yahoo.co.jp': ['mx1.mail.yahoo.co.jp'],
  'none.example': [],
};
const asked: string[] = [];
const mx = async (domain: string) => {
  asked.push(domain);
  return SERVERS[domain];
};

it.each([
  ['ann@gmail.com', 'gmail'],
  ['ann@acme.example', 'gmail'],
  ['ann@hotmail.co.uk', 'outlook'],
  ['ann@shop.example', 'outlook'],
  ['ann@new.example', 'outlook'],
  ['ann@yahoo.com.br', 'yahoo'],
  ['ann@isp.example', 'yahoo'],
  ['ann@icloud.com', 'apple'],
  ['ann@own.example', 'apple'],
  ['ann@filtered.example', 'other'],
  ['ann@fake.example', 'other'],
  ['ann@yahoo.co.jp', 'other'],
  ['ann@none.example', 'other'],
])('the mailbox of %s is at %s', async (email, mailbox) => {
  expect(await mailboxes(mx)(now)(email)).toBe(mailbox);
});

it('a domain is looked up once in a process, and those of large providers never', async () => {
  asked.splice(0);
  const ofPack = mailboxes(mx);
  const of = ofPack(now);
  await Promise.all(['ann@acme.example', 'ben@acme.example', 'cleo@gmail.com'].map(of));
  await ofPack(now)('dan@acme.example');
  expect(asked).toEqual(['acme.example']);
});

it('after a look-up that is not answered, and after half a second, a pack asks no more; the next one does', async () => {
  let at = start.getTime();
  asked.splice(0);
  const ofPack = mailboxes(mx);
  const unanswered = ofPack(now);
  for (const domain of ['slow.example', 'acme.example'])
    expect(await unanswered(`ann@${domain}`)).toBe('other');
  const late = ofPack(() => new Date(at));
  expect(await late('ann@shop.example')).toBe('outlook');
  at += 501;
  expect(await late('ann@acme.example')).toBe('other');
  expect(await ofPack(now)('ann@acme.example')).toBe('gmail');
  expect(asked).toEqual(['slow.example', 'shop.example', 'acme.example']);
});

it('a pack looks up 500 domains at most', async () => {
  asked.splice(0);
  const of = mailboxes(async domain => mx(domain).then(() => []))(now);
  for (let number = 0; number < 510; number++) await of(`ann@d${number}.example`);
  expect(asked).toHaveLength(500);
});

const reported = async ({ acting, now }: Sender) => {
  const query = CombinationsQuery.parse({ start_date: '2030-01-01', end_date: '2030-01-02' });
  const { mailbox_providers, totals } = await report({ table, now, hasTimeLeft: () => true }, acting, query);
  const rows = mailbox_providers.map(({ mailbox, ...counts }) => [mailbox, ...Object.values(counts)]);
  return { sent: totals.sent, rows };
};

it('sent, opened, clicked, bounced and complained are reported by mailbox provider, and can be counted anew', async () => {
  const { sender } = await ready([
    'ann@gmail.com',
    'ben@acme.example',
    'cleo@icloud.com',
    'dan@none.example',
  ]);
  sender.needs.mailboxOf = mailboxes(mx)(now);
  await sender.run(timeAfter(5 * MINUTE));
  const sends = new Map(sender.mails().map(({ email, id = '' }) => [email, id]));
  const mark = async (email: string, as: 'opened_at' | 'first_clicked_at') => {
    const { key, seq } = readSendId(sends.get(email) ?? '') ?? {};
    if (key && seq) await markClaim(table, key, { seq, as, at: sender.now.toISOString() });
  };
  const tell = (meaning: 'hard' | 'complaint', email: string) =>
    applyEvent({ table, now: sender.now }, undefined, {
      meaning,
      send: sends.get(email) ?? '',
      reason: '',
      provider: 'mailgun',
    });
  await mark('ann@gmail.com', 'opened_at');
  await mark('ann@gmail.com', 'first_clicked_at');
  await mark('cleo@icloud.com', 'opened_at');
  for (let repeated = 0; repeated < 2; repeated++) await tell('hard', 'ben@acme.example');
  await tell('complaint', 'dan@none.example');
  await follow(sender.now);
  const expected = {
    sent: 4,
    rows: [
      ['gmail', 2, 1, 1, 1, 0],
      ['outlook', 0, 0, 0, 0, 0],
      ['yahoo', 0, 0, 0, 0, 0],
      ['apple', 1, 1, 0, 0, 0],
      ['other', 1, 0, 0, 0, 1],
    ],
  };
  expect(await reported(sender)).toEqual(expected);
  const [item] = await queryPartition(table, `ORG#${sender.organization}#REPORT`);
  await updateItem(table, { PK: String(item?.PK), SK: String(item?.SK) }, { add: { sg: 7, oa: -1 } });
  const needs = { table, pause: async () => {}, progress: () => {} };
  const fixed = [];
  for await (const { name } of rebuild(needs, sender.organization, { fix: true })) fixed.push(name);
  expect(fixed).toEqual(['oa', 'sg']);
  expect(await reported(sender)).toEqual(expected);
});

it('emails from before that are in the totals alone, and so is what becomes of them', async () => {
  const { sender } = await ready(['ann@gmail.com']);
  await sender.run(timeAfter(5 * MINUTE));
  const key = { organization: sender.organization, hash: hashOf('ann@gmail.com') };
  await markClaim(table, key, { seq: 1, as: 'opened_at', at: sender.now.toISOString() });
  await follow(sender.now);
  const { sent, rows } = await reported(sender);
  expect(sent).toBe(1);
  expect(rows.flatMap(([, ...counts]) => counts).filter(count => count !== 0)).toEqual([]);
});

it('a domain whose servers did not answer is asked for again by the next pack', async () => {
  let answer: string[] | undefined;
  const ofPack = mailboxes(async () => answer);
  expect(await ofPack(now)('ann@acme.example')).toBe('other');
  answer = ['aspmx.l.google.com'];
  expect(await ofPack(now)('ann@acme.example')).toBe('gmail');
});
