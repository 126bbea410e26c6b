import { expect, it } from 'vitest';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as lists from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { begunBy, dryRun } from '#core/sending/forecast/dry-run.ts';
import { withAutomation } from '#core/sending/forecast/predict.ts';
import * as stops from '#core/sending/stop.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import type { AutomationChange } from '#shared/automation.ts';
import { deliveries, HOUR, mailed, type Sender, start, timeAfter } from '#test/support/deliveries.ts';
import { newSender, openVault } from '#test/support/sending.ts';
import { dyingAsPassMoves, sweeper } from '#test/support/sweeping.ts';
import { unstored } from '#test/support/unstored.ts';

const { table, reasons, atClaims, changeAutomation, changeHours, changeMember, mailedAt, storedAutomation } =
  deliveries();

const DAY = 24 * HOUR;
const email = (name: string) => `${name}@example.com`;

/** Members with these dates, and an automation that is off and sends every seven days. */
async function ready(members: Record<string, string>, fields: object = {}, list = {}) {
  const sender = await newSender(table, start);
  const readers = await sender.newList(list);
  sender.at(timeAfter(-60 * DAY));
  for (const [name, ends] of Object.entries(members)) await sender.add(readers, email(name), { ends });
  sender.at(start);
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'ends',
    every_x_days: 7,
    active: false,
    ...fields,
  });
  await sender.newTemplate([id]);
  const change = (to: object) => changeAutomation(sender, id, to);
  const switchOn = () => change({ active: true, include_existing: true });
  return { sender, readers, id, change, switchOn };
}

/** Who is mailed by a sweep at a time after the start. */
const at = (sender: Sender, after: number) => mailedAt(sender, timeAfter(after));

/** Of a change of an automation, which is not stored. */
async function dryRunOf(sender: Sender, before: StoredAutomation, body: AutomationChange) {
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  const after = await automations.changed(needs, before, body);
  return dryRun(needs, sender.organization, withAutomation(after), begunBy(before, after, body));
}
const day = (people: number) => ({ emails: people, people_more: people, people_fewer: 0 });

const claimsOf = async (sender: Sender, name: string) =>
  (await queryPartition(table, `R#${sender.organization}#${hashOf(email(name))}`, 'J#')).filter(
    ({ type }) => type === 'send',
  );

const MEMBERS = {
  // First due weeks ago; at the switch, in its minute; and later today.
  ann: '2029-12-01T08:00:00Z',
  ben: '2029-12-31T11:00:00Z',
  now: '2030-01-01T09:58:10Z',
  dan: '2030-01-01T15:00:00Z',
  eve: 'someday',
};

