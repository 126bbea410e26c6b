import { describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as activity from '#core/person/activity.ts';
import * as claims from '#core/recipient/claim.ts';
import * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { batchWrite, getAll } from '#core/storage/table.store.ts';
import { ListMembersQuery } from '#shared/list-member.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const DAY = 24 * 60 * 60 * 1000;
const ANN = 'ann@example.com';
const publicUrl = 'https://letterflow.example';
let start = new Date('2029-12-31T09:58:30Z');
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
const moment = (count: number) => minutes(count).toISOString();

type Sent = {
  answer?: 'unknown' | 'refused';
  subject?: string;
  long?: string;
  metadata?: Record<string, string>;
};

/** Ann, who has had an email, or nobody knows whether. On a day of its own, as all organizations are swept together. */
async function newReader({ answer, subject = 'Hello {{first_name}}', metadata = {}, long }: Sent = {}) {
  start = new Date(start.getTime() + DAY);
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  const trial_ends = `${start.toISOString().slice(0, 10)}T10:00:20Z`;
  const { id } = await sender.add(readers, ANN, { first_name: 'Ann', trial_ends, ...metadata });
  const automation = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    every_x_days: 400,
  });
  const template = await sender.newTemplate([automation.id], {
    subject_line: subject,
    ...(long && { pre_cta_content: long, after_cta_content: long, footer: `${long}{{UNSUB_LINK}}` }),
  });
  if (answer) sender.answers({ kind: answer });
  await sender.run(minutes(4));
  const key = recipientKey.keyOf(sender.organization, ANN);
  return { sender, readers, automation, template, trial_ends, id, key };
}
type Reader = Awaited<ReturnType<typeof newReader>>;

const needs = ({ sender }: Reader) => ({ table, now: sender.now, publicUrl });
const actions = (reader: Reader, id = reader.id) =>
  activity.actions(needs(reader), reader.sender.organization, id);
const types = async (reader: Reader, id?: string) => (await actions(reader, id)).map(({ type }) => type);

async function content(reader: Reader, id: string, organization = reader.sender.organization) {
  const items = await getAll(table, activity.keysOf(organization, id));
  return activity.emailContent(
    { ...needs(reader), organization: {} },
    await activity.foundEmail({ table }, id, items),
  );
}

const click = ({ key }: Reader, name: string, at: string, by: 'person' | 'machine') =>
  journal.writeClick(table, key, { seq: 1, at, by, part: 'cta_url', url: `https://shop.example/${name}` });

const change = async ({ readers, key }: Reader, at: Date, email?: number) =>
  recipient.change({ table, now: at }, key, readers.id, state => {
    const wanted = memberships.membershipChange(at, state, { is_subscribed: false }, 'page');
    return wanted?.entry && email ? { ...wanted, entry: { ...wanted.entry, email } } : wanted;
  });

