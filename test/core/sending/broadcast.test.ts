import { expect, it } from 'vitest';
import { requireNotNamed } from '#core/automation/automation.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import { isBroadcast, newBroadcastId } from '#core/id.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as organizations from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { explain } from '#core/person/explanation.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { forecastBroadcast, upcoming } from '#core/sending/forecast/forecast.ts';
import { batchWrite, get, type Item, type Key } from '#core/storage/table.store.ts';
import { CHANGED_SINCE } from '#shared/automation.ts';
import { NewBroadcast } from '#shared/broadcast.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { broadcastsIn, DAY, email, key } from '#test/support/broadcasts.ts';
import { asset as newAsset } from '#test/support/content.ts';
import { deliveries, HOUR, MINUTE, mailed, memberOf, start, timeAfter } from '#test/support/deliveries.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { proof } from '#test/support/proof.ts';
import { dyingAsPassMoves, sweeper } from '#test/support/sweeping.ts';

const { table, reasons, changeMember } = deliveries();

const { ready, sources, activeOf } = broadcastsIn(table);

/** What of it was due to a member of the first list, and what became of it. */
async function whyOf(
  { sender, lists: [first], stored }: Awaited<ReturnType<typeof ready>>,
  name: string,
): Promise<string[]> {
  const id = memberOf(first ?? { id: '' }, email(name));
  const member = await listMember.find({ table }, sender.organization, id);
  const { past } = await explain({ table, now: sender.now }, member, await stored());
  return past.map(({ due_at, status }) => `${due_at.slice(0, 16)} ${status}`);
}

it('their ids follow the order in which they are created, and say in later centuries too what they are', () => {
  const ids = ['2026-11-28', '2059-06-01', '2100-02-28'].map(day => newBroadcastId(new Date(day)));
  expect(ids.filter(isBroadcast)).toEqual(ids.toSorted());
});

it('everybody on its lists who matches gets it once, and nobody who joins later', async () => {
  const audience = { all: [{ field: 'plan', op: 'is', value: 'pro' }] };
  const pro = { plan: 'pro' };
  const {
    sender,
    lists: [first, second],
    change,
    shown,
  } = await ready(
    [
      { ann: pro, ben: pro, cleo: {} },
      { ann: pro, dan: pro },
    ],
    { audience },
  );
  expect(await shown()).toMatchObject({ status: 'draft', started_at: null });
  await change({ status: 'scheduled' });
  expect(await activeOf(sender)).toBe(1);
  sender.at(timeAfter(1000));
  if (first) await sender.add(first, email('late'), pro);
  await sender.run(timeAfter(5 * MINUTE));
  if (second) await sender.add(second, email('later'), pro);
  await sender.run(timeAfter(10 * MINUTE));
  expect(sender.mailedTo()).toEqual(['ann', 'ben', 'dan'].map(email));
  expect(await shown()).toMatchObject({
    status: 'sent',
    at: start.toISOString(),
    started_at: start.toISOString(),
  });
  expect(await activeOf(sender)).toBe(0);
  expect(await sources(sender)).toEqual([]);
  expect(await reasons(sender)).toEqual([]);
});

it('who matches its conditions since was not too late for it: it goes at the same instant in all zones', async () => {
  const audience = { all: [{ field: 'plan', op: 'is', value: 'pro' }] };
  const one = await ready([{ ann: { plan: 'pro' }, cleo: { plan: 'free' } }], { audience });
  const { sender, change, lists } = one;
  await change({ status: 'scheduled' });
  await sender.run(timeAfter(5 * MINUTE));
  sender.at(timeAfter(2 * HOUR));
  const due = '2030-01-01T09:58';
  expect(await whyOf(one, 'cleo')).toEqual([`${due} no_match`]);
  const pro = { metadata: { plan: 'pro' } };
  for (const list of lists) await changeMember(sender, list, pro, { email: email('cleo') });
  expect(await whyOf(one, 'cleo')).toEqual([`${due} unrecorded`]);
});

