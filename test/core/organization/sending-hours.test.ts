import { expect, it } from 'vitest';
import { quietOf } from '#core/automation/due/quiet-hours.ts';
import * as organization from '#core/organization/organization.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { batchWrite, getAll } from '#core/storage/table.store.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { freshTable } from '#test/support/engine.ts';
import { newUser } from '#test/support/people.ts';

const table = freshTable();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const start = new Date('2026-03-01T21:00:00Z');
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const night = { quiet_hours: [{ from: '22:00', until: '08:00' }] };

async function read(id: number) {
  const [found] = await organization.findAll({ table }, [id]);
  if (!found) throw new Error('It is there');
  return found;
}
const newOrganization = async () => (await newUser(table, start)).organizationId;
const change = async (id: number, to: SendingHoursChange, now = start) =>
  sendingHours.change({ table, now }, await read(id), to);
const endOfQuiet = async (id: number, at: string) =>
  new Date(quietOf(await read(id))?.endOf(Date.parse(at)) ?? at).toISOString().slice(5, 16);

it('the same hours, put again and again through a night, push nothing out of the history', async () => {
  const id = await newOrganization();
  await change(id, night);
  await change(id, { quiet_hours: [{ from: '22:00', until: '09:00' }] }, after(90 * MINUTE));
  for (let times = 0; times < 120; times++)
    await change(
      id,
      { time_zone: 'UTC', quiet_hours: [{ from: '22:00', until: '09:00' }] },
      after((100 + times) * MINUTE),
    );
  expect((await read(id)).hours).toHaveLength(2);
  expect(await endOfQuiet(id, '2026-03-01T22:10:00Z')).toBe('03-02T09:00');
});

it('the hours that held eight days ago are kept, and those before them forgotten', async () => {
  const id = await newOrganization();
  const until = (hour: number) => ({ quiet_hours: [{ from: '22:00', until: `0${hour}:00` }] });
  await change(id, until(5));
  await change(id, until(6), after(DAY));
  await change(id, until(7), after(10 * DAY));
  expect((await read(id)).hours?.map(({ quiet_hours }) => quiet_hours[0]?.until)).toEqual(['06:00', '07:00']);
});

it('of more changes than are kept the newest ones are', async () => {
  const id = await newOrganization();
  const minutes = Array.from({ length: 55 }, (_, minute) => `08:${String(minute).padStart(2, '0')}`);
  for (const [at, until] of minutes.entries())
    await change(id, { quiet_hours: [{ from: '22:00', until }] }, after(at * MINUTE));
  const kept = (await read(id)).hours?.map(({ quiet_hours }) => quiet_hours[0]?.until);
  expect(kept).toEqual(minutes.slice(-51));
});

it('of two changes by what was read before either, both are kept', async () => {
  const id = await newOrganization();
  const known = await read(id);
  await sendingHours.change({ table, now: start }, known, night);
  const now = after(5 * MINUTE);
  expect(await sendingHours.change({ table, now }, known, { time_zone: 'Asia/Tokyo' })).toEqual({
    time_zone: 'Asia/Tokyo',
    ...night,
  });
  expect((await read(id)).hours).toHaveLength(2);
});

it('those of a deleted organization are not changed', async () => {
  const id = await newOrganization();
  const known = await read(id);
  const key = { PK: `ORG#${id}`, SK: 'META' };
  await batchWrite(table, { puts: [{ ...key, ...known, deleted_at: start.toISOString() }] });
  const refused = sendingHours.change({ table, now: start }, known, night);
  await expect(refused).rejects.toMatchObject({ reason: 'not-found' });
  expect(await getAll(table, [key])).toMatchObject([{ id, deleted_at: start.toISOString() }]);
  expect((await getAll(table, [key]))[0]).not.toHaveProperty('hours');
});
