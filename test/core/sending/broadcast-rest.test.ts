import { expect, it } from 'vitest';
import { relink } from '#core/content/automation-content.ts';
import * as lists from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as organizations from '#core/organization/organization.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { deliver, handleDeadPack } from '#core/sending/delivery/delivery.ts';
import * as stops from '#core/sending/stop.ts';
import { get } from '#core/storage/table.store.ts';
import { broadcastsIn, DAY, email, key } from '#test/support/broadcasts.ts';
import { deliveries, MINUTE, type Sender, timeAfter } from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { purgesOf } from '#test/support/purge.ts';
import { openVault } from '#test/support/sending.ts';

// Of broadcasts that are stopped, and sent to the rest.
const { table } = deliveries();
const { ready, sources, activeOf, switchList } = broadcastsIn(table);
const { purged } = purgesOf(table);

it.each([
  ['a list is switched off', 'list_off', true],
  ['the operator stops sending', 'stopped', false],
])(
  'where %s it is stopped, and the rest is mailed once, whatever was queued, claimed or died',
  async (_, reason, isOff) => {
    const names = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay'];
    const scene = await ready([Object.fromEntries(names.map(name => [name, {}]))]);
    const {
      sender,
      change,
      shown,
      forecast,
      lists: [readers],
    } = scene;
    if (!readers) throw new Error('No list');
    await change({ status: 'scheduled' });
    sender.at(timeAfter(90_000));
    await sender.sweep();
    // Half of the people are claimed by a process that dies, the others wait.
    const [message] = sender.queue.splice(0);
    if (!message) throw new Error('Nothing is queued');
    const [dying, waiting] = [message.pack.people.slice(0, 3), message.pack.people.slice(3)];
    const packs = [dying, waiting].map((people, nth) => ({ ...message.pack, id: `half${nth}`, people }));
    const died = intercepted(table, (send, { input }) => {
      if (JSON.stringify(input).includes('"posting"')) throw new Error('The process has died');
      return send();
    });
    await expect(
      deliver({ ...sender.needs, table: died, failed: () => {} }, packs[0] as never),
    ).rejects.toThrow();
    const ofIt = () => ({ table, now: sender.now, organization: sender.organization });
    const off = () => (isOff ? switchList(sender, readers, false) : stops.stop(ofIt()));
    const on = () => (isOff ? switchList(sender, readers, true) : stops.start(ofIt()));
    await off();
    await deliver(sender.needs, packs[1] as never);
    expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason } });
    expect(await activeOf(sender)).toBe(0);
    expect(sender.mails()).toEqual([]);
    await on();
    sender.at(timeAfter(5 * MINUTE));
    expect(await forecast()).toMatchObject({ people: 6, emails: 3, not_sent: {} });
    await change({ status: 'scheduled' });
    expect(await shown()).toMatchObject({ status: 'sending', stopped: null });
    await sender.run(timeAfter(8 * MINUTE));
    // What the dead process has claimed is released by the next one, and sent though that pack is older.
    sender.queue.push({ pack: packs[0] as never, at: 0 });
    await sender.run(timeAfter(12 * MINUTE));
    sender.at(timeAfter(30 * MINUTE));
    await sender.deliverAll();
    expect(sender.mailedTo()).toEqual(names.map(email));
    expect(await shown()).toMatchObject({ status: 'sent' });
  },
);

async function switchOrganization(sender: Sender, active: boolean) {
  const [organization] = await organizations.findAll({ table }, [sender.organization]);
  if (organization)
    await organizations.change({ table, now: sender.now }, { ...sender.acting, organization }, { active });
}

type Scene = Awaited<ReturnType<typeof ready>>;
const nothing = async () => {};
const changeKey = async ({ lists: [readers], sender }: Scene, mailgun_sending_key: string | null) => {
  const found = await lists.lookUp({ table }, sender.organization, readers?.id ?? '');
  if (found)
    await sendingKey.changeSendingKey({ table, now: sender.now, vault: openVault }, found, {
      mailgun_sending_key,
    });
};
const later = async ({ sender }: Scene) => void sender.at(timeAfter(1.1 * DAY));

it.each([
  [
    'the organization is switched off',
    'organization_off',
    deliver,
    ({ sender }: Scene) => switchOrganization(sender, false),
    ({ sender }: Scene) => switchOrganization(sender, true),
  ],
  [
    'a list has no key any more',
    'no_key',
    deliver,
    (scene: Scene) => changeKey(scene, null),
    (scene: Scene) => changeKey(scene, 'key-2'),
  ],
  ['the queue kept its emails for more than a day', 'stale', deliver, later, nothing],
  ['the queue gives its emails up', 'stale', handleDeadPack, later, nothing],
] as const)('where %s, what is queued stops it, and the rest is mailed once', async (...row) => {
  const [, reason, take, breaks, mends] = row;
  const scene = await ready([{ ann: {}, ben: {} }]);
  const { sender, change, shown } = scene;
  await change({ status: 'scheduled' });
  sender.at(timeAfter(90_000));
  await sender.sweep();
  expect(await shown()).toMatchObject({ status: 'sent', ended_at: sender.now.toISOString() });
  await breaks(scene);
  for (const { pack } of sender.queue.splice(0)) await take(sender.needs, pack);
  const at = sender.now.toISOString();
  expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason, at } });
  await mends(scene);
  const resumed = { status: 'sending', stopped: null, ended_at: null };
  expect(await change({ status: 'scheduled' })).toMatchObject(resumed);
  await sender.run(new Date(sender.now.getTime() + 5 * MINUTE));
  expect(sender.mailedTo()).toEqual(['ann', 'ben'].map(email));
  expect(await shown()).toMatchObject({ status: 'sent' });
});

