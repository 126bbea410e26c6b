import { expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import * as forecasts from '#core/sending/forecast/forecast.ts';
import { daysLater, giveBack, hold, limitsOf, reserve } from '#core/sending/warm-up-shares.ts';
import { allowanceOf, beginWarmUp, type WarmUp, warmUpAt } from '#shared/warm-up.ts';
import { broadcastsIn } from '#test/support/broadcasts.ts';
import { found } from '#test/support/core-list.ts';
import {
  deliveries,
  HOUR,
  MINUTE,
  mailed,
  type Sender,
  start,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { throttled, UNKNOWN } from '#test/support/sending.ts';

const { table, ready, reasons, changeMember, storedAutomation, mailedAt } = deliveries();
const { ready: readyBroadcast } = broadcastsIn(table);
const DAY = 24 * HOUR;

const numbered = (people: number) => Array.from({ length: people }, (_, n) => `reader${n}@example.com`);

const stored = (sender: Sender, { id }: { id: string }) => found(table, sender.organization, id);

async function begin(sender: Sender, of: { id: string }, steps: number[], set: Partial<WarmUp> = {}) {
  const warm_up = { ...beginWarmUp(sender.now, steps), ...set };
  await listStore.change(table, await stored(sender, of), { set: { warm_up } });
}

/** A list in warm-up, and people whose email is due at ten. */
async function warm(people: number, steps: number[], schedule: object = {}) {
  const { sender, readers, automation } = await ready(numbered(people), schedule);
  await begin(sender, readers, steps);
  const sent = async () => (await stored(sender, readers)).warm_up?.sent;
  return { sender, readers, automation, sent };
}

it('a list sends what its day allows; who is due beyond that is skipped with the reason', async () => {
  const { sender, sent } = await warm(5, [2, 4]);
  await deliver(sender.needs, await sweptPack(sender));
  expect(sender.mails()).toHaveLength(2);
  expect(await reasons(sender)).toEqual(['warm_up']);
  expect(await sent()).toBe(2);
});

it('after each day of use a list may send the next step, and after the last one all', () => {
  const now = new Date('2030-01-01T12:00:00Z');
  const at = (days: number) => new Date(now.getTime() + days * DAY);
  const steps = (sent: number, set: Partial<WarmUp> = {}, days = 1) =>
    warmUpAt({ ...beginWarmUp(now), ...set, sent }, at(days))?.step;
  expect([49, 50, 100].map(sent => steps(sent))).toEqual([0, 1, 1]);
  expect(steps(100, {}, 0)).toBe(0);
  expect(steps(100, {}, 9)).toBe(1);
  expect(steps(100, { is_held: true })).toBe(0);
  expect(steps(100_000, { step: 6 })).toBeUndefined();
  expect(warmUpAt({ ...beginWarmUp(now), sent: 100 }, at(-1))).toMatchObject({ step: 0, sent: 100 });
  const allowed = [0, 1, 2, 3, 4, 5, 6].map(step => allowanceOf({ ...beginWarmUp(now), step }));
  expect(allowed).toEqual([100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]);
});

it('what is reserved and not used is given back: who is not due any more, and what the provider did not take', async () => {
  const { sender, readers, sent } = await warm(3, [2]);
  const pack = await sweptPack(sender);
  await changeMember(sender, readers, { is_subscribed: false }, { email: 'reader0@example.com' });
  sender.answers(throttled(30));
  await deliver(sender.needs, pack);
  expect([sender.mails().length, await sent()]).toEqual([2, 0]);
  await sender.run(timeAfter(6 * MINUTE));
  expect([sender.mails().length, await sent()]).toEqual([4, 2]);
  expect(await reasons(sender)).toEqual(['not_subscribed']);
});

it('an email of unknown outcome counts as sent', async () => {
  const { sender, sent } = await warm(1, [2]);
  sender.answers(UNKNOWN);
  await deliver(sender.needs, await sweptPack(sender));
  expect(await sent()).toBe(1);
});

it('what a process had reserved before it died is lost, and its pack reserves anew', async () => {
  const { sender, sent } = await warm(3, [4]);
  const pack = await sweptPack(sender);
  const dies = { ...sender.needs, trackingKey: () => Promise.reject(new Error('died')) };
  await expect(deliver(dies, pack)).rejects.toThrow('died');
  expect(await sent()).toBe(3);
  sender.at(timeAfter(10 * MINUTE));
  await deliver(sender.needs, pack);
  await sender.run(timeAfter(14 * MINUTE));
  expect([sender.mails().length, await sent()]).toEqual([1, 4]);
  expect(await reasons(sender)).toEqual(['warm_up']);
});

it('of several that reserve at once, all together get what is left', async () => {
  const { sender, readers } = await warm(1, [10]);
  const list = await stored(sender, readers);
  const got = await Promise.all(Array.from({ length: 5 }, () => reserve(table, list, 3, sender.now)));
  expect(got.map(of => of?.emails).sort()).toEqual([0, 1, 3, 3, 3]);
});

it('what is left of a day, or of a warm-up that was ended, is not given back to another one', async () => {
  const { sender, readers, sent } = await warm(1, [5, 9]);
  const reserved = await reserve(table, await stored(sender, readers), 3, sender.now);
  if (!reserved) throw new Error('Nothing is reserved');
  await reserve(table, await stored(sender, readers), 4, timeAfter(DAY));
  await giveBack(table, reserved, 3);
  expect(await sent()).toBe(4);
  sender.at(timeAfter(MINUTE));
  await begin(sender, readers, [5]);
  await giveBack(table, reserved, 3);
  expect(await sent()).toBe(0);
});

it('a list without a warm-up, or with one that is over, has no limit', async () => {
  const { sender, readers, sent } = await warm(3, [1]);
  await begin(sender, readers, [1], { day: '2029-12-31', sent: 1 });
  await deliver(sender.needs, await sweptPack(sender));
  expect(sender.mails()).toHaveLength(3);
  expect(await sent()).toBeUndefined();
});

it('a threshold of the guard keeps the lists of an automation at their step', async () => {
  const { sender, readers, automation } = await warm(1, [2, 4]);
  await begin(sender, readers, [2, 4], { sent: 2 });
  await hold(table, await storedAutomation(sender, automation), sender.now);
  const { warm_up } = await stored(sender, readers);
  expect(warmUpAt(warm_up, timeAfter(DAY))).toMatchObject({ step: 0, sent: 0 });
  expect(warmUpAt(warm_up, timeAfter(DAY))?.is_held).toBeUndefined();
});

it('one that is found before the first pack of a day holds that day too, also where an earlier day is held', async () => {
  const { sender, readers, automation } = await warm(1, [2, 4]);
  await begin(sender, readers, [2, 4], { sent: 2 });
  for (const hours of [24, 25, 48])
    await hold(table, await storedAutomation(sender, automation), timeAfter(hours * HOUR));
  const { warm_up } = await stored(sender, readers);
  expect(warm_up).toMatchObject({ step: 0, day: '2030-01-03', sent: 0, is_held: true });
  expect(warmUpAt(warm_up && { ...warm_up, sent: 2 }, timeAfter(3 * DAY))).toMatchObject({ step: 0 });
});

it('a broadcast of the last minute of a day, which is decided on the next day, waits for a day', () => {
  const at = Date.parse('2030-01-01T23:59:00Z');
  expect(daysLater(at, new Date('2030-01-02T00:00:30Z'))).toBe(1);
  expect(daysLater(at - MINUTE, new Date('2030-01-01T23:59:30Z'))).toBe(1);
  expect(daysLater(at, new Date('2030-01-02T01:00:00Z'))).toBe(1);
  expect(daysLater(at - MINUTE, new Date('2030-01-02T00:00:30Z'))).toBe(2);
});

it('ended, a warm-up limits nothing from then on; begun again, also once it is over, it is at its first step; while it is on, it goes on', async () => {
  const { sender, readers } = await warm(3, [1]);
  const change = async (warm_up: 'on' | 'off') =>
    list.change({ table, now: sender.now }, await stored(sender, readers), { warm_up });
  expect(await change('off')).toMatchObject({ warm_up: 'off', warm_up_progress: null });
  await deliver(sender.needs, await sweptPack(sender));
  expect(sender.mails()).toHaveLength(3);
  const progress = { step: 1, steps: 7, most_today: 100, sent_today: 0 };
  expect(await change('on')).toMatchObject({ warm_up: 'on', warm_up_progress: progress });
  await begin(sender, readers, [1, 2, 4], { step: 2, sent: 3 });
  const third = { step: 3, steps: 3, most_today: 4, sent_today: 3 };
  expect(await change('on')).toMatchObject({ warm_up: 'on', warm_up_progress: third });
  await begin(sender, readers, [2], { sent: 2 });
  sender.at(timeAfter(2 * DAY));
  expect(list.shown(await stored(sender, readers), sender.now)).toMatchObject({ warm_up: 'off' });
  expect(await change('on')).toMatchObject({ warm_up: 'on', warm_up_progress: progress });
});

it('a broadcast goes to the rest on the next days, at the same time; nobody is skipped, and it is then sent', async () => {
  const names = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`reader${n}`, {}]));
  const scene = await readyBroadcast([names]);
  const { sender, lists, change, shown, forecast } = scene;
  await begin(sender, lists[0] as { id: string }, [2, 4, 8]);
  expect(await forecast()).toMatchObject({ emails: 8, days: 3, not_sent: {} });
  await change({ status: 'scheduled' });
  await sender.run(timeAfter(20 * MINUTE));
  expect(sender.mails()).toHaveLength(2);
  expect(await shown()).toMatchObject({ status: 'sending' });
  for (const [days, count] of [
    [1, 6],
    [2, 8],
  ] as const) {
    sender.at(timeAfter(days * DAY - 5 * MINUTE));
    const before = sender.mails().length;
    await sender.run(timeAfter(days * DAY - MINUTE));
    expect(sender.mails()).toHaveLength(before);
    await sender.run(timeAfter(days * DAY + 10 * MINUTE));
    expect(sender.mails()).toHaveLength(count);
  }
  expect(await shown()).toMatchObject({ status: 'sent' });
  expect(new Set(sender.mailedTo()).size).toBe(8);
  expect(await reasons(sender)).toEqual([]);
});

