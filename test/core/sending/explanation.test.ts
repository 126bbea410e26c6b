import { beforeEach, describe, expect, it } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { upsertAll } from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { explain } from '#core/person/explanation.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import type { ListMemberChange } from '#shared/list-member.ts';
import { WEEKDAYS } from '#shared/schedule.ts';
import { stored as storedAutomation } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { newSender } from '#test/support/sending.ts';
import { forgetShard } from '#test/support/shard.ts';

const table = freshTable();
const DAY = 24 * 60 * 60 * 1000;
const ANN = 'ann@example.com';
const start = new Date('2030-02-28T09:58:30Z');
const later = (days: number, minutes = 0) => new Date(start.getTime() + days * DAY + minutes * 60_000);
/** When Ann is due on a day after the start. */
const due = (days: number) => `${later(days).toISOString().slice(0, 10)}T10:00:00.000Z`;

/** Ann, who is due at ten each day, from the day of the start on. */
async function newReader() {
  await forgetShard(table);
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  const trial_ends = `${start.toISOString().slice(0, 10)}T10:00:20Z`;
  const { id } = await sender.add(readers, ANN, { trial_ends });
  const automation = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'trial_ends',
  });
  await sender.newTemplate([automation.id]);
  const read = () => storedAutomation(table, sender.organization, automation.id);
  const onDay = async (day: number) => {
    sender.at(later(day));
    await sender.run(later(day, 3));
  };
  const change = async (fields: object) =>
    automations.change({ table, now: sender.now }, await read(), fields);
  const find = () => listMember.find({ table }, sender.organization, id);
  const changeMember = async (fields: ListMemberChange, now = sender.now) =>
    listMember.change({ table, now }, await find(), fields);
  const explained = async () => explain({ table, now: sender.now }, await find(), await read());
  return { sender, readers, automation, onDay, change, changeMember, read, explained };
}
type Reader = Awaited<ReturnType<typeof newReader>>;

let reader: Reader;
beforeEach(async () => {
  reader = await newReader();
});

const past = async () =>
  (await reader.explained()).past.map(({ due_at, status, reason }) => [due_at, status, reason]);
const obstacles = async () => (await reader.explained()).obstacles;