it('the pass itself stops it where something is off, and two days later it cannot be resumed', async () => {
  const {
    sender,
    change,
    shown,
    lists: [readers],
  } = await ready([{ ann: {} }, { ben: {} }]);
  await change({ status: 'scheduled' });
  if (readers) await switchList(sender, readers, false);
  await sender.run(timeAfter(3 * MINUTE));
  expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason: 'list_off' } });
  expect(await sources(sender)).toEqual([]);
  sender.at(timeAfter(DAY));
  await change({ status: 'scheduled' });
  // The list is still off.
  await sender.run(timeAfter(DAY + 3 * MINUTE));
  sender.at(timeAfter(3.1 * DAY));
  await expect(change({ status: 'scheduled' })).rejects.toThrow('more than two days ago');
});

it('it goes on in the minute in which what was off is switched on again', async () => {
  const {
    sender,
    change,
    shown,
    lists: [readers],
  } = await ready([{ ann: {} }]);
  if (!readers) throw new Error('No list');
  await change({ status: 'scheduled' });
  await switchList(sender, readers, false);
  await sender.run(timeAfter(3 * MINUTE));
  expect(await shown()).toMatchObject({ status: 'stopped' });
  sender.at(timeAfter(10 * MINUTE));
  await switchList(sender, readers, true);
  await change({ status: 'scheduled' });
  sender.at(timeAfter(10 * MINUTE + 20_000));
  await sender.sweep();
  await sender.deliverAll();
  expect(sender.mailedTo()).toEqual([email('ann')]);
  expect(await shown()).toMatchObject({ status: 'sent' });
});

it('one that is cancelled after it was stopped has been cancelled, and says nothing else', async () => {
  const {
    sender,
    change,
    lists: [readers],
  } = await ready([{ ann: {} }]);
  await change({ status: 'scheduled' });
  if (readers) await switchList(sender, readers, false);
  await sender.run(timeAfter(3 * MINUTE));
  const ended_at = sender.now.toISOString();
  const cancelled = { status: 'cancelled', stopped: null, started_at: expect.any(String), ended_at };
  expect(await change({ status: 'cancelled' })).toMatchObject(cancelled);
  await expect(change({ status: 'scheduled' })).rejects.toThrow('It was cancelled');
});

it.each([
  ['its pass over the list', false],
  ['the purge, which takes that pass,', true],
])(
  'a list that is deleted gets nothing more of it: %s stops it, and the rest of its other lists can have it',
  async (_, isPurged) => {
    const scene = await ready([{ ann: {} }, { ben: {} }]);
    const {
      sender,
      change,
      shown,
      lists: [first],
    } = scene;
    await change({ at: timeAfter(10 * MINUTE).toISOString(), status: 'scheduled' });
    if (first) await lists.remove({ table, now: sender.now }, first);
    const job = { organization_id: sender.organization, list_id: first?.id };
    if (isPurged) expect(await purged(job, sender.now)).toEqual(['done']);
    await sender.run(timeAfter(15 * MINUTE));
    expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason: 'list_off' } });
    expect(sender.mails()).toEqual([]);
    expect(await sources(sender)).toEqual([]);
    await change({ status: 'scheduled' });
    await sender.run(timeAfter(20 * MINUTE));
    expect(sender.mailedTo()).toEqual([email('ben')]);
    expect(await shown()).toMatchObject({ status: 'sent' });
  },
);

it('it is neither scheduled nor sent to the rest once a list is deleted that its conditions name', async () => {
  const scene = await ready([{ ann: {} }, { ann: {} }]);
  const {
    sender,
    change,
    shown,
    create,
    lists: [readers, staff],
  } = scene;
  if (!readers || !staff) throw new Error('No list');
  const audience = { all: [{ field: '@list', op: 'not_on', value: staff.id }] };
  const fields = { email_list_ids: [readers.id], audience };
  const other = await create(fields);
  await change({ ...fields, status: 'scheduled' });
  await switchList(sender, readers, false);
  await sender.run(timeAfter(3 * MINUTE));
  await switchList(sender, readers, true);
  await lists.remove({ table, now: sender.now }, staff);
  const refused = { errors: { audience: [expect.any(String)] } };
  await expect(change({ status: 'scheduled' })).rejects.toMatchObject(refused);
  expect(await shown()).toMatchObject({ status: 'stopped' });
  const draft = broadcasts.found([(await get(table, key(sender, other.id))) ?? { PK: '', SK: '' }]);
  const schedule = broadcasts.change({ table, now: sender.now }, sender.acting, draft, {
    status: 'scheduled',
  });
  await expect(schedule).rejects.toMatchObject(refused);
  expect(sender.mails()).toEqual([]);
});

it('a sender that finds no content stops it, and once it has some again it is sent to the rest', async () => {
  const { sender, change, shown, template, stored } = await ready([{ ann: {}, ben: {} }]);
  await change({ status: 'scheduled' });
  sender.at(timeAfter(90_000));
  await sender.sweep();
  await relink({ table, now: sender.now }, sender.acting, await stored(), {
    link: [],
    unlink: [template.id],
  });
  await sender.deliverAll();
  expect(sender.mails()).toEqual([]);
  expect(await shown()).toMatchObject({ status: 'stopped', stopped: { reason: 'no_content' } });
  expect(await activeOf(sender)).toBe(0);
  await expect(change({ status: 'scheduled' })).rejects.toMatchObject({
    errors: { email_template_ids: [expect.any(String)] },
  });
  await relink({ table, now: sender.now }, sender.acting, await stored(), {
    link: [template.id],
    unlink: [],
  });
  await change({ status: 'scheduled' });
  await sender.run(timeAfter(6 * MINUTE));
  expect(sender.mailedTo()).toEqual(['ann', 'ben'].map(email));
});