it('at a local time, the rest gets a broadcast at that time of the next day', async () => {
  const zones = { timezone: 'Asia/Tokyo' };
  const people = { ann: zones, ben: zones, cid: { timezone: 'Europe/Berlin' } };
  const { sender, lists, change } = await readyBroadcast([people]);
  await begin(sender, lists[0] as { id: string }, [1, 9]);
  await change({ status: 'scheduled', local_at: '2030-01-03T09:00' });
  const at = (text: string) => new Date(`2030-01-${text}:30Z`);
  for (const from of ['03T00:00', '03T08:00', '04T00:00', '04T08:00']) {
    sender.at(new Date(at(from).getTime() - MINUTE));
    await sender.run(new Date(at(from).getTime() + 6 * MINUTE));
  }
  expect(mailed(sender).map(text => text.slice(0, 8))).toEqual(['01-03T00', '01-04T00', '01-04T08']);
});

it('a broadcast that waits for the next day can be cancelled', async () => {
  const { sender, lists, change, shown } = await readyBroadcast([{ ann: {}, ben: {} }]);
  await begin(sender, lists[0] as { id: string }, [1, 9]);
  await change({ status: 'scheduled' });
  await sender.run(timeAfter(10 * MINUTE));
  await change({ status: 'cancelled' });
  sender.at(timeAfter(DAY));
  await sender.run(timeAfter(DAY + 5 * MINUTE));
  expect(sender.mails()).toHaveLength(1);
  expect(await shown()).toMatchObject({ status: 'cancelled' });
});