it('a pass that waits is all there is until its minute, of which the sweep knows', async () => {
  const { sender, change, shown } = await ready([{ ann: {} }]);
  await change({ at: timeAfter(3 * HOUR).toISOString(), status: 'scheduled' });
  const sweeps = sweeper(table);
  const next = async (after: number) => (await sweeps.run(timeAfter(after))).next?.getTime();
  // It looks again each hour, as quiet hours may be changed.
  expect(await next(40_000)).toBe(Date.parse('2030-01-01T11:00:00Z'));
  expect(await next(HOUR + 90_000)).toBe(Date.parse('2030-01-01T12:01:00Z'));
  expect(await next(2 * HOUR + 150_000)).toBe(Date.parse('2030-01-01T13:00:00Z'));
  expect(sweeps.packs).toEqual([]);
  expect(await shown()).toMatchObject({ status: 'scheduled' });
  sender.at(timeAfter(3 * HOUR + 90_000));
  expect(await shown()).toMatchObject({ status: 'sending' });
  await sender.sweep();
  await sender.deliverAll();
  expect(mailed(sender)).toEqual(['01-01T13:00 ann@example.com']);
});

it('at a local time it goes in each zone at that time; people without one have that of the organization', async () => {
  const zone = (name: string) => ({ zone: name });
  const one = await ready([
    {
      tokyo: zone('Asia/Tokyo'),
      berlin: zone('Europe/Berlin'),
      boston: zone('America/New_York'),
      plain: {},
      moves: zone('America/Los_Angeles'),
      flees: zone('America/Los_Angeles'),
    },
  ]);
  const {
    sender,
    change,
    shown,
    lists: [readers],
  } = one;
  await expect(change({ local_at: '2030-01-01T23:00', status: 'scheduled' })).rejects.toMatchObject({
    errors: { local_at: [expect.any(String)] },
  });
  await change({ local_at: '2030-01-03T09:00', status: 'scheduled' });
  await sender.run(timeAfter(2 * DAY - 12 * HOUR));
  expect(sender.mails()).toEqual([]);
  const why = (name: string) => whyOf(one, name);
  // A pass over many people takes its time: nobody is too late before it is over.
  sender.at(timeAfter(2 * DAY - 10 * HOUR + 30 * MINUTE));
  expect(await why('tokyo')).toEqual(['2030-01-03T00:00 unrecorded']);
  for (let hour = -12; hour < 10; hour++) {
    sender.at(timeAfter(2 * DAY + hour * HOUR));
    if (hour === 1 && readers) {
      // They move to a zone whose time has passed, and back: nobody is mailed twice, or too late.
      const moved = { metadata: { zone: 'Asia/Tokyo' } };
      await changeMember(sender, readers, moved, { email: email('flees') });
      await changeMember(
        sender,
        readers,
        { metadata: { zone: 'America/Los_Angeles' } },
        { email: email('berlin') },
      );
    }
    await sender.run(timeAfter(2 * DAY + hour * HOUR + 4 * MINUTE));
  }
  expect(mailed(sender)).toEqual([
    '01-03T00:01 tokyo@example.com',
    '01-03T08:01 berlin@example.com',
    '01-03T09:01 plain@example.com',
    '01-03T14:01 boston@example.com',
    '01-03T17:01 moves@example.com',
  ]);
  await sender.run(timeAfter(2 * DAY + 13 * HOUR));
  expect(await shown()).toMatchObject({ status: 'sent' });
  expect(await why('flees')).toEqual(['2030-01-03T00:00 zone_passed']);
  expect(await why('boston')).toEqual(['2030-01-03T14:00 sent']);
});

it('of several lists whose zones are all due at once, each run goes on where the one before ended', async () => {
  const ofList = (name: string) => ({ [name]: { zone: 'Pacific/Pago_Pago' } });
  const { sender, change, shown, forecast } = await ready(['ada', 'bob', 'cyd', 'dan'].map(ofList));
  await change({ local_at: '2030-01-03T09:00', status: 'scheduled' });
  // It is that time there 25 hours after it is for the first time anywhere.
  expect(await forecast()).toMatchObject({ people: 4, emails: 4 });
  // The sweep was down meanwhile.
  for (let minute = 0; minute < 8; minute++) {
    sender.at(timeAfter(2 * DAY + 22 * HOUR + minute * MINUTE));
    await sender.sweep();
    await sender.deliverAll();
  }
  expect(mailed(sender)).toHaveLength(4);
  expect(await shown()).toMatchObject({ status: 'sent' });
});

