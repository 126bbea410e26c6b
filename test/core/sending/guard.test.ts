import { beforeEach, expect, it } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as listStore from '#core/list/list.store.ts';
import { type Letter, letter } from '#core/mail.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { markClaim } from '#core/recipient/claim.ts';
import { readSendId } from '#core/recipient/recipient.key.ts';
import { guardedIn } from '#core/sending/guard.store.ts';
import { check } from '#core/sending/guard.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import { automationHash, bucketOf } from '#core/sending/rollup.ts';
import type { Counter } from '#core/storage/projection.ts';
import { batchWrite, getAll, queryPartition } from '#core/storage/table.store.ts';
import { NewSequence } from '#shared/sequence.ts';
import { beginWarmUp, warmUpAt } from '#shared/warm-up.ts';
import { broadcastsIn } from '#test/support/broadcasts.ts';
import { deliveries, HOUR, MINUTE, type Sender, start, timeAfter } from '#test/support/deliveries.ts';
import { newMember, postbox } from '#test/support/people.ts';

const { table, ready, follow, states, reasons, changeAutomation, storedAutomation } = deliveries();
const { mails, mailer } = postbox();
beforeEach(() => void mails.splice(0));
const noon = timeAfter(4 * HOUR);

const needs = (now = noon) => ({ table, now, mailer, linkTo: (id: string) => `https://example.com/${id}` });
const stream = (sender: Sender, automation: string) => ({
  organization: sender.organization,
  automation,
  provider: 'mailgun' as const,
});

/** What became of the emails of an hour. */
const count = (sender: Sender, automation: string, counts: object, at = noon, resumes = 0) =>
  batchWrite(table, {
    puts: [
      {
        PK: `ORG#${sender.organization}#GUARD`,
        SK: `${automation}#mailgun#${at.toISOString().slice(0, 13)}${resumes ? `.${resumes}` : ''}`,
        ...counts,
      },
    ],
  });

it('counts sent emails, bounces for good and complaints by automation, provider and hour, each once', async () => {
  const { sender, automation, readers } = await ready(
    ['ann', 'ben', 'cleo'].map(name => `${name}@example.com`),
  );
  await sender.run(timeAfter(5 * MINUTE));
  const sends = sender.mails().map(({ id = '' }) => id);
  const tell = (meaning: 'hard' | 'soft' | 'complaint', send = '', now = timeAfter(2 * HOUR)) =>
    applyEvent(
      { table, now },
      { organization: sender.organization, id: readers.id },
      { meaning, send, reason: '550 no', provider: 'mailgun' },
    );
  await tell('soft', sends[0]);
  await tell('soft', sends[1]);
  for (let repeated = 0; repeated < 2; repeated++) await tell('hard', sends[1]);
  for (let repeated = 0; repeated < 2; repeated++) await tell('complaint', sends[2]);
  // Not by the provider that took it: what that says later would count nothing.
  const foreign = { meaning: 'hard', send: sends[0] ?? '', reason: '550 no', provider: 'ses' } as const;
  expect(await applyEvent({ table, now: timeAfter(2 * HOUR) }, undefined, foreign)).toBe(false);
  await follow(sender.now);
  const items = await queryPartition(table, `ORG#${sender.organization}#GUARD`);
  expect(items.map(({ SK, sent, bounced, complained }) => [SK, sent, bounced, complained])).toEqual([
    [`${automation}#mailgun#2030-01-01T10`, 3, 1, 1],
  ]);
});

it('pauses an automation within the limits of one hour, once, and tells its managers the numbers', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 });
  await Promise.all([1, 2].map(() => check(needs(), stream(sender, automation)).catch(() => undefined)));
  await check(needs(), stream(sender, automation));
  const shown = await automations.detail({ table }, await storedAutomation(sender, automation));
  expect(shown).toMatchObject({ active: false, warned: null });
  expect(shown.paused).toEqual({
    by: 'guard',
    at: noon.toISOString(),
    kind: 'bounced',
    hours: 1,
    sent: 200,
    events: 20,
    provider: 'mailgun',
    combination_id: null,
  });
  const letters = [...mails];
  expect(new Set(letters.map(({ to }) => to)).size).toBe(1);
  expect(letters[0]?.letter.text).toContain(
    'Of 200 emails of “welcome” that went by Mailgun within one hour, 20 bounced for good: 10%.',
  );
  expect(letters[0]?.letter.text).toContain(`https://example.com/${automation}`);
});