describe('what became of the emails that an automation owed', () => {
  it('names each with its number, newest first, and what it goes by', async () => {
    await reader.onDay(0);
    await reader.onDay(1);
    expect(await reader.explained()).toMatchObject({
      automation: { id: reader.automation.id, name: 'welcome' },
      trigger_column: 'trial_ends',
      trigger_value: `${due(0).slice(0, 17)}20.000Z`,
      since: `${start.toISOString().slice(0, 16)}:00.000Z`,
      past: [
        {
          due_at: due(1),
          number: 2,
          copy: 1,
          status: 'sent',
          reason: null,
          other_list: null,
          earns_more: null,
        },
        { due_at: due(0), number: 1, copy: 1, status: 'sent', reason: null, other_list: null },
      ],
    });
  });

  it('tells emails with unknown outcome from those that failed, which have no time of sending', async () => {
    reader.sender.answers({ kind: 'unknown' }, { kind: 'refused' });
    await reader.onDay(0);
    await reader.onDay(1);
    await reader.onDay(2);
    expect(await past()).toEqual([
      [due(2), 'sent', null],
      [due(1), 'failed', 'refused'],
      [due(0), 'unknown', 'no_answer'],
    ]);
    const sent = (await reader.explained()).past.map(({ sent_at }) => sent_at);
    expect(sent).toEqual([later(2, 3).toISOString(), null, later(0, 3).toISOString()]);
  });

  it('says why it was skipped', async () => {
    const { sender } = reader;
    await safeguards.change({ table, now: sender.now }, sender.organization, { max_emails_1_week: 1 });
    await reader.onDay(0);
    await reader.onDay(1);
    expect(await past()).toEqual([
      [due(1), 'skipped', 'capped:max_emails_1_week'],
      [due(0), 'sent', null],
    ]);
  });

  it('says what was off in that minute, though it is on again', async () => {
    const { sender, readers } = reader;
    const { acting } = sender;
    const off = { ...acting, organization: { ...acting.organization, active: false } };
    const changes: ((to: boolean, now: Date) => Promise<unknown>)[] = [
      async (active, now) => automations.change({ table, now }, await reader.read(), { active }),
      (active, now) => list.change({ table, now }, { ...readers, active: !active }, { active }),
      (active, now) => organization.change({ table, now }, active ? off : acting, { active }),
    ];
    for (const [day, change] of changes.entries()) {
      await change(false, later(day, 0.5));
      await reader.onDay(day);
      await change(true, later(day, 5));
    }
    await reader.onDay(3);
    expect(await past()).toEqual([
      [due(3), 'sent', null],
      [due(2), 'skipped', 'organization_off'],
      [due(1), 'skipped', 'list_off'],
      [due(0), 'skipped', 'automation_off'],
    ]);
    const { switched } = await reader.explained();
    expect(switched.map(({ what, on }) => [what, on]).slice(0, 6)).toEqual([
      ['organization', true],
      ['organization', false],
      ['list', true],
      ['list', false],
      ['automation', true],
      ['automation', false],
    ]);
  });

  it('says who had unsubscribed by then', async () => {
    await reader.onDay(0);
    await reader.changeMember({ is_subscribed: false }, later(0.5));
    await reader.onDay(1);
    expect(await past()).toEqual([
      [due(1), 'skipped', 'not_subscribed'],
      [due(0), 'sent', null],
    ]);
    await reader.changeMember({ is_subscribed: true }, later(1.5));
    await reader.onDay(2);
    expect((await past()).slice(0, 2)).toEqual([
      [due(2), 'sent', null],
      [due(1), 'skipped', 'not_subscribed'],
    ]);
  });

  it('says nothing of who has unsubscribed from another list', async () => {
    const { sender } = reader;
    const { id } = await sender.add(await sender.newList(), ANN);
    const member = await listMember.find({ table }, sender.organization, id);
    await listMember.change({ table, now: later(0.5) }, member, { is_subscribed: false });
    sender.at(later(1, 3));
    expect((await past())[0]).toEqual([due(1), 'unrecorded', null]);
  });

  it('says of whom nothing is recorded, as the schedule was changed since, and tells what was sent by the one before', async () => {
    await reader.onDay(0);
    await reader.onDay(1);
    await reader.change({ delay_days: 1, every_x_days: 2 });
    reader.sender.at(later(3, 3));
    expect((await reader.explained()).past.map(({ number, status }) => [number, status])).toEqual([
      [2, 'unrecorded'],
      [1, 'sent'],
      [null, 'sent'],
    ]);
  });

  it('names the list that it was sent from, where that is another one', async () => {
    const { sender, readers } = reader;
    const other = await sender.newList({ name: 'Customers' });
    await sender.add(other, ANN, { trial_ends: `${due(0).slice(0, 11)}09:59:20Z` });
    await reader.change({ email_list_ids: [readers.id, other.id] });
    await reader.onDay(0);
    expect((await reader.explained()).past).toMatchObject([{ status: 'sent', other_list: 'Customers' }]);
  });

  it('is told of 31 days, and of 50 emails, at most', async () => {
    await reader.change({ triple_send_first: true });
    reader.sender.at(later(100));
    const { past, since } = await reader.explained();
    expect(since).toBe(`${later(69).toISOString().slice(0, 16)}:00.000Z`);
    expect(past).toHaveLength(31);
  });
});

