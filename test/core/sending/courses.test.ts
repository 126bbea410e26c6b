import { expect, it } from 'vitest';
import { key } from '#core/automation/automation.store.ts';
import { upcoming } from '#core/sending/forecast/forecast.ts';
import { sourceKey } from '#core/sources/source.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { deliveries, HOUR, MINUTE, mailed, start, timeAfter } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, reasons, changeMember } = deliveries();

const DAY = 24 * HOUR;
const email = (name: string) => `${name}@example.com`;

/** The second step of a course that begins now for people who are there: two days after the first one. */
async function begun(members: Record<string, object>, fields: object = {}) {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  sender.at(timeAfter(-DAY));
  for (const [name, metadata] of Object.entries(members))
    await sender.add(readers, email(name), { ...metadata });
  sender.at(start);
  const step = { email_list_ids: [readers.id], metadata_trigger: 'ends', repeat: 'once', delay_days: 2 };
  const { id } = await sender.newAutomation({ ...step, ...fields });
  await sender.newTemplate([id]);
  const begins = { since: start.toISOString(), delay_days: 0, delay_minutes: 0 };
  await updateItem(table, key(sender.organization, id), { set: { begun: { [readers.id]: begins } } });
  const source = sourceKey(sender.organization, readers.id, 'ends', id);
  await updateItem(table, source, { set: { existing: '' } });
  const item = async () => (await queryPartition(table, source.PK, source.SK))[0];
  return { sender, readers, id, item };
}

it('who was there goes by the instant at which the course began, and everybody else by their own date', async () => {
  const { sender, item } = await begun({
    // Their own second step was due long ago, or would be tomorrow.
    ann: { ends: '2029-11-01T08:00:00Z' },
    ben: { ends: '2029-12-31T08:00:00Z' },
    // Their course begins later today.
    cleo: { ends: '2030-01-01T12:00:00Z' },
    dan: { ends: 'someday' },
  });
  const soon = await upcoming({ table, now: sender.now, hasTimeLeft: () => true }, sender.organization);
  expect(soon).toMatchObject({ next_24_hours: { count: 0 }, next_7_days: { count: 3 } });
  for (const hours of [22, 48, 51]) {
    sender.at(timeAfter(hours * HOUR - 5 * MINUTE));
    await sender.run(timeAfter(hours * HOUR + 5 * MINUTE));
  }
  expect(mailed(sender).sort()).toEqual([
    '01-03T09:59 ann@example.com',
    '01-03T09:59 ben@example.com',
    '01-03T12:54 cleo@example.com',
  ]);
  expect(await reasons(sender)).toEqual([]);
  // The source stays, without a pass.
  expect(await item()).not.toHaveProperty('existing');
  expect(await item()).not.toHaveProperty('due');
});

it('in the time zone of each, once, also where their date is changed to a later one meanwhile', async () => {
  const { sender, readers } = await begun(
    {
      tokyo: { ends: '2029-11-01', zone: 'Asia/Tokyo' },
      boston: { ends: '2029-11-01', zone: 'America/New_York' },
      plain: { ends: '2029-11-01' },
      moved: { ends: '2029-11-01' },
    },
    { send_at: '09:00', time_zone_of: 'member' },
  );
  sender.at(timeAfter(HOUR));
  await changeMember(sender, readers, { metadata: { ends: '2030-01-05' } }, { email: email('moved') });
  for (let hour = 30; hour < 80; hour++) {
    sender.at(timeAfter(hour * HOUR));
    await sender.run(timeAfter(hour * HOUR + 4 * MINUTE));
  }
  expect(mailed(sender).sort()).toEqual(
    [
      '01-04T00:01 tokyo@example.com',
      '01-03T14:01 boston@example.com',
      '01-04T09:01 plain@example.com',
    ].sort(),
  );
  for (let hour = 140; hour < 145; hour++) {
    sender.at(timeAfter(hour * HOUR));
    await sender.run(timeAfter(hour * HOUR + 4 * MINUTE));
  }
  expect(sender.mailedTo().filter(to => to === email('moved'))).toHaveLength(1);
});
