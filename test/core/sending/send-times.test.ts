import { expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { explain } from '#core/person/explanation.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { dryRun, withSendingHours } from '#core/sending/forecast/dry-run.ts';
import * as forecast from '#core/sending/forecast/forecast.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { deliveries, memberOf, type Sender, start } from '#test/support/deliveries.ts';
import { newSender, throttled } from '#test/support/sending.ts';
import { forgetShard } from '#test/support/shard.ts';

const { table, reasons, changeHours, changeMember, mailedAt, shown, storedAutomation } = deliveries();

const NIGHT: SendingHoursChange = {
  time_zone: 'Europe/Berlin',
  quiet_hours: [{ from: '22:00', until: '08:00' }],
};

async function withMembers(
  members: Record<string, Record<string, string>>,
  fields: object,
  hours?: SendingHoursChange,
) {
  const sender = await newSender(table, start);
  if (hours) await changeHours(sender, hours);
  const readers = await sender.newList();
  for (const [name, metadata] of Object.entries(members)) {
    await sender.add(readers, `${name}@example.com`, metadata);
  }
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'ends',
    stop_after_days: 0,
    ...fields,
  });
  await sender.newTemplate([id]);
  return { sender, readers, automation: id };
}

const at = (sender: Sender, time: string) => mailedAt(sender, new Date(`${time}Z`));

const rowsOf = async (list: string) =>
  (await queryPartition(table, `TRG#${list}#ends`)).map(({ SK }) => String(SK));

it('each member is mailed at that time of day in their own time zone, those without one in that of the organization', async () => {
  const ends = '2030-01-02';
  const { sender } = await withMembers(
    {
      ann: { ends, zone: 'Asia/Tokyo' },
      ben: { ends, zone: 'US/Eastern' },
      cleo: { ends },
      dan: { ends, zone: 'Atlantis/Capital' },
    },
    { send_at: '09:00', time_zone_of: 'member' },
    { time_zone: 'Europe/Berlin' },
  );
  expect(await at(sender, '2030-01-01T23:59:30')).toEqual([]);
  expect(await at(sender, '2030-01-02T00:01:10')).toEqual(['ann']);
  expect(await at(sender, '2030-01-02T07:59:30')).toEqual([]);
  expect(await at(sender, '2030-01-02T08:01:10')).toEqual(['cleo', 'dan']);
  expect(await at(sender, '2030-01-02T13:59:30')).toEqual([]);
  expect(await at(sender, '2030-01-02T14:01:10')).toEqual(['ben']);
  expect(await reasons(sender)).toEqual([]);
});

it('who was added at midnight is mailed after it, wherever that is another day', async () => {
  const { sender, readers } = await withMembers(
    { ann: { ends: '2030-01-02T00:00:00Z' }, ben: { ends: '2030-01-02' } },
    { send_at: '09:00' },
    { time_zone: 'Pacific/Auckland' },
  );
  expect((await rowsOf(readers.id)).map(key => key.split('#')[3]).sort()).toEqual(['00:00', undefined]);
  expect(await at(sender, '2030-01-01T20:01:10')).toEqual(['ben']);
  expect(await at(sender, '2030-01-02T20:01:10')).toEqual(['ann']);
  expect(await reasons(sender)).toEqual([]);
});

it('a member who was stored before time zones were kept by theirs is found all the same', async () => {
  const { sender, readers } = await withMembers(
    { ann: { ends: '2030-01-02', zone: 'Asia/Tokyo' } },
    { send_at: '09:00', time_zone_of: 'member', stop_after_days: null },
  );
  const [key = ''] = await rowsOf(readers.id);
  const PK = `TRG#${readers.id}#ends`;
  const without = key.split('#').slice(0, 3).join('#');
  await batchWrite(table, { deletes: [{ PK, SK: key }], puts: [{ PK, SK: without }] });
  expect(await at(sender, '2030-01-02T09:01:10')).toEqual([]);
  expect(await rowsOf(readers.id)).toEqual([key]);
  expect(await at(sender, '2030-01-03T00:01:10')).toEqual(['ann']);
});