describe('The activity of a member', () => {
  it('has what was sent and all that came of it, newest first, with what is known of each', async () => {
    const reader = await newReader();
    const { key, id, automation, trial_ends } = reader;
    const mark = (as: keyof journal.Marks, at: number, more = {}) =>
      claims.markClaim(table, key, { seq: 1, as, at: moment(at), with: more });
    await mark('machine_opened_at', 5);
    await click(reader, 'one', moment(5), 'machine');
    await mark('opened_at', 6);
    await click(reader, 'one', moment(7), 'person');
    await click(reader, 'two', moment(8), 'person');
    await change(reader, minutes(9), 1);
    await mark('bounced_at', 10, { bounce: 'hard', bounce_reason: '550 <script>alert(1)</script>' });
    await mark('complained_at', 11);
    const all = await actions(reader);
    const email = `${id}-1`;
    const of = { subject: 'Hello Ann', automation_name: automation.name };
    const [person, machine] = ['A person', 'Automated (mail scanner or prefetch)'];
    const link = (name: string) => ({
      asset_type: 'cta_url',
      destination_url: `https://shop.example/${name}`,
    });
    const shown = (name: string) => ({ ...link(name), url: `https://shop.example/${name}` });
    expect(all.map(one => [one.type, one.metadata, one.formatted_metadata])).toEqual([
      ['complaint', { source: 'provider', email }, { source: 'Reported as spam', ...of }],
      [
        'bounce',
        { source: 'provider', email, bounce: 'hard', reason: '550 <script>alert(1)</script>' },
        { source: 'Permanent failure: 550 <script>alert(1)</script>', ...of },
      ],
      ['unsubscribe', { source: 'page', email }, { source: 'Unsubscribe link', ...of }],
      ['click', { source: 'person', email, ...link('two') }, { source: person, ...shown('two'), ...of }],
      ['click', { source: 'person', email, ...link('one') }, { source: person, ...shown('one'), ...of }],
      ['open', { source: 'person', email }, { source: person, ...of }],
      ['click', { source: 'machine', email, ...link('one') }, { source: machine, ...shown('one'), ...of }],
      ['open', { source: 'machine', email }, { source: machine, ...of }],
      [
        'email_sent',
        {
          status: 'sent',
          email_send_id: recipientKey.claimId({ hash: reader.key.hash, seq: 1 }),
          automation_id: automation.id,
          combination_id: reader.template.id,
        },
        { source: 'Automation', trigger_metadata: new Date(trial_ends).toISOString(), ...of },
      ],
      ['subscribe', { source: 'added' }, { source: 'Added' }],
    ]);
    expect(all.map(({ created_at }) => created_at)).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5, 5].map(moment),
      reader.sender.posts[0]?.at.toISOString(),
      moment(0),
    ]);
    expect(new Set(all.map(one => one.id)).size).toBe(all.length);
  });

  it('names an email whose automation and content are deleted, as far as that is known', async () => {
    const reader = await newReader();
    const { sender, automation, template } = reader;
    const items = await getAll(table, emailTemplates.keysOf(sender.organization, template.id));
    const found = await emailTemplates.found({ table }, sender.acting, items);
    await emailTemplates.remove({ table, now: sender.now }, found);
    const [stored] = await automationStore.readThese(table, sender.organization, [automation.id]);
    if (stored) await automations.remove({ table, now: sender.now }, stored);
    expect((await actions(reader))[0]?.formatted_metadata).toEqual({
      source: 'Automation',
      subject: 'Hello Ann',
      automation_name: 'Deleted',
      trigger_metadata: '2030-01-02T10:00:20.000Z',
    });
  });

  it('says of an email that nobody knows whether it was sent, and has none that was not', async () => {
    const unknown = await newReader({ answer: 'unknown' });
    expect((await actions(unknown))[0]).toMatchObject({
      type: 'email_sent',
      metadata: { status: 'unknown' },
      formatted_metadata: { source: 'The mail provider gave no clear answer: the email may have been sent' },
    });
    const refused = await newReader({ answer: 'refused' });
    expect(await types(refused)).toEqual(['subscribe']);
    await claims.releaseClaim(table, unknown.key, 1);
    expect(await types(unknown)).toEqual(['subscribe']);
  });

  it('has an email once it is posted', async () => {
    const reader = await newReader();
    const batch = `${moment(20).slice(0, 16)}#pack#group`;
    const [list_id, automation_id] = [reader.readers.id, reader.automation.id];
    const claim = { type: 'send' as const, at: moment(20), key: 'later', list_id, automation_id };
    const combination = reader.template.id;
    await claims.writeClaim(table, reader.key, { ...claim, seq: 2, batch, combination }, undefined);
    expect(await types(reader)).toEqual(['email_sent', 'subscribe']);
    await expect(content(reader, `${reader.id}-2`)).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('is that of one list, and of one membership', async () => {
    const reader = await newReader();
    const { sender, readers, key } = reader;
    const others = await sender.newList({ name: 'Others' });
    const elsewhere = (await sender.add(others, ANN)).id;
    expect(await types(reader, elsewhere)).toEqual(['subscribe']);
    await expect(content(reader, `${elsewhere}-1`)).rejects.toMatchObject({ reason: 'not-found' });
    await recipient.leave({ table, now: sender.now }, key, readers.id, 'app');
    await expect(content(reader, `${reader.id}-1`)).rejects.toMatchObject({ reason: 'not-found' });
    // Due four minutes before they are added again, which is soon enough to be mailed at once.
    sender.at(minutes(24 * 60 + 64));
    const again = new Date(sender.now.getTime() - 4 * 60_000).toISOString();
    await sender.add(readers, ANN, { trial_ends: again });
    expect(await types(reader)).toEqual(['subscribe']);
    const minute = again.slice(0, 16);
    const of = { list: readers.id, automation: reader.automation.id, column: 'trial_ends' };
    const due = { organization: key.organization, minute, sources: [of] };
    await sender.needs.queue({ ...due, id: 'again', people: [[key.hash, [[0, minute]]]] }, 0);
    await sender.deliverAll();
    expect(await types(reader)).toEqual(['email_sent', 'subscribe']);
  });

  it('says why somebody is suppressed, also where that came from another list or from long ago', async () => {
    const reader = await newReader();
    const { sender, readers, key } = reader;
    const others = await sender.newList({ name: 'Others' });
    const elsewhere = (await sender.add(others, ANN)).id;
    await recipient.leave({ table, now: sender.now }, key, readers.id, 'app');
    sender.at(minutes(5));
    await sender.add(readers, ANN);
    const email = { seq: 1, list_id: readers.id };
    await suppressions.suppress({ table, now: minutes(6) }, key, { email, why: 'complaint' });
    const told = async (id?: string) =>
      (await actions(reader, id)).map(({ type, formatted_metadata: { source } }) => [type, source]);
    expect(await told()).toEqual([
      ['complaint', 'Reported as spam'],
      ['subscribe', 'Added'],
    ]);
    expect(await told(elsewhere)).toEqual([
      ['unsubscribe', 'Reported as spam'],
      ['subscribe', 'Added'],
    ]);
  });

  it('tells of a complaint about an email once', async () => {
    const reader = await newReader();
    const claimWrite = () =>
      claims.markWrite(table, reader.key, { seq: 1, as: 'complained_at', at: moment(6) });
    const cause = { email: { seq: 1, list_id: reader.readers.id }, why: 'complaint', claimWrite } as const;
    await suppressions.suppress({ table, now: minutes(6) }, reader.key, cause);
    expect(await types(reader)).toEqual(['complaint', 'email_sent', 'subscribe']);
  });

  it('tells that somebody was added as unsubscribed', async () => {
    const reader = await newReader();
    const { sender, readers } = reader;
    const { id } = await listMember.add({ table, now: sender.now }, sender.organization, {
      email_list_id: readers.id,
      email: 'bob@example.com',
      is_subscribed: false,
      metadata: {},
    });
    expect(await actions(reader, id)).toMatchObject([
      { type: 'unsubscribe', formatted_metadata: { source: 'Added as unsubscribed' } },
    ]);
  });

  it('is read by few requests, and its beginning left out where there is more than they read', async () => {
    const reader = await newReader();
    for (let link = 0; link < 205; link++) await click(reader, `link${link}`, moment(5 + link), 'person');
    let requests = 0;
    const counting = intercepted(table, send => {
      requests++;
      return send();
    });
    const on = { ...needs(reader), table: counting };
    const all = await activity.actions(on, reader.sender.organization, reader.id);
    expect(all).toHaveLength(200);
    expect(all[0]?.formatted_metadata.destination_url).toBe('https://shop.example/link204');
    expect(all.at(-1)?.type).toBe('click');
    // List, member, journal, two pages of clicks, batches, automations, combinations, templates.
    expect(requests).toBe(9);
  });

  it('is bounded, however long a subject is and however many links were clicked', async () => {
    const reader = await newReader({ subject: '{{k}}'.repeat(51), metadata: { k: '語'.repeat(1024) } });
    for (let link = 0; link < 205; link++) await click(reader, `link${link}`, moment(5 + link), 'person');
    const all = await actions(reader);
    expect(all[0]?.formatted_metadata.subject).toBe(`${'語'.repeat(300)}…`);
    expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(500_000);
  });

  it('does not say how they were added where it has not been read', async () => {
    const reader = await newReader();
    const claimed = Array.from({ length: 200 }, (_, index) => ({
      ...journal.entryKey(reader.key, index + 2),
      seq: index + 2,
      type: 'send',
      at: moment(20),
      list_id: reader.readers.id,
      batch: 'posted soon',
    }));
    await batchWrite(table, { puts: claimed });
    expect(await types(reader)).toEqual([]);
  });
});

