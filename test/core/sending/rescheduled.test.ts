import { expect, it } from 'vitest';
import { key } from '#core/automation/automation.store.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { explain } from '#core/person/explanation.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { upcoming } from '#core/sending/forecast/forecast.ts';
import { sourceKey } from '#core/sources/source.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { ANN, deliveries, HOUR, memberOf, type Sender, start, timeAfter } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

// What was sent already is neither sent, forecast nor promised again, however its times were changed since.

const { table, changeAutomation, mailedAt, storedAutomation } = deliveries();

const DAY = 24 * HOUR;

/** Ann, whose date is 40 days ago, and an automation that is due on that date. */
async function ready(fields: object) {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  sender.at(timeAfter(-41 * DAY));
  await sender.add(readers, ANN, { ends: timeAfter(-40 * DAY).toISOString() });
  const automation = { email_list_ids: [readers.id], metadata_trigger: 'ends', ...fields };
  const { id } = await sender.newAutomation(automation);
  await sender.newTemplate([id]);
  const change = (to: object) => changeAutomation(sender, id, to);
  const explained = async (of = readers) => {
    const member = await listMember.find({ table }, sender.organization, memberOf(of, ANN));
    return explain({ table, now: sender.now }, member, await storedAutomation(sender, id));
  };
  const expected = async () => {
    const { next_7_days } = await upcoming(
      { table, now: sender.now, hasTimeLeft: () => true },
      sender.organization,
    );
    return next_7_days;
  };
  return { sender, readers, id, change, explained, expected };
}

/** Claims of another automation on Ann, half a day apart until the start. */
async function mailByAnother(sender: Sender, count: number) {
  const partition = `R#${sender.organization}#${hashOf(ANN)}`;
  const [newest = {}] = await queryPartition(table, partition, 'J#');
  const puts = Array.from({ length: count }, (_, nth) => ({
    ...newest,
    PK: partition,
    SK: `J#${9_999_999_999 - nth - 2}`,
    seq: nth + 2,
    at: timeAfter(((nth - count) * DAY) / 2).toISOString(),
    automation_id: 'another',
    key: `another#${nth}#1`,
  }));
  await batchWrite(table, { puts });
}

it('what is sent once is not due again by a later delay, whatever was sent meanwhile', async () => {
  const { sender, change, explained, expected } = await ready({ repeat: 'once' });
  await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
  expect(await mailedAt(sender, timeAfter(-40 * DAY + 60_000))).toEqual(['ann']);
  await mailByAnother(sender, 24);
  sender.at(start);
  await change({ delay_days: 42 });
  // It was sent before the days that are explained.
  expect(await explained()).toMatchObject({ obstacles: ['over'], next: null, past: [] });
  expect(await expected()).toEqual({ count: 0, skipped: 0 });
  expect(await mailedAt(sender, timeAfter(2 * DAY + 60_000))).toEqual([]);
});

it('what was sent every so many days, and was moved, is not due again where it is sent once from now on', async () => {
  const { sender, change, explained, expected } = await ready({ every_x_days: 365 });
  await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
  expect(await mailedAt(sender, timeAfter(-40 * DAY + 60_000))).toEqual(['ann']);
  await mailByAnother(sender, 24);
  sender.at(start);
  await change({ delay_days: 42 });
  await change({ repeat: 'once' });
  expect(await explained()).toMatchObject({ obstacles: ['over'], next: null });
  expect(await expected()).toEqual({ count: 0, skipped: 0 });
  expect(await mailedAt(sender, timeAfter(2 * DAY + 60_000))).toEqual([]);
});

it('what was sent once is not forecast again where it was moved more than a year ago', async () => {
  const { sender, change, expected } = await ready({ repeat: 'once' });
  await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
  expect(await mailedAt(sender, timeAfter(-40 * DAY + 60_000))).toEqual(['ann']);
  await mailByAnother(sender, 24);
  sender.at(start);
  await change({ delay_days: 442 });
  sender.at(timeAfter(400 * DAY));
  expect(await expected()).toEqual({ count: 0, skipped: 0 });
  expect(await mailedAt(sender, timeAfter(402 * DAY + 60_000))).toEqual([]);
});

it('an email to existing members takes the place of one that is due later on its day by another schedule', async () => {
  const { sender, change, explained, expected } = await ready({ every_x_days: 7, active: false });
  sender.at(start);
  await change({ active: true, include_existing: true });
  expect(await mailedAt(sender, timeAfter(40_000))).toEqual(['ann']);
  await change({ every_x_days: 40, delay_minutes: 120 });
  expect(await explained()).toMatchObject({ next: { number: 3 } });
  expect(await expected()).toEqual({ count: 0, skipped: 0 });
  expect(await mailedAt(sender, timeAfter(2 * HOUR + 60_000))).toEqual([]);
  sender.at(timeAfter(20 * DAY));
  expect((await explained()).past).toMatchObject([{ status: 'unrecorded' }, { status: 'sent' }]);
});

it('whoever got a step by their own date is not promised it by a course that begins for another list of theirs', async () => {
  const { sender, readers, id, change, explained } = await ready({ repeat: 'once', delay_days: 39 });
  const others = await sender.newList({ name: 'Others' });
  await sender.add(others, ANN, { ends: timeAfter(-60 * DAY).toISOString() });
  expect(await mailedAt(sender, timeAfter(-DAY + 60_000))).toEqual(['ann']);
  sender.at(start);
  await change({ email_list_ids: [readers.id, others.id] });
  const begins = { since: start.toISOString(), delay_days: 0, delay_minutes: 0 };
  await updateItem(table, key(sender.organization, id), { set: { begun: { [others.id]: begins } } });
  const source = sourceKey(sender.organization, others.id, 'ends', id);
  await updateItem(table, source, { set: { existing: '' } });
  expect(await explained(others)).toMatchObject({ obstacles: ['over'], next: null });
  expect(await mailedAt(sender, timeAfter(39 * DAY + 60_000))).toEqual([]);
});

it('what was sent before somebody joined a list counts: as the email of its day, and against the safeguards', async () => {
  const { sender, readers, change, explained } = await ready({});
  await safeguards.change({ table, now: sender.now }, sender.organization, { max_emails_24_hours: 1 });
  expect(await mailedAt(sender, timeAfter(60_000))).toEqual(['ann']);
  const others = await sender.newList({ name: 'Others' });
  sender.at(timeAfter(2 * HOUR));
  await sender.add(others, ANN, { ends: timeAfter(-40 * DAY + 3 * HOUR).toISOString() });
  await change({ email_list_ids: [readers.id, others.id] });
  // Today's would be due in an hour.
  expect(await explained(others)).toMatchObject({
    next: { due_at: '2030-01-02T12:58:00.000Z', skipped: null },
  });
  await change({ every_x_days: 40, double_send_first: true, metadata_trigger: null });
  expect(await explained(others)).toMatchObject({
    next: { number: 1, copy: 2, skipped: 'capped:max_emails_24_hours' },
  });
});