it('the letter has the reasons of its own automation alone', async () => {
  const { sender, automation, readers } = await ready();
  const other = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
    delay_days: 2,
    every_x_days: 7,
  });
  await sender.newTemplate([other.id]);
  await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
  await sender.run(timeAfter(5 * MINUTE));
  for (const { id: send = '', headers } of sender.mails()) {
    const reason = headers['Feedback-ID']?.startsWith(automation) ? '550 no such user' : '552 mailbox full';
    const list = { organization: sender.organization, id: readers.id };
    await applyEvent({ table, now: noon }, list, { meaning: 'hard', send, reason, provider: 'mailgun' });
  }
  await follow(noon);
  await count(sender, automation, { sent: 200, bounced: 20 });
  await check(needs(), stream(sender, automation));
  expect(mails.map(({ letter }) => /^The most recent reasons: .*$/m.exec(letter.text)?.[0])).toEqual([
    'The most recent reasons: 550 no such user',
  ]);
});

it('tells it again where the process died before it noted that it had', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 });
  const failing = { send: () => Promise.reject(new Error('Throttled')) };
  await expect(check({ ...needs(), mailer: failing }, stream(sender, automation))).rejects.toThrow(
    'Throttled',
  );
  expect(await storedAutomation(sender, automation)).toMatchObject({ active: false });
  expect(await check(needs(), stream(sender, automation))).toBe('paused');
  expect(await check(needs(), stream(sender, automation))).toBeUndefined();
  expect(mails).toHaveLength(1);
});

it('posts nothing more five seconds later, and the log says who paused it', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 }, start);
  await check(needs(start), stream(sender, automation));
  await sender.run(timeAfter(10 * MINUTE));
  expect(await states(sender)).toEqual([]);
});

it('of what a pack has claimed when it is paused, nothing is posted', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 });
  const { post } = sender.needs.providers.mailgun;
  sender.needs.providers.mailgun.post = async (access, emails, mayContinue) => {
    await check(needs(sender.now), stream(sender, automation));
    sender.at(new Date(sender.now.getTime() + 5_001));
    return post(access, emails, mayContinue);
  };
  await count(sender, automation, { sent: 200, bounced: 20 }, timeAfter(0));
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.mails()).toEqual([]);
  expect(await reasons(sender)).toEqual(['guard_off']);
});

it('begins anew once it is switched on again, also within the hour', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 });
  await check(needs(), stream(sender, automation));
  sender.at(noon);
  await changeAutomation(sender, automation, { active: true });
  expect(await automations.detail({ table }, await storedAutomation(sender, automation))).toMatchObject({
    active: true,
    paused: null,
  });
  expect(await check(needs(), stream(sender, automation))).toBeUndefined();
  // Late bounces of what was sent before.
  await count(sender, automation, { sent: 200, bounced: 90 });
  expect(await check(needs(), stream(sender, automation))).toBeUndefined();
  const found = async (counts: object, resumes: number) => {
    await count(sender, automation, counts, noon, resumes);
    return check(needs(), stream(sender, automation));
  };
  expect(await found({ sent: 200, bounced: 19 }, 1)).toBeUndefined();
  expect(await found({ sent: 400, bounced: 40 }, 1)).toBe('paused');
  await changeAutomation(sender, automation, { active: true });
  expect(await found({ sent: 400, bounced: 80 }, 1)).toBeUndefined();
  expect(await found({ sent: 200, bounced: 20 }, 2)).toBe('paused');
});

it('emails that are sent after a pause count apart from those before it', async () => {
  const { sender, automation, readers } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 }, start);
  await check(needs(start), stream(sender, automation));
  await changeAutomation(sender, automation, { active: true });
  await sender.run(timeAfter(5 * MINUTE));
  await applyEvent(
    { table, now: sender.now },
    { organization: sender.organization, id: readers.id },
    { meaning: 'hard', send: sender.mails()[0]?.id ?? '', reason: '', provider: 'mailgun' },
  );
  await follow(sender.now);
  const items = await queryPartition(table, `ORG#${sender.organization}#GUARD`);
  expect(items.map(({ SK, sent, bounced }) => [SK, sent, bounced])).toEqual([
    [`${automation}#mailgun#2030-01-01T09`, 200, 20],
    [`${automation}#mailgun#2030-01-01T10.1`, 1, 1],
  ]);
});