it('whose first email was due before the switch gets it at once, where the switch says so', async () => {
  const { sender, change, switchOn } = await ready(MEMBERS);
  expect(await switchOn()).toMatchObject({ mails_existing: true });
  expect(await at(sender, 40_000)).toEqual(['ann', 'ben', 'now']);
  expect(await change({})).not.toHaveProperty('mails_existing');
  expect(await claimsOf(sender, 'ann')).toMatchObject([
    { key: expect.stringMatching(/#2029-12-01#1$/), at: '2030-01-01T09:59:00.000Z', existing: true },
  ]);
  expect((await claimsOf(sender, 'now'))[0]?.existing).toBeUndefined();
  // What follows is due as always: that of ann on 5 January, the fifth one.
  await sender.run(timeAfter(3 * 60_000));
  expect(await at(sender, DAY)).toEqual(['dan']);
  expect(await at(sender, 4 * DAY)).toEqual(['ann']);
  expect(await reasons(sender)).toEqual([]);
});

it('on the day of an email that the minutes of the delay put off to the next one, that alone is sent', async () => {
  // At 11:00, 12 hours later, is still due what is of 31 December, to ann; that of 1 January goes to ben a day later.
  const dates = { ann: '2029-12-03T23:00:00Z', ben: '2029-12-04T23:00:00Z' };
  const { sender, switchOn } = await ready(dates, { delay_minutes: 12 * 60 });
  await switchOn();
  expect(await at(sender, 40_000)).toEqual(['ben']);
  expect(await at(sender, 3 * HOUR)).toEqual(['ann']);
  expect(await at(sender, 27 * HOUR)).toEqual(['ben']);
});

it('without a word nobody gets what was due before', async () => {
  const { sender, change } = await ready(MEMBERS);
  await change({ active: true });
  await sender.run(timeAfter(3 * 60_000));
  expect(mailed(sender)).toEqual(['01-01T09:59 now@example.com']);
});

it('off, on, and on again a month later mails nobody twice, and those who came meanwhile', async () => {
  const { sender, readers, change, switchOn } = await ready(MEMBERS, { stop_after_days: 0 });
  await switchOn();
  await sender.run(timeAfter(2 * 60_000));
  sender.at(timeAfter(DAY / 24));
  await change({ active: false });
  sender.at(timeAfter(20 * DAY));
  await sender.add(readers, email('fay'), { ends: '2030-01-20T08:00:00Z' });
  sender.at(timeAfter(31 * DAY));
  await switchOn();
  expect(await at(sender, 31 * DAY + 60_000)).toEqual(['dan', 'fay']);
  sender.at(timeAfter(32 * DAY));
  await change({ active: false });
  await switchOn();
  expect(await at(sender, 32 * DAY + 60_000)).toEqual([]);
  expect(await reasons(sender)).toEqual([]);
});

it('who got it long ago, and forty other emails since, does not get it again', async () => {
  const { sender, change, switchOn } = await ready({ ann: '2029-10-01T08:00:00Z' }, { stop_after_days: 0 });
  sender.at(timeAfter(-50 * DAY));
  await switchOn();
  expect(await at(sender, -50 * DAY + 60_000)).toEqual(['ann']);
  const [{ PK = '', SK: _, ...first } = {}] = await claimsOf(sender, 'ann');
  const later = Array.from({ length: 40 }, (_, nth) => ({
    ...first,
    PK: String(PK),
    SK: `J#${9_999_999_999 - nth - 2}`,
    seq: nth + 2,
    at: timeAfter((nth - 45) * DAY).toISOString(),
    automation_id: 'another',
    key: `another#${nth}#1`,
  }));
  for (const puts of [later.slice(0, 20), later.slice(20)]) await batchWrite(table, { puts });
  sender.at(start);
  await change({ active: false });
  await switchOn();
  await sender.run(timeAfter(3 * 60_000));
  expect(sender.mails()).toHaveLength(1);
});

it('a list that is added to an active automation includes its members alone, and each person once', async () => {
  const { sender, readers, id, change } = await ready({ ann: '2029-12-01T08:00:00Z' });
  const others = await sender.newList();
  const more = await sender.newList();
  await change({ active: true });
  sender.at(timeAfter(-DAY));
  for (const of of [others, more]) await sender.add(of, email('ben'), { ends: '2030-01-01T08:00:00Z' });
  await sender.add(others, email('cleo'), { ends: '2029-12-15T08:00:00Z' });
  sender.at(timeAfter(60_000));
  await change({ email_list_ids: [readers.id, others.id, more.id], include_existing: true });
  expect(await at(sender, 2 * 60_000)).toEqual(['ben', 'cleo']);
  sender.at(timeAfter(3 * 60_000));
  const refused = change({ name: 'other', include_existing: true });
  await expect(refused).rejects.toMatchObject({ errors: { include_existing: [expect.any(String)] } });
  const yearly = change({ active: false, repeat: 'yearly' }).then(() =>
    change({ active: true, include_existing: true }),
  );
  await expect(yearly).rejects.toMatchObject({ errors: { include_existing: [expect.any(String)] } });
  expect(await storedAutomation(sender, id)).not.toHaveProperty('include_existing');
});

it('what was queued when it was switched off is not sent when it is on again, even in the same minute', async () => {
  const { sender, change, switchOn } = await ready(MEMBERS);
  await switchOn();
  sender.at(timeAfter(31_000));
  await sender.sweep();
  sender.at(timeAfter(40_000));
  await change({ active: false });
  sender.at(timeAfter(45_000));
  await change({ active: true });
  expect(await at(sender, 50_000)).toEqual([]);
  expect(await at(sender, 5 * 60_000)).toEqual([]);
  expect(new Set(await reasons(sender))).toEqual(new Set(['automation_off']));
});

it('what was claimed when it was switched off for a moment is not posted five seconds later', async () => {
  const { sender, change, switchOn } = await ready({ ann: MEMBERS.ann, ben: MEMBERS.ben });
  await switchOn();
  const { mailgun } = sender.needs.providers;
  const { post } = mailgun;
  mailgun.post = async (access, emails, mayContinue) => {
    for (const active of [false, true]) {
      sender.at(new Date(sender.now.getTime() + 400));
      await change({ active });
    }
    sender.at(new Date(sender.now.getTime() + 5_001));
    return post(access, emails, mayContinue);
  };
  await sender.run(timeAfter(10 * 60_000));
  expect(sender.mails()).toEqual([]);
  expect(new Set(await reasons(sender))).toEqual(new Set(['automation_off']));
});

it.each([
  ['the automation is switched off', ({ change }: Ready) => change({ active: false })],
  [
    'a list is switched off',
    ({ sender, readers }: Ready) => lists.change({ table, now: sender.now }, readers, { active: false }),
  ],
])('the pass ends where %s', async (_, switchOff) => {
  const scene = await ready(MEMBERS);
  const { sender, change, readers, switchOn } = scene;
  await switchOn();
  await switchOff(scene);
  await at(sender, 90_000);
  const off = await lists.lookUp({ table }, sender.organization, readers.id);
  if (off) await lists.change({ table, now: sender.now }, off, { active: true });
  await change({ active: true });
  await sender.run(timeAfter(5 * 60_000));
  expect(sender.mails()).toEqual([]);
});
type Ready = Awaited<ReturnType<typeof ready>>;

it('a pass that dies before it has stored its place goes on there, in pages, and mails nobody twice', async () => {
  const names = ['ann', 'ben', 'cleo', 'dan', 'eve'];
  const dates = Object.fromEntries(names.map((name, nth) => [name, `2029-12-1${nth}T08:00:00Z`]));
  const { sender, switchOn } = await ready(dates);
  await switchOn();
  const sweeps = sweeper(table);
  const part = { rows: 2, due: 2 };
  await sweeps.run(timeAfter(40_000), { table: dyingAsPassMoves(table), part });
  expect(sweeps.failed).toHaveLength(1);
  await sweeps.run(timeAfter(100_000), { part });
  await sweeps.run(timeAfter(160_000), { part });
  expect(sweeps.packs.map(({ people }) => people.length)).toEqual([2, 2, 2, 1]);
  sender.at(timeAfter(170_000));
  for (const pack of [...sweeps.packs, ...sweeps.packs]) await deliver(sender.needs, pack);
  expect(sender.mailedTo()).toEqual(names.map(email));
});

it('a claim of a pass whose answer was lost is posted, and stands for their other list too', async () => {
  const { sender, readers, change } = await ready({ ann: '2029-12-01T08:00:00Z' });
  const others = await sender.newList();
  sender.at(timeAfter(-60 * DAY));
  await sender.add(others, email('ann'), { ends: '2029-12-10T08:00:00Z' });
  sender.at(start);
  await change({ active: true, email_list_ids: [readers.id, others.id], include_existing: true });
  sender.at(timeAfter(40_000));
  await sender.sweep();
  // The SDK repeats the request.
  const losing = atClaims(async send => {
    await send();
    return send();
  });
  for (const { pack } of sender.queue.splice(0)) await deliver({ ...sender.needs, table: losing }, pack);
  expect(sender.mailedTo()).toEqual([email('ann')]);
  await sender.run(timeAfter(10 * 60_000));
  expect(sender.mailedTo()).toEqual([email('ann')]);
  expect((await claimsOf(sender, 'ann')).map(({ seq, released }) => [seq, released])).toEqual([
    [1, undefined],
  ]);
});

it('a dry run counts the existing person too who is due by another automation in the same minute', async () => {
  const { sender, readers, id } = await ready({ ann: '2029-12-01T09:58:10Z' });
  const daily = { name: 'daily', email_list_ids: [readers.id], metadata_trigger: 'ends' };
  await sender.newTemplate([(await sender.newAutomation(daily)).id], {
    name: 'daily',
    subject_line: 'Daily',
  });
  await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
  const off = await storedAutomation(sender, id);
  expect(await dryRunOf(sender, off, { active: true })).toMatchObject({ existing: 1 });
});

it('who is on a list without a sending key is skipped, and not mailed once it has one', async () => {
  const { sender, readers, switchOn } = await ready({ ann: MEMBERS.ann }, {}, { key: false });
  await switchOn();
  expect(await at(sender, 40_000)).toEqual([]);
  expect(await reasons(sender)).toEqual(['no_key']);
  await sendingKey.changeSendingKey({ table, now: sender.now, vault: openVault }, readers, {
    mailgun_sending_key: 'key-1',
  });
  expect(await at(sender, 2 * HOUR)).toEqual([]);
});

it('a page that the queue refuses is queued by the next run', async () => {
  const { switchOn } = await ready({ ann: '2029-12-01T08:00:00Z' });
  await switchOn();
  const sweeps = sweeper(table);
  const queue = () => Promise.reject(new Error('The queue is not there'));
  await sweeps.run(timeAfter(40_000), { queue });
  expect(sweeps.failed).toHaveLength(1);
  await sweeps.run(timeAfter(100_000));
  expect(sweeps.packs.map(({ people }) => people.length)).toEqual([1]);
});

it('they wait for the end of quiet hours, and who is claimed late keeps to it', async () => {
  const { sender, id, switchOn } = await ready({ ann: '2029-12-01T08:00:00Z' });
  await changeHours(sender, { quiet_hours: [{ from: '10:01', until: '12:00' }] });
  sender.at(timeAfter(4 * 60_000));
  const switching = { active: true, include_existing: true };
  const predicted = await dryRunOf(sender, await storedAutomation(sender, id), switching);
  expect(predicted).toMatchObject({ existing: 1, first_at: '2030-01-01T12:00:00.000Z' });
  await switchOn();
  await sender.run(timeAfter(30 * 60_000));
  expect(sender.mails()).toEqual([]);
  expect(await at(sender, 2.2 * HOUR)).toEqual(['ann']);
});

it('they wait while the operator has stopped sending, and are mailed when it is started again', async () => {
  const { sender, switchOn } = await ready({ ann: '2029-12-01T08:00:00Z' });
  const needs = () => ({ table, now: sender.now, organization: sender.organization });
  await stops.stop(needs());
  await switchOn();
  await sender.run(timeAfter(10 * 60_000));
  expect([sender.mails(), await reasons(sender)]).toEqual([[], []]);
  await stops.start(needs());
  expect(await at(sender, 15 * 60_000)).toEqual(['ann']);
});

it('whose date has become earlier than the read reaches back, or who was added since, is not due', async () => {
  const { sender, readers, switchOn } = await ready({ ann: '2029-12-30T08:00:00Z' });
  await switchOn();
  sender.at(timeAfter(10_000));
  await sender.add(readers, email('ben'), { ends: '2029-12-01T08:00:00Z' });
  sender.at(timeAfter(40_000));
  await sender.sweep();
  await changeMember(sender, readers, { metadata: { ends: '2029-12-02T08:00:00Z' } });
  await sender.deliverAll();
  expect(sender.mails()).toEqual([]);
  expect(await reasons(sender)).toEqual(['not_due']);
});

it('the dry run says how many they are, and what they are mailed counts where they are included', async () => {
  const { sender, id, switchOn } = await ready(MEMBERS);
  const before = await storedAutomation(sender, id);
  const dry = (body: AutomationChange) => dryRunOf(sender, before, body);
  expect(await dry({ active: true })).toMatchObject({ existing: 2, next_24_hours: day(2) });
  const included = await dry({ active: true, include_existing: true });
  expect(included).toMatchObject({ existing: 2, next_24_hours: day(4) });
  expect(await dry({ active: false })).toMatchObject({ existing: 0 });
  await switchOn();
  expect(await at(sender, 40_000)).toHaveLength(3);
  expect(await dry({ active: true })).toMatchObject({ existing: 0 });
});

it('the dry run of a list that is added to an active automation counts the emails to its members alone', async () => {
  const { sender, readers, id } = await ready({ ann: '2029-12-01T08:00:00Z' }, { active: true });
  const others = await sender.newList({ name: 'Others' });
  sender.at(timeAfter(-60 * DAY));
  await sender.add(others, email('ben'), { ends: '2029-12-02T08:00:00Z' });
  sender.at(timeAfter(60_000));
  const body = { email_list_ids: [readers.id, others.id], include_existing: true };
  const dry = await dryRunOf(sender, await storedAutomation(sender, id), body);
  // The next one to ben is due in six days, and that to ann goes with or without him.
  expect(dry).toMatchObject({
    existing: 1,
    next_24_hours: day(1),
    next_7_days: { emails: 2, people_more: 1 },
  });
});

it('of an automation that is on, the dry run asks about the members of an added list alone', () => {
  const before = unstored(1, { active: true, email_list_ids: ['readers'] });
  const listsOf = (to: object) => begunBy(before, { ...before, ...to }, {}).lists;
  expect(listsOf({ email_list_ids: ['readers', 'customers'] })).toEqual(['customers']);
  expect(listsOf({ name: 'other' })).toEqual([]);
});
