import { expect, it } from 'vitest';
import { endPassOfBroadcast, stop } from '#core/automation/broadcast.store.ts';
import * as switches from '#core/organization/switches.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { type Pass, readPass } from '#core/sources/source.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { broadcastsIn } from '#test/support/broadcasts.ts';
import { deliveries, HOUR, MINUTE, timeAfter } from '#test/support/deliveries.ts';
import { beforeFirst } from '#test/support/intercepted.ts';

const { table } = deliveries();
const { ready, activeOf, sources } = broadcastsIn(table);

type Scene = Awaited<ReturnType<typeof ready>>;

async function passesOf({ sender, lists }: Scene): Promise<Pass[]> {
  const passes = (await sources(sender)).flatMap(item => readPass(item) ?? []);
  return lists.flatMap(({ id }) => passes.find(({ list }) => list === id) ?? []);
}
const needsOf = ({ sender }: Scene) => ({ table, now: sender.now });
const cancel = ({ change }: Scene) => change({ status: 'cancelled' });
const remove = async (scene: Scene) => broadcasts.remove(needsOf(scene), await scene.stored());

it('it is sent when the last one of its passes ends, and one that ended is not ended again', async () => {
  const scene = await ready([{ ann: {} }, { ben: {} }]);
  const { sender, lists, change, stored } = scene;
  await change({ status: 'scheduled' });
  const [first, second] = await passesOf(scene);
  if (!first || !second) throw new Error('No pass');
  expect(await endPassOfBroadcast(needsOf(scene), first)).toBe(true);
  const left = [lists[1]?.id];
  expect(await stored()).toMatchObject({ status: 'scheduled', active: true, left });
  expect(await stored()).not.toHaveProperty('ended_at');
  expect([await activeOf(sender), (await sources(sender)).length]).toEqual([1, 1]);
  expect(await endPassOfBroadcast(needsOf(scene), first)).toBe(false);
  expect(await stored()).toMatchObject({ status: 'scheduled', left });
  sender.at(timeAfter(MINUTE));
  expect(await endPassOfBroadcast(needsOf(scene), second)).toBe(true);
  const ended_at = sender.now.toISOString();
  expect(await stored()).toMatchObject({ status: 'sent', active: true, left: [], ended_at });
  expect([await activeOf(sender), (await sources(sender)).length]).toEqual([0, 0]);
});

it.each([
  ['cancelled', cancel],
  ['deleted', remove],
])('a pass that is left of one that was %s ends, and nothing else changes', async (_, end) => {
  const scene = await ready([{ ann: {} }]);
  const { sender, change, stored } = scene;
  await change({ status: 'scheduled' });
  const items = (await sources(sender)) as { PK: string; SK: string }[];
  const [pass] = await passesOf(scene);
  if (!pass) throw new Error('No pass');
  await end(scene);
  const before = await stored().catch(({ reason }) => reason);
  expect(before).toEqual(end === remove ? 'not-found' : expect.objectContaining({ status: 'cancelled' }));
  await batchWrite(table, { puts: items });
  expect(await endPassOfBroadcast(needsOf(scene), pass)).toBe(true);
  expect(await stored().catch(({ reason }) => reason)).toEqual(before);
  expect([await activeOf(sender), await sources(sender)]).toEqual([0, []]);
});

it.each([
  ['a reason that is of one person alone', 'suppressed', async () => {}, false],
  ['any reason, where it is cancelled already', 'list_off', cancel, true],
  ['any reason, where it is deleted', 'list_off', remove, true],
] as const)('it is not stopped for %s', async (_, reason, meanwhile, isDone) => {
  const scene = await ready([{ ann: {} }]);
  const { sender, change, stored, id } = scene;
  await change({ status: 'scheduled' });
  await meanwhile(scene);
  const before = await stored().catch(({ reason: why }) => why);
  expect(await stop(needsOf(scene), sender.organization, id, reason)).toBe(isDone);
  expect(await stored().catch(({ reason: why }) => why)).toEqual(before);
});

it('it is stopped also where it is changed meanwhile', async () => {
  const scene = await ready([{ ann: {} }]);
  const { sender, change, stored, id } = scene;
  await change({ at: timeAfter(HOUR).toISOString(), status: 'scheduled' });
  const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change({ name: 'Other' }));
  expect(await stop({ table: overtaken, now: sender.now }, sender.organization, id, 'list_off')).toBe(true);
  const stopped = { reason: 'list_off', at: sender.now.toISOString() };
  expect(await stored()).toMatchObject({
    name: 'Other',
    status: 'stopped',
    active: false,
    left: [],
    stopped,
  });
  expect([await activeOf(sender), await sources(sender)]).toEqual([0, []]);
});

it.each([
  ['cancelled', cancel],
  ['deleted', remove],
])('it is noted when it is scheduled, and when it is %s, by whom', async (_, end) => {
  const scene = await ready([{ ann: {} }]);
  const { sender, id } = scene;
  const to = { at: timeAfter(HOUR).toISOString(), status: 'scheduled' } as const;
  await broadcasts.change({ ...needsOf(scene), user: 'user-1' }, sender.acting, await scene.stored(), to);
  const noted = async () =>
    (await switches.readAll(table, sender.organization))
      .filter(({ what }) => what === `automation#${id}`)
      .map(({ on, by, at }) => [on, by, at])
      .sort();
  const scheduled = [true, 'user-1', sender.now.toISOString()];
  expect(await noted()).toEqual([scheduled]);
  sender.at(timeAfter(MINUTE));
  await scene.change({ name: 'Other' });
  expect(await noted()).toEqual([scheduled]);
  await end(scene);
  expect(await noted()).toEqual([[false, undefined, sender.now.toISOString()], scheduled]);
});