describe('The email of an action', () => {
  it('is not shown where its values make it larger than an answer', async () => {
    const most = '{{k}}'.repeat(499);
    const reader = await newReader({ subject: 'Hello', metadata: { k: '"'.repeat(1024) }, long: most });
    await expect(content(reader, `${reader.id}-1`)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('is shown as it would be written now', async () => {
    const reader = await newReader();
    expect(await content(reader, `${reader.id}-1`)).toMatchObject({
      sender: { subject: 'Hello Ann', list_name: 'Readers', automation_name: reader.automation.name },
    });
  });

  it('is found by the action that sent it alone, and in its organization alone', async () => {
    const reader = await newReader();
    const stranger = await newSender(table, start);
    await change(reader, minutes(9));
    for (const id of [`${reader.id}-0`, `${reader.id}-2`, `${reader.id}-1-open-person`, reader.id, 'x', '']) {
      await expect(content(reader, id), id).rejects.toMatchObject({ reason: 'not-found' });
    }
    await expect(content(reader, `${reader.id}-1`, stranger.organization)).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});

it('rows say why somebody is suppressed where more than the index is read, and of the unsubscribed alone', async () => {
  const { sender, readers, key } = await newReader();
  await sender.add(readers, 'bob@example.com');
  const bob = recipientKey.keyOf(sender.organization, 'bob@example.com');
  const { now } = sender;
  await recipient.change({ table, now }, bob, readers.id, state =>
    memberships.membershipChange(now, state, { is_subscribed: false }, 'app'),
  );
  await suppressions.suppress({ table, now }, key, { email: { seq: 1, list_id: readers.id }, why: 'bounce' });
  const rows = async (query: object) => {
    const asked = ListMembersQuery.parse(query);
    const { data } = await listMember.page({ table }, readers, asked);
    return data.map(({ email, suppression, metadata }) => [email, suppression, metadata]);
  };
  expect(await rows({})).toEqual([
    [ANN, undefined, undefined],
    ['bob@example.com', undefined, undefined],
  ]);
  const suppressed = [ANN, 'bounce', undefined];
  expect(await rows({ status: 'unsubscribed' })).toEqual([suppressed, ['bob@example.com', null, undefined]]);
  const first_name = [{ key: 'first_name', type: 'string', value: 'Ann' }];
  expect(await rows({ columns: 'first_name' })).toEqual([
    [ANN, 'bounce', first_name],
    ['bob@example.com', null, []],
  ]);
});
