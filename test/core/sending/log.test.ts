import { describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as list from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as organizations from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import * as claims from '#core/recipient/claim.ts';
import * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as resendStore from '#core/sending/claim/resend.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import * as contentStore from '#core/sending/log/email.ts';
import * as pageStore from '#core/sending/log/log.ts';
import { newSeed, preview } from '#core/sending/preview.ts';
import * as batches from '#core/sending/provider-event.ts';
import { getAll } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { stored as storedAutomation } from '#test/support/core-automation.ts';
import { found } from '#test/support/core-list.ts';
import { crashing, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { losingAnswer } from '#test/support/lost-answer.ts';
import { proof } from '#test/support/proof.ts';
import { newSender, REFUSED, throttled, UNKNOWN } from '#test/support/sending.ts';

const table = freshTable();
const DAY = 24 * 60 * 60 * 1000;
let start = new Date('2029-12-31T09:58:30Z');
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
/** What falls due two days later, at this time of the day. */
const twoDaysBefore = (time: string) =>
  `${new Date(start.getTime() - 2 * DAY).toISOString().slice(0, 10)}T${time}Z`;

type Sender = Awaited<ReturnType<typeof newSender>>;

const log = (sender: Sender, query: object = {}) =>
  pageStore.page({ table, now: sender.now }, sender.organization, EmailSendsQuery.parse(query));

const find = async ({ organization }: Sender, id: string) =>
  contentStore.found(organization, id, await getAll(table, contentStore.keysOf(organization, id)));

const resend = async (sender: Sender, id: string) =>
  resendStore.resend({ table, now: sender.now, queue: sender.needs.queue }, await find(sender, id), 'user-1');

/** A list with one member, who is due at 10:00; on a day of its own, as all organizations are swept together. */
async function newReader(
  answer?: 'unknown',
  { metadata = {}, content = {} }: { metadata?: Record<string, string>; content?: object } = {},
) {
  start = new Date(start.getTime() + DAY);
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  await sender.add(readers, 'ann@example.com', {
    first_name: 'Ann',
    trial_ends: twoDaysBefore('10:00:20'),
    ...metadata,
  });
  const automation = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    delay_days: 2,
    every_x_days: 400,
  });
  const footer = 'To {{email}}. {{UNSUB_LINK}}';
  const template = await sender.newTemplate([automation.id], { footer, ...content });
  if (answer) sender.answers(UNKNOWN);
  // So much later, one more may be sent.
  await sender.run(minutes(answer ? 8 : 4));
  const [row] = (await log(sender)).data;
  return { sender, readers, automation, template, id: row?.id ?? '' };
}