it('of checks at once, one sends the letter', async () => {
  const { sender, automation } = await ready();
  await count(sender, automation, { sent: 200, bounced: 20 });
  await Promise.all([1, 2, 3, 4].map(() => check(needs(), stream(sender, automation))));
  expect(mails).toHaveLength(1);
});

it('pauses at the percentage of an owner, and warns and counts hours in proportion', async () => {
  const { sender, automation } = await ready();
  const stricter = { complained: 0.1, bounced: 1 };
  await safeguards.change({ table, now: start }, sender.organization, { pause_at_percent: stricter });
  const at = async (counts: object) => {
    await count(sender, automation, counts);
    return check(needs(), stream(sender, automation));
  };
  expect(await at({ sent: 10_001, complained: 10 })).toBe('warned');
  expect(await at({ sent: 10_000, complained: 10 })).toBe('paused');
  await changeAutomation(sender, automation, { active: true });
  await count(sender, automation, { sent: 1000, bounced: 20 }, noon, 1);
  expect(await check(needs(), stream(sender, automation))).toBe('paused');
});

it('tells each manager once, also where the address of one takes no mail', async () => {
  const { sender, automation } = await ready();
  const admin = await newMember(table, start, sender.organization, 'ADMIN');
  await count(sender, automation, { sent: 200, bounced: 20 });
  const refusing = {
    send: async (to: string, told: Letter) => {
      if (to === admin.email) throw new Error('Address is not verified');
      await mailer.send(to, told);
    },
  };
  const again = () => check({ ...needs(), mailer: refusing }, stream(sender, automation));
  await expect(again()).rejects.toThrow('Address is not verified');
  expect(await again()).toBeUndefined();
  expect(mails).toHaveLength(1);
});

it('warns once a day of each kind below that, mails nobody, and keeps its lists at their step of a warm-up', async () => {
  const { sender, automation, readers } = await ready();
  const warm_up = { ...beginWarmUp(start), sent: 100 };
  await listStore.change(table, readers, { set: { warm_up } });
  await count(sender, automation, { sent: 400, bounced: 20 });
  expect(await check(needs(), stream(sender, automation))).toBe('warned');
  expect(await check(needs(), stream(sender, automation))).toBeUndefined();
  expect(await storedAutomation(sender, automation)).toMatchObject({
    active: true,
    warned: { kind: 'bounced', events: 20 },
  });
  const [held] = await listStore.readAllUncounted(table, sender.organization);
  const steps = [warm_up, held?.warm_up].map(of => warmUpAt(of, timeAfter(24 * HOUR))?.step);
  expect(steps).toEqual([1, 0]);
  await count(sender, automation, { sent: 1000, complained: 5 });
  expect(await check(needs(), stream(sender, automation))).toBe('warned');
  const { warned } = await automations.detail({ table }, await storedAutomation(sender, automation));
  expect(warned).toMatchObject({ kind: 'complained', events: 5 });
  expect(mails).toEqual([]);
});

it('another provider of the same automation, and another automation, count apart', async () => {
  const { sender, automation } = await ready();
  await count(sender, 'another00000', { sent: 200, bounced: 200 });
  expect(await check({ ...needs() }, { ...stream(sender, automation), provider: 'ses' })).toBeUndefined();
  expect(await check(needs(), stream(sender, automation))).toBeUndefined();
});

it('is asked about bounces and complaints alone', () => {
  const key = (automation: string) => ({ PK: 'ORG#7#GUARD', SK: `${automation}#ses#2030-01-01T10` });
  const other = { key: { PK: 'ORG#7#REPORT', SK: '2030-01-01#07' }, add: { bounced: 1 } };
  const counters: Counter[] = [
    { key: key('a'), add: { sent: 5 } },
    { key: key('b'), add: { bounced: 1 } },
    { key: key('b'), add: { complained: 1 } },
    { key: key('c'), add: { complained: 1 } },
    other,
  ];
  expect(guardedIn(counters)).toEqual(
    ['b', 'c'].map(automation => ({ organization: 7, automation, provider: 'ses' })),
  );
});