it('on many lists it is queued once and sent in one run', async () => {
  const { change, shown } = await ready(['ann', 'ben', 'cleo', 'dan', 'eve'].map(name => ({ [name]: {} })));
  await change({ status: 'scheduled' });
  const sweeps = sweeper(table);
  await sweeps.run(timeAfter(100_000));
  expect(sweeps.packs).toHaveLength(5);
  expect(await shown()).toMatchObject({ status: 'sent' });
});

it('where the zone of the organization changes while it passes, nobody without a zone is forgotten', async () => {
  const { sender, change } = await ready([{ plain: {}, tokyo: { zone: 'Asia/Tokyo' } }]);
  await change({ local_at: '2030-01-03T09:00', status: 'scheduled' });
  sender.at(timeAfter(2 * DAY - 9 * HOUR));
  await sender.run(timeAfter(2 * DAY - 9 * HOUR));
  await sender.run(timeAfter(2 * DAY - 7 * HOUR));
  expect(mailed(sender)).toEqual([expect.stringContaining('tokyo')]);
  const [found] = await organizations.findAll({ table }, [sender.organization]);
  if (found) await sendingHours.change({ table, now: sender.now }, found, { time_zone: 'Pacific/Auckland' });
  await sender.run(timeAfter(2 * DAY - 5 * HOUR));
  expect(mailed(sender)).toHaveLength(2);
});

it('nothing is posted after it is cancelled, and what was queued is skipped', async () => {
  const { sender, change, shown } = await ready([{ ann: {} }]);
  await change({ status: 'scheduled' });
  sender.at(timeAfter(90_000));
  await sender.sweep();
  expect(await shown()).toMatchObject({ status: 'sent' });
  await change({ status: 'cancelled' });
  await sender.deliverAll();
  expect(sender.mails()).toEqual([]);
  expect(await reasons(sender)).toEqual(['automation_off']);
  expect(await shown()).toMatchObject({ status: 'cancelled', ended_at: expect.any(String) });
  await expect(change({ status: 'scheduled' })).rejects.toThrow('It was cancelled');
});

it('it can be edited until it begins, and then only cancelled', async () => {
  const { sender, change, shown } = await ready([{ ann: {} }]);
  const at = (after: number) => timeAfter(after).toISOString();
  await change({ at: at(HOUR), status: 'scheduled' });
  await change({ name: 'Other', at: at(2 * HOUR) });
  expect(await shown()).toMatchObject({ status: 'scheduled', name: 'Other', at: at(2 * HOUR) });
  await change({ status: 'draft', local_at: '2030-02-01T09:00' });
  expect(await shown()).toMatchObject({ status: 'draft', at: null, local_at: '2030-02-01T09:00' });
  expect(await sources(sender)).toEqual([]);
  expect(await activeOf(sender)).toBe(0);
  await change({ status: 'scheduled', at: at(HOUR) });
  sender.at(timeAfter(HOUR));
  await expect(change({ name: 'Too late' })).rejects.toMatchObject({ reason: 'conflict' });
  await change({ status: 'cancelled' });
  expect(await activeOf(sender)).toBe(0);
});

it('it is not scheduled where somebody else has changed it since the caller read it, before or meanwhile', async () => {
  const { sender, change, shown, stored } = await ready([{ ann: {} }]);
  const { revision } = await shown();
  const send = async (as: string) => change({ status: 'scheduled', revision: as });
  const { revision: second } = await change({ name: 'To all', revision });
  await expect(send(revision)).rejects.toMatchObject({ reason: 'conflict', message: CHANGED_SINCE });
  const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change({ name: 'To even more' }));
  const meanwhile = broadcasts.change({ table: overtaken, now: sender.now }, sender.acting, await stored(), {
    status: 'scheduled',
    revision: second,
  });
  await expect(meanwhile).rejects.toMatchObject({ message: CHANGED_SINCE });
  const { revision: third } = await shown();
  expect(await send(third)).toMatchObject({ status: 'sending', name: 'To even more' });
});