it('who of a broadcast has lost the share of their pack waits until the next day', async () => {
  const { sender, lists, change } = await readyBroadcast([{ ann: {}, ben: {} }]);
  const readers = lists[0] as { id: string };
  await begin(sender, readers, [2, 9]);
  await change({ status: 'scheduled' });
  sender.at(timeAfter(2 * MINUTE));
  await sender.sweep();
  const [message] = sender.queue.splice(0);
  if (!message) throw new Error('Nothing is queued');
  const { warm_up_day: _, ...pack } = message.pack;
  await deliver(sender.needs, pack);
  expect(sender.mails()).toHaveLength(0);
  for (let hour = 1; hour <= 15; hour++) {
    sender.at(timeAfter(hour * HOUR));
    await sender.deliverAll();
  }
  expect(sender.mailedTo()).toEqual(['ann@example.com', 'ben@example.com']);
  expect(sender.mails().every(({ at }) => at.toISOString() > '2030-01-02')).toBe(true);
  expect(await reasons(sender)).toEqual([]);
});

it('forecasts say how many are skipped on which day, after what the list has sent already', async () => {
  const { sender, readers, automation } = await warm(12, [3, 9], { every_x_days: 1 });
  await begin(sender, readers, [3, 9], { sent: 1 });
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  const { days } = await forecasts.ofAutomation(needs, await storedAutomation(sender, automation));
  expect(days.slice(0, 3).map(({ count, skipped }) => [count, skipped])).toEqual([
    [2, 10],
    [9, 3],
    [12, 0],
  ]);
  expect(await mailedAt(sender, timeAfter(3 * MINUTE))).toHaveLength(2);
  expect(await mailedAt(sender, timeAfter(DAY + 3 * MINUTE))).toHaveLength(9);
  expect(await mailedAt(sender, timeAfter(2 * DAY + 3 * MINUTE))).toHaveLength(12);
});

it('what several automations of a list send by one pack counts together', async () => {
  const { sender, readers } = await ready(numbered(2));
  for (const name of ['cleo', 'dan'])
    await sender.add(readers, `${name}@example.com`, { renews_at: '2029-12-30T10:00:20Z' });
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'renews_at',
    delay_days: 2,
    every_x_days: 7,
  });
  await sender.newTemplate([id]);
  await begin(sender, readers, [10]);
  const pack = await sweptPack(sender);
  expect(new Set(pack.sources.map(({ automation }) => automation)).size).toBe(2);
  await deliver(sender.needs, pack);
  expect([sender.mails().length, (await stored(sender, readers)).warm_up?.sent]).toEqual([4, 4]);
});

it('what a sample uses of a day stands for all people, so the next day has the next step', () => {
  const warm_up = beginWarmUp(start, [8, 100]);
  const lists = new Map([['l', { warm_up } as listStore.StoredList]]);
  const email = (day: number, n: number) => ({
    list: 'l',
    at: start.getTime() + day * DAY + n,
    hash: `${day}${n}`,
    isBroadcast: false,
  });
  const second = [0, 1, 2].map(n => email(1, n));
  const limits = limitsOf(lists, [email(0, 0), email(0, 1), ...second], 0.25, start);
  expect(second.map(({ at, hash }) => limits.isWithin('l', new Date(at), hash))).toEqual([true, true, true]);
});
