import { expect, it } from 'vitest';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as lists from '#core/list/list.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { batchWrite, get, getAll } from '#core/storage/table.store.ts';
import { CHANGED_SINCE } from '#shared/automation.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewTemplateVersion } from '#shared/email-template.ts';
import { broadcastsIn, DAY, key } from '#test/support/broadcasts.ts';
import { asset, template as newTemplate } from '#test/support/content.ts';
import { deliveries, HOUR, MINUTE, start, timeAfter } from '#test/support/deliveries.ts';

const { table } = deliveries();
const { ready, activeOf, sources, switchList } = broadcastsIn(table);

type Scene = Awaited<ReturnType<typeof ready>>;
const at = (after: number) => timeAfter(after).toISOString();

const schedule = async ({ change }: Scene) => void (await change({ at: at(HOUR), status: 'scheduled' }));
const begin = async ({ change }: Scene) => void (await change({ status: 'scheduled' }));
async function finish(scene: Scene) {
  await begin(scene);
  await scene.sender.run(timeAfter(3 * MINUTE));
}
async function cancel(scene: Scene) {
  await schedule(scene);
  await scene.change({ status: 'cancelled' });
}
async function stop(scene: Scene) {
  await begin(scene);
  if (scene.lists[0]) await switchList(scene.sender, scene.lists[0], false);
  await scene.sender.run(timeAfter(3 * MINUTE));
}
async function waitDays(scene: Scene) {
  await finish(scene);
  scene.sender.at(timeAfter(3 * DAY));
}

const [DRAFT, SCHEDULED, CANCELLED] = [{ status: 'draft' }, { status: 'scheduled' }, { status: 'cancelled' }];
const [RENAMED, EMPTIED] = [{ name: 'Other' }, { email_template_ids: [] }];
const both = { ...CANCELLED, ...RENAMED };
const again = { ...SCHEDULED, ...RENAMED };
const BEGUN = 'It has begun, so it can only be cancelled.';
const SENT = 'It was sent. Create another broadcast instead.';
const OVER = 'It was cancelled. Create another broadcast instead.';
const STOPPED = 'It was stopped: it can only be sent to the rest, or cancelled.';

it.each([
  ['sending', 'sending', begin, BEGUN, [RENAMED, EMPTIED, DRAFT, both, again], [SCHEDULED]],
  ['sent', 'sent', finish, SENT, [RENAMED, EMPTIED, DRAFT, both, SCHEDULED], []],
  ['sent, and days ago', 'sent', waitDays, SENT, [RENAMED, DRAFT, SCHEDULED, CANCELLED], []],
  ['cancelled', 'cancelled', cancel, OVER, [RENAMED, EMPTIED, DRAFT, both, SCHEDULED], [CANCELLED]],
  ['stopped', 'stopped', stop, STOPPED, [RENAMED, EMPTIED, DRAFT, both, again], []],
] as const)('one that is %s is not changed any more', async (_, status, enter, message, refused, same) => {
  const scene = await ready([{ ann: {} }]);
  await enter(scene);
  const before = await scene.shown();
  expect(before).toMatchObject({ status, email_template_ids: [scene.template.id] });
  const stored = await scene.stored();
  for (const to of refused)
    await expect(scene.change(to), JSON.stringify(to)).rejects.toMatchObject({ reason: 'conflict', message });
  for (const to of same) expect(await scene.change(to)).toEqual(before);
  expect(await scene.shown()).toEqual(before);
  expect(await scene.stored()).toEqual(stored);
});

it('a draft is not cancelled, and where nothing of it changes it is not written', async () => {
  const { change, create, shown } = await ready([{ ann: {} }]);
  const refused = { errors: { status: [expect.any(String)] } };
  await expect(change(CANCELLED)).rejects.toMatchObject(refused);
  await expect(create(CANCELLED)).rejects.toMatchObject(refused);
  await expect(change(both)).rejects.toMatchObject({ message: 'To cancel it, change its status alone.' });
  const before = await shown();
  for (const to of [{}, DRAFT]) expect(await change(to)).toEqual(before);
});