it.each([
  ['at', { at: '2030-01-01T09:57:00Z' }],
  ['email_list_ids', { email_list_ids: [] }],
  ['email_list_ids', { email_list_ids: ['0123456789ab'] }],
  ['email_template_ids', { email_template_ids: [] }],
  ['email_asset_ids', { email_asset_ids: ['0123456789ab'] }],
])('what cannot be sent is refused at %s, and nothing is left of it', async (field, wrong) => {
  const { sender, create } = await ready([{ ann: {} }]);
  await expect(create({ ...wrong, status: 'scheduled' })).rejects.toMatchObject({
    errors: { [field]: [expect.any(String)] },
  });
  expect(await broadcasts.page({ table, now: sender.now }, sender.organization, 1)).toHaveLength(1);
});

it('a pass that dies after the queue has a page goes on there; two runs, or a repetition, mail nobody twice', async () => {
  const names = ['ann', 'ben', 'cleo', 'dan', 'eve'];
  const { sender, change } = await ready([Object.fromEntries(names.map(name => [name, {}]))]);
  await change({ status: 'scheduled' });
  const sweeps = sweeper(table);
  const part = { rows: 2, due: 2 };
  await sweeps.run(timeAfter(90_000), { table: dyingAsPassMoves(table), part });
  await Promise.all([sweeps.run(timeAfter(150_000), { part }), sweeps.run(timeAfter(150_000), { part })]);
  sender.at(timeAfter(160_000));
  for (const pack of [...sweeps.packs, ...sweeps.packs]) await deliver(sender.needs, pack);
  expect(sender.mailedTo()).toEqual(names.map(email));
});

proof('quiet hours that are set while time zones are still to come leave none of them out', async () => {
  const { sender, change } = await ready([
    {
      tokyo: { zone: 'Asia/Tokyo' },
      azores: { zone: 'Atlantic/Azores' },
      boston: { zone: 'America/New_York' },
    },
  ]);
  await change({ local_at: '2030-01-02T09:00', status: 'scheduled' });
  const hour = async (hours: number) => {
    sender.at(timeAfter(hours * HOUR));
    await sender.run(timeAfter(hours * HOUR + 4 * MINUTE));
  };
  for (let hours = 0; hours < 24; hours++) await hour(hours);
  // The Azores are next. Both zones wait until the same minute, and by its name the other one precedes.
  const [found] = await organizations.findAll({ table }, [sender.organization]);
  const quiet_hours = [{ from: '09:30', until: '18:00' }];
  if (found) await sendingHours.change({ table, now: sender.now }, found, { quiet_hours });
  for (let hours = 24; hours < 34; hours++) await hour(hours);
  expect(mailed(sender)).toEqual([
    '01-02T00:01 tokyo@example.com',
    '01-02T18:01 boston@example.com',
    '01-02T18:01 azores@example.com',
  ]);
});

it('the end of quiet hours is waited for', async () => {
  const { sender, change } = await ready([{ ann: {} }]);
  const [found] = await organizations.findAll({ table }, [sender.organization]);
  const quiet_hours = [{ from: '10:02', until: '12:00' }];
  if (found) await sendingHours.change({ table, now: sender.now }, found, { quiet_hours });
  await change({ at: timeAfter(6 * MINUTE).toISOString(), status: 'scheduled' });
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.mails()).toEqual([]);
  await sender.run(timeAfter(2 * HOUR + 5 * MINUTE));
  expect(mailed(sender)).toEqual(['01-01T12:01 ann@example.com']);
});