it('of a sequence, the step alone is paused, and a change of its name does not switch it on', async () => {
  const { sender, readers } = await ready();
  const steps = [{ delay_days: 0 }, { delay_days: 3 }];
  const to = { name: 'Onboarding', active: true, email_list_ids: [readers.id], starts_at: 'added', steps };
  const owner = { table, now: start };
  const made = await sequences.create(owner, sender.organization, NewSequence.parse(to));
  const step = made.steps[1]?.automation_id ?? '';
  await count(sender, step, { sent: 200, bounced: 20 });
  expect(await check(needs(), stream(sender, step))).toBe('paused');
  const stored = async () =>
    sequences.found(await getAll(table, sequences.keysOf(sender.organization, made.id)));
  const after = await sequences.change(owner, await stored(), { name: 'Welcome' });
  expect(after.steps.map(({ active }) => active)).toEqual([true, false]);
  expect(await storedAutomation(sender, step)).toMatchObject({ active: false, paused: { events: 20 } });
  const on = after.steps.map(({ automation_id }) => ({ automation_id, active: true }));
  await sequences.change(owner, await stored(), { steps: on });
  expect((await storedAutomation(sender, step)).paused).toBeUndefined();
});

it('the words of a mail server are no link in a letter', () => {
  const { text, html } = letter('Paused', [
    { paragraph: '550 Sign in at https://3627734062/ or evil.example' },
  ]);
  for (const written of [text, html]) expect(written).toContain('https[:]//3627734062/ or evil[.]example');
});

it('a broadcast that it stopped begins anew when it goes to the rest', async () => {
  const { sender, change, shown, stored, id } = await broadcastsIn(table).ready([{ ann: {} }]);
  await change({ status: 'scheduled' });
  sender.at(noon);
  await count(sender, id, { sent: 200, bounced: 20 });
  expect(await check(needs(), stream(sender, id))).toBe('paused');
  expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason: 'guard_off' } });
  await change({ status: 'scheduled' });
  expect((await stored()).paused).toBeUndefined();
  expect(await check(needs(), stream(sender, id))).toBeUndefined();
  expect((await stored()).active).toBe(true);
});

it('names the content that most complain about, if it stands out', async () => {
  const { sender, automation } = await ready();
  const [bad, good, worse] = ['0123456789ab', 'ba9876543210', 'cd9876543210'];
  const report = (combination: string, sent: number, complained: number, of = automation) => ({
    PK: `ORG#${sender.organization}#REPORT`,
    SK: `2030-01-01#${bucketOf(combination)}`,
    [`s${combination}${automationHash(of)}`]: sent,
    [`x${combination}`]: complained,
  });
  await count(sender, automation, { sent: 2000, complained: 12 });
  const ofAnother = report(worse, 1000, 90, 'another00000');
  await batchWrite(table, { puts: [report(bad, 1000, 10), report(good, 1000, 2), ofAnother] });
  await check(needs(), stream(sender, automation));
  expect((await storedAutomation(sender, automation)).paused).toMatchObject({ combination_id: bad });
});

it('a bounce for good counts once, whatever becomes of its email later', async () => {
  const { sender, readers } = await ready();
  await sender.run(timeAfter(5 * MINUTE));
  const send = sender.mails()[0]?.id ?? '';
  const event = { meaning: 'hard', send, reason: '550 no', provider: 'mailgun' } as const;
  await applyEvent({ table, now: noon }, { organization: sender.organization, id: readers.id }, event);
  const { key, seq } = readSendId(send) ?? {};
  if (!key || !seq) throw new Error(`${send} is no email`);
  await markClaim(table, key, { seq, as: 'opened_at', at: noon.toISOString() });
  await follow(sender.now);
  const hours = await queryPartition(table, `ORG#${sender.organization}#GUARD`);
  expect(hours.map(({ sent, bounced }) => [sent, bounced])).toEqual([[1, 1]]);
});

it('an automation that is switched on again has no warning from before its pause', async () => {
  const { sender, automation } = await ready();
  const look = () => check(needs(), stream(sender, automation));
  await count(sender, automation, { sent: 400, bounced: 20 });
  expect(await look()).toBe('warned');
  await count(sender, automation, { sent: 400, bounced: 40 });
  expect(await look()).toBe('paused');
  await changeAutomation(sender, automation, { active: true });
  expect((await storedAutomation(sender, automation)).warned).toBeUndefined();
  await count(sender, automation, { sent: 400, bounced: 20 }, noon, 1);
  expect(await look()).toBe('warned');
});