it('one that is cancelled before it begins has not started', async () => {
  const { sender, change, shown } = await ready([{ ann: {} }]);
  expect(await change({ at: at(HOUR), ...SCHEDULED })).toMatchObject({ started_at: null, ended_at: null });
  await change(CANCELLED);
  expect(await activeOf(sender)).toBe(0);
  expect(await sources(sender)).toEqual([]);
  sender.at(timeAfter(2 * HOUR));
  expect(await shown()).toMatchObject({ started_at: null, ended_at: start.toISOString(), stopped: null });
});

it.each<[object, { at: string | null; local_at: string | null }, object?]>([
  [{ at: at(HOUR) }, { at: at(HOUR), local_at: null }],
  [
    { at: at(HOUR), local_at: null },
    { at: at(HOUR), local_at: null },
  ],
  [{ local_at: '2030-02-01T09:00' }, { at: null, local_at: '2030-02-01T09:00' }],
  [{ at: null }, { at: null, local_at: '2030-03-01T10:00' }, { local_at: '2030-03-01T10:00' }],
  [{ local_at: null }, { at: at(HOUR), local_at: null }, { at: at(HOUR) }],
  [{ at: null }, { at: null, local_at: null }, { at: at(HOUR) }],
  [{ local_at: null }, { at: null, local_at: null }, { local_at: '2030-03-01T10:00' }],
  [{ name: 'Other' }, { at: at(HOUR), local_at: null }, { at: at(HOUR) }],
])('with %o it goes at %o', async (to, expected, before = {}) => {
  const { change, stored } = await ready([{ ann: {} }], before);
  expect(await change(to)).toMatchObject(expected);
  const { send_at, time_zone_of } = await stored();
  const byZone = { send_at: expected.local_at?.slice(11), time_zone_of: 'member' };
  const atOnce = { send_at: null, time_zone_of: 'organization' };
  expect({ send_at, time_zone_of }).toEqual(expected.local_at ? byZone : atOnce);
});

it('an instant may have passed a minute ago, and a local time lies ahead of the zone where it is first', async () => {
  const { sender, change } = await ready([{ ann: {} }]);
  const late = (field: string) => ({ errors: { [field]: [expect.any(String)] } });
  const instant = new Date(start.getTime() - 60_001).toISOString();
  await expect(change({ at: instant, ...SCHEDULED })).rejects.toMatchObject(late('at'));
  await change({ at: new Date(start.getTime() - 60_000).toISOString(), ...SCHEDULED });
  const other = await ready([{ ann: {} }]);
  // Midnight in Kiribati.
  other.sender.at(new Date('2030-01-01T10:00:00Z'));
  const midnight = { local_at: '2030-01-02T00:00', ...SCHEDULED };
  await expect(other.change(midnight)).rejects.toMatchObject(late('local_at'));
  other.sender.at(new Date('2030-01-01T09:59:59Z'));
  await other.change(midnight);
  expect(await other.stored()).toMatchObject({ begins_at: '2030-01-01T10:00:00.000Z' });
  expect(await activeOf(sender)).toBe(1);
});

it('what is refused leaves its content linked as it was', async () => {
  const { sender, change, shown, template } = await ready([{ ann: {} }]);
  const { revision } = await shown();
  await change({ at: at(HOUR), ...SCHEDULED });
  const needs = { table, now: start };
  const made = await emailAssets.create(needs, sender.organization, NewEmailAsset.parse(asset({})));
  const no = (field: string) => ({ errors: { [field]: [expect.any(String)] } });
  const refused: [object, object][] = [
    [EMPTIED, no('email_template_ids')],
    [{ ...EMPTIED, email_list_ids: [] }, no('email_list_ids')],
    [{ email_asset_ids: [made.id], email_list_ids: ['0123456789ab'] }, no('email_list_ids')],
    [{ email_asset_ids: [template.id] }, no('email_asset_ids')],
    [{ email_template_ids: [made.id] }, no('email_template_ids')],
    [{ email_asset_ids: [made.id], revision }, { message: CHANGED_SINCE }],
    [{ email_asset_ids: [made.id], ...CANCELLED }, { reason: 'conflict' }],
  ];
  for (const [to, why] of refused) await expect(change(to), JSON.stringify(to)).rejects.toMatchObject(why);
  expect(await shown()).toMatchObject({
    status: 'scheduled',
    email_template_ids: [template.id],
    email_asset_ids: [],
  });
});