it('the forecast says who gets it and who does not, and the home page counts it once it is scheduled', async () => {
  const { sender, change, forecast } = await ready(
    [{ ann: { vip: 'yes' }, ben: { vip: 'yes' }, cleo: {} }, { ann: { vip: 'yes' } }],
    { audience: { all: [{ field: 'vip', op: 'set' }] } },
  );
  const needs = { table, now: sender.now, hasTimeLeft: () => true };
  const soon = async () => (await upcoming(needs, sender.organization)).next_24_hours;
  expect(await forecast()).toMatchObject({ people: 3, emails: 2, no_match: 1, not_sent: {}, sampled: null });
  expect(await soon()).toEqual({ count: 0, skipped: 0 });
  await change({ at: timeAfter(HOUR).toISOString(), status: 'scheduled' });
  expect(await soon()).toEqual({ count: 2, skipped: 0 });
  await safeguards.change({ table, now: sender.now }, sender.organization, {
    max_emails_5_minutes: 1,
    max_emails_1_hour: 1,
  });
  await sender.run(timeAfter(HOUR + 3 * MINUTE));
  expect(await forecast()).toMatchObject({ people: 3, emails: 0, no_match: 1 });
});

it('the forecast of what is not created yet goes by its content, and says who of its lists is not subscribed', async () => {
  const { sender, lists, template } = await ready([{ ann: {}, ben: {} }, { cleo: {} }]);
  const counts = (list: { id: string } | undefined, total: number, subscribed: number) =>
    batchWrite(table, { puts: [{ PK: `LIST#${list?.id}`, SK: 'COUNTS', total, subscribed }] });
  await counts(lists[0], 6, 2);
  await counts(lists[1], 4, 1);
  const forecast = async (email_template_ids: string[]) => {
    const email_list_ids = lists.map(({ id }) => id);
    const fields = NewBroadcast.parse({ name: 'The summer sale', email_list_ids, email_template_ids });
    const needs = { table, now: sender.now, hasTimeLeft: () => true };
    const { draft, linked } = await broadcasts.newBroadcast(needs, sender.organization, fields);
    return forecastBroadcast(needs, draft, linked);
  };
  expect(await forecast([template.id])).toMatchObject({
    people: 3,
    emails: 3,
    not_sent: {},
    not_subscribed: 7,
  });
  expect(await forecast([])).toMatchObject({ people: 3, emails: 0, not_sent: { no_content: 3 } });
});

it('the forecast of what goes in a thousand years takes what others send in the week before, and no more', async () => {
  const { sender, change, forecast, lists } = await ready([{ ann: {}, ben: {} }]);
  const email_list_ids = lists.map(({ id }) => id);
  const { id } = await sender.newAutomation({ active: true, email_list_ids, every_x_days: 1 });
  await sender.newTemplate([id]);
  await change({ at: '2999-12-31T12:00:00Z' });
  expect(await forecast()).toMatchObject({ emails: 0, not_sent: { 'capped:max_emails_1_week': 2 } });
  const now = { table, now: sender.now };
  await safeguards.change(now, sender.organization, { max_emails_1_week: 8 });
  expect(await forecast()).toMatchObject({ people: 2, emails: 2 });
});

it('while it is scheduled, fifty lists are replaced by fifty others, and those get it', async () => {
  const { sender, change, shown } = await ready([{ ann: {} }]);
  const all = [];
  for (let nth = 0; nth < 100; nth++) all.push((await sender.newList()).id);
  await change({ at: timeAfter(HOUR).toISOString(), email_list_ids: all.slice(0, 50), status: 'scheduled' });
  await change({ email_list_ids: all.slice(50) });
  expect(await shown()).toMatchObject({ status: 'scheduled', email_list_ids: all.slice(50) });
  expect((await sources(sender)).map(({ SK }) => String(SK).split('#')[1]).sort()).toEqual(
    all.slice(50).sort(),
  );
});

it('it is one of the hundred active automations from when it is scheduled until it is sent', async () => {
  const { sender, change, shown, create } = await ready([{ ann: {} }]);
  const META = { PK: `ORG#${sender.organization}`, SK: 'META' };
  const meta = async () => ((await get(table, META)) ?? {}) as Item & Key;
  await batchWrite(table, { puts: [{ ...(await meta()), ...META, active_automations: 99 }] });
  await change({ status: 'scheduled' });
  expect(await activeOf(sender)).toBe(100);
  await expect(create({ status: 'scheduled' })).rejects.toMatchObject({
    errors: { active: [expect.any(String)] },
  });
  expect(await broadcasts.page({ table, now: sender.now }, sender.organization, 1)).toHaveLength(1);
  await create();
  await expect(sender.newAutomation({ active: true })).rejects.toMatchObject({
    errors: { active: [expect.any(String)] },
  });
  await sender.run(timeAfter(3 * MINUTE));
  expect(await shown()).toMatchObject({ status: 'sent' });
  expect(await activeOf(sender)).toBe(99);
  await sender.newAutomation({ active: true });
});