it('what is due in quiet hours goes when they end, once, and is decided then', async () => {
  const ends = '2030-01-01T21:30:00Z';
  const { sender, readers } = await withMembers({ ann: { ends }, ben: { ends } }, {}, NIGHT);
  expect(await at(sender, '2030-01-01T21:32:00')).toEqual([]);
  await changeMember(sender, readers, { is_subscribed: false }, { email: 'ben@example.com' });
  expect(await at(sender, '2030-01-02T06:59:30')).toEqual([]);
  expect(await at(sender, '2030-01-02T07:01:10')).toEqual(['ann']);
  expect(await at(sender, '2030-01-02T22:00:00')).toEqual([]);
});

it('what waits for the provider when quiet hours begin waits until they end', async () => {
  const { sender } = await withMembers({ ann: { ends: '2030-01-01T20:58:00Z' } }, {}, NIGHT);
  sender.answers(throttled(120));
  expect(await at(sender, '2030-01-01T20:59:10')).toEqual(['ann']);
  for (let minutes = 3; minutes < 10 * 60; minutes += 7) {
    const time = new Date(Date.parse('2030-01-01T20:59:00Z') + minutes * 60_000);
    expect(await at(sender, time.toISOString().slice(0, 19))).toEqual([]);
  }
  expect(await at(sender, '2030-01-02T07:16:10')).toEqual(['ann']);
  expect(await at(sender, '2030-01-02T08:30:00')).toEqual([]);
});

it.each<[string, SendingHoursChange, string]>([
  ['end earlier', { quiet_hours: [{ from: '22:00', until: '06:00' }] }, '2030-01-02T05:00'],
  ['end later', { quiet_hours: [{ from: '22:00', until: '10:00' }] }, '2030-01-02T09:00'],
  ['are no more', { quiet_hours: [] }, '2030-01-02T03:02'],
  ['are those of another time zone', { time_zone: 'Asia/Tokyo' }, '2030-01-02T03:02'],
])(
  'where quiet hours %s while something waits, it goes once, when the new ones let it',
  async (_, to, sent) => {
    const { sender } = await withMembers({ ann: { ends: '2030-01-01T21:30:00Z' } }, {}, NIGHT);
    expect(await at(sender, '2030-01-02T03:00:30')).toEqual([]);
    await changeHours(sender, to);
    expect(await at(sender, `${sent}:50`)).toEqual([]);
    const next = new Date(Date.parse(`${sent}:10Z`) + 60_000).toISOString().slice(0, 19);
    expect(await at(sender, next)).toEqual(['ann']);
    expect(await at(sender, '2030-01-02T12:00:00')).toEqual([]);
  },
);

it('the simulation and the explanation say what waits for the end of quiet hours, and since when', async () => {
  const {
    sender,
    readers,
    automation: id,
  } = await withMembers({ ann: { ends: '2030-01-01T21:30:00Z' } }, {}, NIGHT);
  const automation = await storedAutomation(sender, id);
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  expect(await simulate(needs, automation)).toMatchObject({
    total_count: 1,
    will_send: 1,
    held: 1,
    sample_emails: [
      {
        scheduled_time: '2030-01-02T07:00:00.000Z',
        held_since: '2030-01-01T21:30:00.000Z',
        days_since_trigger: 0,
      },
    ],
  });
  const member = await listMember.find({ table }, sender.organization, memberOf(readers, 'ann@example.com'));
  expect((await explain(needs, member, automation)).next).toMatchObject({
    due_at: '2030-01-02T07:00:00.000Z',
    held_since: '2030-01-01T21:30:00.000Z',
  });
});

const day = (instant: string) => instant.slice(5, 10);
const forecasted = async (sender: Sender) => {
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  const { days } = await forecast.ofOrganization(needs, sender.organization);
  return days.flatMap(({ date, count, skipped }) =>
    count + skipped > 0 ? [`${day(date)}: ${count}, ${skipped} not`] : [],
  );
};