describe('The log', () => {
  it('has the emails of an organization, those due last first, by pages; skips where they are asked for', async () => {
    const content = { subject_line: "Hello {{first_name | 'you'}}" };
    const { sender, readers, automation, id } = await newReader(undefined, { content });
    const keyless = await sender.newList({ name: 'Keyless', key: false });
    for (const nth of [1, 2, 3]) {
      const trial_ends = twoDaysBefore(`10:0${nth + 3}:00`);
      await sender.add(nth === 3 ? keyless : readers, `bob${nth}@example.com`, { trial_ends });
    }
    await sender.newAutomation({
      email_list_ids: [keyless.id],
      metadata_trigger: 'trial_ends',
      delay_days: 2,
    });
    sender.answers(REFUSED, UNKNOWN);
    await sender.run(minutes(12));
    const { data, meta } = await log(sender);
    const shown = data.map(row => [row.recipient_email, row.status, row.reason, row.sent_at.slice(11, 16)]);
    expect(shown).toEqual([
      ['bob2@example.com', 'unknown', 'no_answer', '10:06'],
      ['bob1@example.com', 'failed', 'refused', '10:05'],
      ['ann@example.com', 'sent', null, '10:01'],
    ]);
    expect(meta).toEqual({ current_page: 1, last_page: 1, searched_since: null, next: null });
    expect(data[2]).toMatchObject({
      id,
      email_list_name: 'Readers',
      automation_name: automation.name,
      subject: 'Hello Ann',
      is_resent: false,
      provider: 'mailgun',
      is_opened: false,
      opened_at: null,
      is_clicked: false,
      is_bounced: false,
      is_complained: false,
    });
    expect(data[2]?.list_member_id).toMatch(`${readers.id}-`);
    const pages = await Promise.all([1, 2, 3, 4].map(page => log(sender, { page, per_page: 1 })));
    expect(pages.map(page => [page.data[0]?.recipient_email, page.meta.last_page])).toEqual([
      ['bob2@example.com', 2],
      ['bob1@example.com', 3],
      ['ann@example.com', 3],
      [undefined, 3],
    ]);
    expect((await log(sender, { status: 'failed' })).data).toEqual([data[1]]);
    const [skipped, ...others] = (await log(sender, { status: 'skipped' })).data;
    expect(skipped).toMatchObject({
      reason: 'no_key',
      email_list_name: 'Keyless',
      recipient_email: 'bob3@example.com',
    });
    expect(others).toEqual([]);
  });

  it('refuses a page that is too far to be counted', async () => {
    const { sender } = await newReader();
    await expect(log(sender, { page: 4_002 })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('keeps the email of somebody who was erased, without their address', async () => {
    const { sender } = await newReader();
    await recipient.erase({ table, now: sender.now }, sender.organization, 'ann@example.com');
    expect((await log(sender)).data).toMatchObject([{ recipient_email: 'Deleted', list_member_id: null }]);
  });
});

it('an email says what happened to it, oldest first, and one that was released is not found', async () => {
  for (const answer of [undefined, 'unknown'] as const) {
    const { sender, id } = await newReader(answer);
    const needs = { table, now: sender.now };
    const { key, claim } = await find(sender, id);
    const [due, bounced_at, opened_at] = [1.5, 90, 60].map(count => minutes(count).toISOString());
    const { steps, ...send } = await pageStore.details(needs, {
      key,
      claim: { ...claim, bounced_at, opened_at },
    });
    expect(send).toEqual((await log(sender)).data[0]);
    expect(steps).toEqual([
      { step: 'due', at: due },
      { step: 'claimed', at: claim.at },
      { step: 'answered', at: send.sent_at },
      { step: 'opened', at: opened_at },
      { step: 'bounced', at: bounced_at },
    ]);
    await expect(
      pageStore.details(needs, { key, claim: { ...claim, released: true } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
  }
});

describe('The content of an email', () => {
  const content = async (sender: Sender, id: string) =>
    contentStore.content(
      { table, publicUrl: 'https://letterflow.example', organization: {} },
      await find(sender, id),
    );

  it('is what was sent, whatever is deleted or changed since', async () => {
    const { sender, readers, automation, template, id } = await newReader();
    const [mail] = sender.mails();
    const items = await getAll(table, emailTemplates.keysOf(sender.organization, template.id));
    const stored = await emailTemplates.found({ table }, sender.acting, items);
    await emailTemplates.remove({ table, now: sender.now }, stored);
    const changed = { name: 'Others', sender_name: 'Somebody', unsubscribe_text: 'Abbestellen' } as const;
    await list.change({ table, now: sender.now }, readers, changed);
    const key = recipientKey.keyOf(sender.organization, 'ann@example.com');
    await recipient.change({ table, now: sender.now }, key, readers.id, state =>
      memberships.membershipChange(sender.now, state, { metadata: { first_name: 'Anna' } }, 'app'),
    );
    const { html, plaintext, is_exact, sender: from } = await content(sender, id);
    expect(is_exact).toBe(true);
    expect(from).toMatchObject({
      name: 'The editors',
      subject: mail?.subject,
      list_name: 'Readers',
      automation_name: automation.name,
      trigger_metadata: twoDaysBefore('10:00:20.000'),
    });
    // But for the links, which neither the reader nor the member may click here.
    const untracked = (text = '') => text.replace(/https:\/\/[^\s)"]+/g, '');
    expect(untracked(plaintext)).toBe(untracked(mail?.text));
    expect(plaintext).toContain('Hello Ann, this is number');
    expect(plaintext).toContain('To ann@example.com. ');
    expect(html).not.toMatch(/\/t\/[oc]\//);
  });

  it('is written anew where its values were too large to be kept with it', async () => {
    const { sender, readers, automation } = await newReader();
    const first_name = 'Ann '.repeat(200);
    await sender.add(readers, 'long@example.com', { first_name, trial_ends: twoDaysBefore('10:06:00') });
    await sender.run(minutes(12));
    const [row] = (await log(sender)).data;
    const { plaintext, is_exact, sender: from } = await content(sender, row?.id ?? '');
    expect(is_exact).toBe(false);
    expect(plaintext).toContain(`Hello ${first_name.trim()}`);
    expect(from).toMatchObject({ list_name: 'Readers', automation_name: automation.name });
  });

  proof('is refused where an answer could not hold it, as is a preview', async () => {
    const many = '{{long}} '.repeat(499);
    const { sender, id } = await newReader(undefined, {
      metadata: { long: '"'.repeat(1024) },
      content: { pre_cta_content: many, after_cta_content: many, footer: `${many}{{UNSUB_LINK}}` },
    });
    const tooLarge = { reason: 'conflict', message: expect.stringContaining('too large to be shown') };
    await expect(content(sender, id)).rejects.toMatchObject(tooLarge);
    const [automation] = await automationStore.readAll(table, sender.organization);
    const needs = { table, now: sender.now, publicUrl: 'https://letterflow.example', organization: {} };
    await expect(
      preview(needs, automation as automationStore.StoredAutomation, { seed: newSeed() }),
    ).rejects.toMatchObject(tooLarge);
  });

  it('is not kept of somebody who was erased', async () => {
    const { sender, id } = await newReader();
    await recipient.erase({ table, now: sender.now }, sender.organization, 'ann@example.com');
    const { claim } = await find(sender, id);
    expect([claim.values, claim.trigger]).toEqual([undefined, undefined]);
    const { plaintext, is_exact } = await content(sender, id);
    expect(is_exact).toBe(false);
    expect(plaintext).not.toContain('Ann');
  });
});

describe('An unknown email', () => {
  const at = async (sender: Sender, count: number) => sender.run(minutes(count));

  it('is sent again once, by a claim of its own that names the user', async () => {
    const { sender, id } = await newReader('unknown');
    await resend(sender, id);
    await expect(resend(sender, id)).rejects.toMatchObject({ reason: 'conflict' });
    await at(sender, 12);
    expect(sender.mailedTo()).toEqual(['ann@example.com', 'ann@example.com']);
    const { data } = await log(sender);
    expect(data.map(row => [row.status, row.is_resent])).toEqual([
      ['sent', false],
      ['unknown', true],
    ]);
    const { claim } = await find(sender, data[0]?.id ?? '');
    expect(claim).toMatchObject({ resent_by: 'user-1', resends: 1 });
    const [first, second] = sender.mails().map(({ text }) => text.replace(/https:[^\s)]+/g, ''));
    expect(second).toBe(first);
  });

  it('keeps how its content was chosen, where it is sent again', async () => {
    const { sender, id } = await newReader('unknown');
    const { key, claim } = await find(sender, id);
    const chosen = { share: 0.9, weighted: true };
    await updateItem(table, journal.entryKey(key, claim.seq), { set: chosen });
    await resend(sender, id);
    await at(sender, 12);
    const [row] = (await log(sender)).data;
    expect((await find(sender, row?.id ?? '')).claim).toMatchObject({ ...chosen, resends: 1 });
  });

  it('is sent again once where two ask for it at the same time', async () => {
    const { sender, id } = await newReader('unknown');
    const asked = await Promise.allSettled([resend(sender, id), resend(sender, id)]);
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await at(sender, 12);
    expect(sender.mails()).toHaveLength(2);
  });

  it('is sent again, and the user is told so, where the SDK repeats the wish because its answer was lost', async () => {
    const { sender, id } = await newReader('unknown');
    const { queue } = sender.needs;
    const email = await find(sender, id);
    await resendStore.resend({ table: losingAnswer(table), now: sender.now, queue }, email, 'user-1');
    await at(sender, 12);
    expect(sender.mails()).toHaveLength(2);
  });

  it('is tried again where the provider did not take it, and is not said to be in vain meanwhile', async () => {
    const { sender, id } = await newReader('unknown');
    sender.answers(throttled(60));
    await resend(sender, id);
    await at(sender, 20);
    expect(sender.mails()).toHaveLength(3);
    expect((await log(sender)).data.map(({ status }) => status)).toEqual(['sent', 'unknown']);
  });

  it('is sent again also where its automation was switched off and on again since it was asked for', async () => {
    const { sender, automation, id } = await newReader('unknown');
    await resend(sender, id);
    for (const active of [false, true]) {
      sender.at(new Date(sender.now.getTime() + 60_000));
      const stored = await storedAutomation(table, sender.organization, automation.id);
      await automations.change({ table, now: sender.now }, stored, { active });
    }
    await at(sender, 14);
    expect(sender.mails()).toHaveLength(2);
  });

  it('waits while its list is paused, and is skipped after a day, so that it may be asked for again', async () => {
    const { sender, readers, id } = await newReader('unknown');
    await resend(sender, id);
    const denied = await found(table, sender.organization, readers.id);
    await sendingKey.markDenied({ table, now: sender.now }, denied);
    sender.at(minutes(25 * 60));
    await sender.deliverAll();
    sender.at(minutes(26 * 60));
    await sender.deliverAll();
    expect(sender.mails()).toHaveLength(1);
    expect((await log(sender, { status: 'skipped' })).data).toMatchObject([{ reason: 'stale' }]);
    expect((await log(sender)).data).toMatchObject([{ status: 'unknown', is_resent: false }]);
  });

  it('may be asked for again where the process died that skipped it', async () => {
    const { sender, readers, id } = await newReader('unknown');
    await resend(sender, id);
    const [message] = sender.queue.splice(0);
    if (!message) throw new Error('Nothing is queued');
    const before = await found(table, sender.organization, readers.id);
    await list.change({ table, now: sender.now }, before, { active: false });
    // It has the lease, then it stores the skip.
    const dies = { ...sender.needs, table: crashing(table, { at: 2, how: 'after' }) };
    sender.at(minutes(12));
    expect(await survives(deliver(dies, message.pack))).toBe(false);
    sender.at(minutes(20));
    await deliver(sender.needs, message.pack);
    expect((await log(sender, { status: 'skipped' })).data).toMatchObject([{ reason: 'list_off' }]);
    expect((await log(sender)).data).toMatchObject([{ status: 'unknown', is_resent: false }]);
  });

  it.each<[string, (sender: Sender, id: string) => Promise<unknown>]>([
    [
      'it is known to have arrived',
      async (sender, id) => {
        const { key, claim } = await find(sender, id);
        await batches.applyProviderEvent({ table, now: sender.now }, key, claim, 'delivered');
      },
    ],
    [
      'the event that it arrived has come, and its batch has not been settled yet',
      async (sender, id) => {
        const { key, claim } = await find(sender, id);
        const mark = { seq: claim.seq, as: 'delivered_at', at: sender.now.toISOString() } as const;
        await claims.markClaim(table, key, mark);
      },
    ],
  ])('is not sent again where %s, at the click or when it is posted', async (_, arrive) => {
    const clicked = await newReader('unknown');
    await arrive(clicked.sender, clicked.id);
    await expect(resend(clicked.sender, clicked.id)).rejects.toMatchObject({ reason: 'conflict' });
    const { sender, id } = await newReader('unknown');
    await resend(sender, id);
    await arrive(sender, id);
    await at(sender, 12);
    expect(sender.mails()).toHaveLength(1);
    expect((await log(sender)).data[0]?.is_resent).toBe(false);
  });

  it('keeps the safeguards of the moment at which it is sent', async () => {
    const { sender, id } = await newReader('unknown');
    await resend(sender, id);
    await safeguards.change({ table, now: start }, sender.organization, { max_emails_24_hours: 1 });
    await at(sender, 12);
    expect(sender.mails()).toHaveLength(1);
    const [skip] = (await log(sender, { status: 'skipped' })).data;
    expect(skip?.reason).toBe('capped:max_emails_24_hours');
    expect((await log(sender)).data).toMatchObject([{ id, is_resent: false }]);
  });

  it('is not sent by a pack whose wish was never stored', async () => {
    const { sender, id } = await newReader('unknown');
    const queue: typeof sender.needs.queue = async (...queued) => {
      await sender.needs.queue(...queued);
      throw new Error('The process ends');
    };
    await expect(
      resendStore.resend({ table, now: sender.now, queue }, await find(sender, id), 'user-1'),
    ).rejects.toThrow('The process ends');
    await at(sender, 12);
    expect(sender.mails()).toHaveLength(1);
    expect((await log(sender)).data).toMatchObject([{ id, is_resent: false }]);
  });

  it('is not sent again to who unsubscribed, nor beyond the safeguards; and no other email is', async () => {
    const one = await newReader('unknown');
    await safeguards.change({ table, now: start }, one.sender.organization, { max_emails_24_hours: 1 });
    await expect(resend(one.sender, one.id)).rejects.toMatchObject({
      message: 'The member had as many emails as the safeguards allow within 24 hours.',
    });
    const gone = await newReader('unknown');
    const key = recipientKey.keyOf(gone.sender.organization, 'ann@example.com');
    await recipient.leave({ table, now: gone.sender.now }, key, gone.readers.id, 'app');
    await expect(resend(gone.sender, gone.id)).rejects.toMatchObject({
      message: 'The member was not subscribed any more.',
    });
    const sent = await newReader();
    await expect(resend(sent.sender, sent.id)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('is not sent again in quiet hours, which the answer tells', async () => {
    const { sender, id } = await newReader('unknown');
    const [found] = await organizations.findAll({ table }, [sender.organization]);
    if (!found) throw new Error('It is there');
    const night = { time_zone: 'Europe/Berlin', quiet_hours: [{ from: '22:00', until: '08:00' }] };
    await sendingHours.change({ table, now: start }, found, night);
    const tomorrow = minutes(24 * 60)
      .toISOString()
      .slice(0, 10);
    const at = (time: string) => sender.at(new Date(`${tomorrow}T${time}Z`));
    at('02:30:00');
    await expect(resend(sender, id)).rejects.toMatchObject({
      reason: 'conflict',
      message: 'Nothing is sent in quiet hours, which last until 08:00 (Europe/Berlin).',
    });
    at('07:00:00');
    await resend(sender, id);
    expect((await find(sender, id)).claim.resend).toBeDefined();
  });
});