it('an organization has ten thousand, and one that is deleted makes room for another one', async () => {
  const { sender, create, stored } = await ready([{ ann: {} }]);
  const META = { PK: `ORG#${sender.organization}`, SK: 'META' };
  const meta = async () => ((await get(table, META)) ?? {}) as Item & Key;
  expect(await meta()).toMatchObject({ broadcasts: 1 });
  await batchWrite(table, { puts: [{ ...(await meta()), broadcasts: 10_000 }] });
  await expect(create()).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('10,000'),
  });
  await broadcasts.remove({ table, now: sender.now }, await stored());
  await create();
  expect(await meta()).toMatchObject({ broadcasts: 10_000 });
});

it.each(['email_list_ids', 'audience', 'email_template_ids', 'email_asset_ids'])(
  'nothing of another organization is in it: %s',
  async field => {
    const other = await ready([{ ann: {} }]);
    const { sender, create, change } = await ready([{ ben: {} }]);
    const [list] = other.lists;
    const asset = await emailAssets.create(
      { table, now: start },
      other.sender.organization,
      NewEmailAsset.parse(newAsset({})),
    );
    const theirs: Record<string, unknown> = {
      email_list_ids: [list?.id],
      audience: { all: [{ field: '@list', op: 'not_on', value: list?.id }] },
      email_template_ids: [other.template.id],
      email_asset_ids: [asset.id],
    };
    const refused = { errors: { [field]: [expect.any(String)] } };
    const to = { [field]: theirs[field] };
    await expect(create(to)).rejects.toMatchObject(refused);
    await expect(change(to)).rejects.toMatchObject(refused);
    expect(await broadcasts.page({ table, now: start }, sender.organization, 1)).toHaveLength(1);
    expect(await get(table, key(sender, other.id))).toBeUndefined();
  },
);

it.each(['email_template_ids', 'email_asset_ids'] as const)(
  'a change of its %s alone keeps the others',
  async field => {
    const { sender, change, template } = await ready([{ ann: {} }]);
    const newOne = async () =>
      emailAssets.create({ table, now: start }, sender.organization, NewEmailAsset.parse(newAsset({})));
    const [first, second] = [await newOne(), await newOne()];
    const other = await sender.newTemplate([]);
    const before = { email_template_ids: [template.id], email_asset_ids: [first.id] };
    expect(await change({ email_asset_ids: [first.id] })).toMatchObject(before);
    const to = { email_template_ids: [other.id], email_asset_ids: [second.id] }[field];
    expect(await change({ [field]: to })).toMatchObject({ ...before, [field]: to });
  },
);

it('a list that its conditions name is needed as long as its emails may be in the queue', async () => {
  const scene = await ready([{ ann: {} }, { ben: {} }]);
  const {
    sender,
    change,
    shown,
    lists: [readers, staff],
  } = scene;
  if (!readers || !staff) throw new Error('No list');
  const audience = { all: [{ field: '@list', op: 'not_on', value: staff.id }] };
  await change({ email_list_ids: [readers.id], audience, status: 'scheduled' });
  const isNeeded = async (after: number) =>
    requireNotNamed({ table, now: timeAfter(after) }, staff).then(
      () => false,
      ({ reason }) => reason === 'conflict',
    );
  expect(await isNeeded(0)).toBe(true);
  await sender.run(timeAfter(3 * MINUTE));
  expect(await shown()).toMatchObject({ status: 'sent' });
  expect([await isNeeded(2 * DAY), await isNeeded(2 * DAY + 4 * MINUTE)]).toEqual([true, false]);
});