it('content that is not active is not linked, and not enough to send it', async () => {
  const { sender, change, shown, template } = await ready([{ ann: {} }]);
  const off = await sender.newTemplate([], { is_active: false });
  const without = { email_template_ids: [off.id] };
  await expect(change({ ...without, ...SCHEDULED })).rejects.toMatchObject({
    errors: { email_template_ids: [expect.any(String)] },
  });
  expect(await shown()).toMatchObject({ email_template_ids: [template.id] });
  expect(await change(without)).toMatchObject({ email_template_ids: [] });
});

it('one that was stopped is not resumed where all of its lists were deleted', async () => {
  const scene = await ready([{ ann: {} }]);
  await stop(scene);
  const { sender, change, shown, lists: of } = scene;
  if (of[0]) await lists.remove({ table, now: sender.now }, of[0]);
  await expect(change(SCHEDULED)).rejects.toMatchObject({ errors: { email_list_ids: [expect.any(String)] } });
  expect(await shown()).toMatchObject({ status: 'stopped', email_lists: [] });
});

it('they are on pages of 100, the newest first', async () => {
  const { sender, stored } = await ready([{ ann: {} }]);
  const newest = await stored();
  const others = Array.from({ length: 101 }, (_, nth) => ({
    ...newest,
    id: `B${String(nth).padStart(11, '0')}`,
    name: `Older ${nth}`,
  }));
  for (let from = 0; from < others.length; from += 20) {
    const puts = others.slice(from, from + 20).map(other => ({ ...key(sender, other.id), ...other }));
    await batchWrite(table, { puts });
  }
  const names = async (page: number) =>
    (await broadcasts.page({ table, now: start }, sender.organization, page)).map(({ name }) => name);
  const all = [newest, ...others.toReversed()].map(({ name }) => name);
  expect([await names(1), await names(2), await names(3)]).toEqual([all.slice(0, 100), all.slice(100), []]);
  expect(broadcasts.keysOf(sender.organization, newest.id)).toEqual([key(sender, newest.id)]);
  expect(broadcasts.keysOf(sender.organization, '0123456789ab')).toEqual([]);
  expect(await get(table, key(sender, newest.id))).toMatchObject({ name: newest.name });
});

it('one that has begun keeps the wording that it began with, and goes on with it; one that is scheduled gets the new one', async () => {
  const rewrite = async ({ sender, template }: Scene) => {
    const keys = emailTemplates.keysOf(sender.organization, template.id);
    const found = await emailTemplates.found({ table }, sender.acting, await getAll(table, keys));
    const parts = NewTemplateVersion.parse(newTemplate({ subject_line: 'Written anew' }));
    return emailTemplates.createVersion({ table, now: sender.now }, found, parts);
  };
  const sending = await ready([{ ann: {} }]);
  await begin(sending);
  await rewrite(sending);
  await sending.sender.run(timeAfter(3 * MINUTE));
  expect(sending.sender.mails().map(({ subject }) => subject)).toEqual(['Welcome aboard']);
  expect((await sending.shown()).email_template_ids).toEqual([sending.template.id]);
  const scheduled = await ready([{ ann: {} }]);
  await schedule(scheduled);
  const { id } = await rewrite(scheduled);
  expect((await scheduled.shown()).email_template_ids).toEqual([id]);
});