it('of what is late at once only the newest goes: of two days, and of the second and third email of one', async () => {
  const mailsUntil = async (sender: Sender, from: string, minutes: number) => {
    const mailed: string[] = [];
    for (let minute = 0; minute < minutes; minute += 3) {
      const time = new Date(Date.parse(`${from}:10Z`) + minute * 60_000);
      mailed.push(...(await at(sender, time.toISOString().slice(0, 19))));
    }
    return mailed;
  };
  const daily = await withMembers(
    { ann: { ends: '2030-01-01T10:30:00Z' }, ben: { ends: '2030-01-01T10:30:00Z', plan: 'free' } },
    { stop_after_days: null, audience: { all: [{ field: 'plan', op: 'not_set' }] } },
    { quiet_hours: [{ from: '22:00', until: '11:00' }] },
  );
  await listStore.pause(table, daily.readers, new Date('2030-01-02T10:45:00Z'));
  expect(await mailsUntil(daily.sender, '2030-01-01T11:01', 3)).toEqual([]);
  // From now on they end before the next one is due.
  await changeHours(daily.sender, { quiet_hours: [{ from: '22:00', until: '08:00' }] });
  expect(await mailsUntil(daily.sender, '2030-01-02T10:31', 28)).toEqual(['ann']);
  // Ben gets none of them, so nothing about him is in the log.
  expect(await shown(daily.sender, { status: 'skipped' })).toMatchObject([
    { recipient_email: 'ann@example.com', reason: 'superseded' },
  ]);

  await forgetShard(table);
  const triple = await withMembers({ ann: { ends: '2030-01-01T10:00:00Z' } }, { triple_send_first: true });
  triple.sender.at(start);
  expect(await mailsUntil(triple.sender, '2030-01-01T10:01', 3)).toEqual(['ann']);
  await listStore.pause(table, triple.readers, new Date('2030-01-01T22:30:00Z'));
  expect(await mailsUntil(triple.sender, '2030-01-01T16:01', 3)).toEqual([]);
  expect(await mailsUntil(triple.sender, '2030-01-01T22:01', 60)).toEqual(['ann']);
  expect(await reasons(triple.sender)).toEqual(['superseded']);
});

it('the forecast decides on what is late when quiet hours end', async () => {
  const { sender, readers } = await withMembers(
    { ann: { ends: '2030-01-01T20:30:00Z', renews: '2030-01-02T07:02:00Z' } },
    {},
    NIGHT,
  );
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'renews',
    stop_after_days: 0,
  });
  await sender.newTemplate([id], { name: 'renewal', subject_line: 'Renewed' });
  expect(await forecasted(sender)).toEqual(['01-01: 1, 0 not', '01-02: 1, 0 not']);
  // The provider takes more when the night has begun: at its end both are due at once.
  await listStore.pause(table, readers, new Date('2030-01-01T21:30:00Z'));
  expect(await forecasted(sender)).toEqual(['01-01: 1, 0 not', '01-02: 0, 1 not']);
});

it('a dry run counts what other quiet hours put off, and stores nothing', async () => {
  const { sender } = await withMembers({ ann: { ends: '2030-01-02T09:30:00Z' } }, {});
  const changed = (to: SendingHoursChange) =>
    dryRun({ table, now: start, hasTimeLeft: () => true }, sender.organization, withSendingHours(to, start));
  const none = { emails: 0, people_more: 0, people_fewer: 0 };
  const { next_24_hours } = await changed({ quiet_hours: [{ from: '09:00', until: '11:00' }] });
  expect(next_24_hours).toEqual({ emails: -1, people_more: 0, people_fewer: 1 });
  expect((await changed(NIGHT)).next_24_hours).toEqual(none);
  expect(await at(sender, '2030-01-02T09:31:10')).toEqual(['ann']);
});

it('where time runs out, a simulation of emails at a time of day has counted none, as any row may be of the next', async () => {
  const { sender, automation: id } = await withMembers(
    { ann: { ends: '2030-01-01T18:00:00Z' }, ben: { ends: '2030-01-01T20:00:00Z' } },
    { send_at: '09:00' },
  );
  const needs = { table, now: start, hasTimeLeft: () => false };
  const { from, counted_until, total_count } = await simulate(needs, await storedAutomation(sender, id));
  expect([counted_until, total_count]).toEqual([from, 0]);
});

it('the row of a member is by their time zone in the index, and goes with them', async () => {
  const { sender, readers } = await withMembers({ ann: { ends: '2030-01-02', zone: 'asia/tokyo' } }, {});
  const source = { listId: readers.id, column: 'ends', zone: 'Asia/Tokyo' };
  const inZone = () => triggers.triggerPage(table, source, triggers.rangeOfMinutes(0, 1440), { most: 10 });
  expect((await inZone()).rows).toMatchObject([{ zone: 'Asia/Tokyo', instant: new Date('2030-01-02') }]);
  await recipient.erase({ table, now: start }, sender.organization, 'ann@example.com');
  expect((await inZone()).rows).toEqual([]);
  expect(await rowsOf(readers.id)).toEqual([]);
});