describe('what is sent next', () => {
  it('is the next of the schedule, the copies of one among them', async () => {
    await reader.change({ double_send_first: true });
    await reader.onDay(0);
    expect(await reader.explained()).toMatchObject({
      obstacles: [],
      next: { due_at: due(0).replace('T10', 'T16'), number: 1, copy: 2, skipped: null },
    });
  });

  it('is at the time of day in the time zone of the member, on the next day that is not off', async () => {
    await reader.change({ send_at: '09:00', time_zone_of: 'member' });
    await reader.changeMember({ metadata: { zone: 'Asia/Tokyo' } });
    expect((await reader.explained()).next).toMatchObject({ due_at: '2030-03-01T00:00:00.000Z', number: 1 });
    // 2030-03-04 is a Monday.
    const mondays = Array.from({ length: 100 }, (_, week) =>
      new Date(Date.parse('2030-03-04') + 7 * week * DAY).toISOString().slice(0, 10),
    );
    const days_off = WEEKDAYS.filter(day => day !== 'monday');
    await reader.change({ days_off, dates_off: mondays, stop_after_days: 0 });
    expect(await reader.explained()).toMatchObject({
      obstacles: [],
      next: { due_at: '2032-02-02T00:00:00.000Z', number: 1 },
    });
  });

  it('is that of this minute until the minute is over, and the first one however far ahead it is', async () => {
    reader.sender.at(new Date(Date.parse(due(1)) + 59_000));
    expect((await reader.explained()).next).toMatchObject({ due_at: due(1), number: 2 });
    await reader.change({ delay_days: 400 });
    expect((await reader.explained()).next).toMatchObject({ due_at: due(400), number: 1 });
  });

  it('says which safeguard would skip it', async () => {
    const { sender } = reader;
    await reader.onDay(0);
    await safeguards.change({ table, now: sender.now }, sender.organization, { max_emails_1_week: 1 });
    const next = { due_at: due(1), number: 2, copy: 1, skipped: 'capped:max_emails_1_week' };
    expect(await reader.explained()).toMatchObject({ obstacles: [], next });
  });

  it('is not what another list has sent already', async () => {
    const { sender, readers } = reader;
    const other = await sender.newList({ name: 'Customers' });
    await sender.add(other, ANN, { trial_ends: `${due(0).slice(0, 11)}09:59:20Z` });
    await reader.change({ email_list_ids: [readers.id, other.id] });
    await sender.run(later(0, 2));
    expect((await reader.explained()).next).toMatchObject({ due_at: due(1), number: 2 });
  });

  it('is nothing where the schedule has ended, or there is no date', async () => {
    await reader.change({ stop_after_days: 2 });
    reader.sender.at(later(3));
    expect(await reader.explained()).toMatchObject({ obstacles: ['over'], next: null });
    await reader.changeMember({ metadata: { trial_ends: null } });
    const none = { obstacles: ['no_date'], next: null, trigger_value: null };
    expect(await reader.explained()).toMatchObject(none);
  });

  it('is nothing for who does not match the conditions, of whose past nothing is kept', async () => {
    const { sender } = reader;
    const other = await sender.newList({ name: 'Customers' });
    const plan = { field: 'plan', op: 'is', value: 'pro' } as const;
    await reader.change({ audience: { all: [plan, { field: '@list', op: 'on', value: other.id }] } });
    await reader.changeMember({ metadata: { plan: 'free' } });
    await reader.onDay(0);
    expect(await reader.explained()).toMatchObject({
      obstacles: ['no_match'],
      mismatch: 'plan is free; this automation is for plan is pro',
      next: null,
      past: [{ due_at: due(0), status: 'no_match', reason: null }],
    });
    await reader.changeMember({ metadata: { plan: 'Pro' } });
    const mismatch =
      'they are not on the list Customers; this automation is for they are on the list Customers';
    expect(await reader.explained()).toMatchObject({ mismatch, past: [{ status: 'no_match' }] });
    await sender.add(other, ANN);
    expect(await reader.explained()).toMatchObject({ obstacles: [], mismatch: null, next: { number: 2 } });
    // Who has unsubscribed is on the list all the same.
    await upsertAll({ table, now: sender.now }, other, [{ email: ANN, is_subscribed: false }]);
    expect(await reader.explained()).toMatchObject({ obstacles: [], next: { number: 2 } });
    expect(await past()).toEqual([[due(0), 'unrecorded', null]]);
  });

  it('is nothing for who no longer matches, whose emails before are judged by the day on which each was due', async () => {
    const recent = { field: 'trial_ends', op: 'after', value: { days_ago: 5 } } as const;
    await reader.change({ audience: { all: [recent] } });
    reader.sender.at(later(10));
    const byDay = (await past()).map(([due_at, status]) => `${String(due_at).slice(5, 10)} ${status}`);
    expect(byDay.slice(3, 5)).toEqual(['03-06 no_match', '03-05 unrecorded']);
    expect(await reader.explained()).toMatchObject({ obstacles: ['no_match'], next: null });
  });

  it('is nothing for who matches now, and will not by the time that an email is due', async () => {
    const recent = { field: 'trial_ends', op: 'after', value: { days_ago: 5 } } as const;
    await reader.change({ every_x_days: 7, audience: { all: [recent] } });
    reader.sender.at(later(3));
    expect(await reader.explained()).toMatchObject({ obstacles: ['no_match'], next: null });
  });

  it('says by the time zone of the member on which day they were added, as their conditions count it', async () => {
    const before = { field: '@added', op: 'before', value: '2030-02-27' } as const;
    await reader.changeMember({ metadata: { zone: 'Pacific/Honolulu' } });
    await reader.change({ audience: { all: [before] }, send_at: '12:00', time_zone_of: 'member' });
    const [subject, day] = ['the day they were added', '2030-02-27'];
    const mismatch = `${subject} is ${day}; this automation is for ${subject} is before ${day}`;
    expect(await reader.explained()).toMatchObject({ mismatch });
  });

  it('is the first one for which the conditions will match, where they count days', async () => {
    const old = { field: 'trial_ends', op: 'before', value: { days_ago: 9 } } as const;
    await reader.change({ audience: { all: [old] } });
    expect(await reader.explained()).toMatchObject({
      obstacles: [],
      mismatch: null,
      next: { due_at: due(10), number: 11 },
    });
  });

  it('says all that is in its way', async () => {
    const { sender, readers } = reader;
    const other = await sender.newList({ name: 'Customers' });
    await reader.change({ active: false, email_list_ids: [other.id], metadata_trigger: null });
    await list.change({ table, now: sender.now }, readers, { active: false });
    expect(await obstacles()).toEqual(['automation_off', 'not_of_list', 'list_off']);
  });

  it('says that the address is suppressed, or the member not subscribed', async () => {
    await reader.changeMember({ is_subscribed: false });
    expect(await obstacles()).toEqual(['not_subscribed']);
    await reader.changeMember({ is_subscribed: true });
    await reader.onDay(0);
    const { sender } = reader;
    const key = recipientKey.keyOf(sender.organization, ANN);
    const { entries } = await journal.readJournal(table, key, { since: start.toISOString(), most: 10 });
    const email = entries.find(journal.isClaim);
    if (!email) throw new Error('Nothing was sent');
    await suppressions.suppress({ table, now: sender.now }, key, { email, why: 'complaint' });
    expect(await obstacles()).toEqual(['suppressed']);
  });

  it('says that there is no content, no key, or one that is refused', async () => {
    const { sender } = reader;
    const keyless = await sender.newList({ key: false });
    const { id } = await sender.add(keyless, 'bob@example.com');
    const { id: other } = await sender.newAutomation({ name: 'other', email_list_ids: [keyless.id] });
    const automation = await storedAutomation(table, sender.organization, other);
    const bob = await listMember.find({ table }, sender.organization, id);
    const explained = await explain({ table, now: sender.now }, bob, automation);
    expect(explained).toMatchObject({ trigger_column: null, obstacles: ['no_key', 'no_content'] });
  });
});
