import { expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as organization from '#core/organization/organization.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { purgesOf } from '#test/support/purge.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const { purged, left } = purgesOf(table);
const start = Date.parse('2030-01-01T12:00:00Z');
const [ANN, BEN] = ['ann@example.com', 'ben@example.com'];
const HOUR = 60 * 60_000;
const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)Command$/;

/** An organization with a pack for two people, one of whom has unsubscribed since: to be claimed, and to be skipped. */
async function withPack(now: Date) {
  const owner = await newUser(table, now);
  const { id } = await organization.create({ table, now }, owner.id, 'Post office');
  const acting = () => actingIn(table, owner.id, id);
  const sender = await newSender(table, now, await acting());
  const readers = await sender.newList();
  const automation = await sender.newAutomation({ email_list_ids: [readers.id] });
  await sender.newTemplate([automation.id]);
  for (const email of [ANN, BEN]) await sender.add(readers, email);
  sender.at(new Date(now.getTime() + 2 * 60_000));
  await sender.sweep();
  const ben = await listMember.find(
    { table },
    id,
    recipientKey.memberId(readers.id, recipientKey.hashOf(BEN)),
  );
  await listMember.change({ table, now }, ben, { is_subscribed: false });
  const [{ pack } = { pack: undefined }] = sender.queue;
  if (!pack) throw new Error('Nothing is due');
  const remove = async () => organization.remove({ table, now }, await acting());
  return { id, list_id: readers.id, needs: sender.needs, pack, remove };
}

it('nothing is left of what a sender writes that had read the organization before its deletion, whenever that was', async () => {
  const kinds = new Set<string>();
  let deleted = 0;
  for (let at = 1; at === deleted + 1; at++) {
    const now = new Date(start + at * HOUR);
    const { id, list_id, needs, pack, remove } = await withPack(now);
    let writes = 0;
    const on = intercepted(table, async (send, { constructor: { name } }) => {
      if (WRITES.test(name) && ++writes === at) {
        await remove();
        deleted++;
      }
      return send();
    });
    await deliver({ ...needs, table: on }, pack);
    if (deleted < at) await remove();
    for (const of of ['LOG', 'SKIPS', 'PACKS'])
      for (const { SK } of await queryPartition(table, `ORG#${id}#${of}`))
        kinds.add(/#[M]$/.exec(String(SK))?.[0] ?? of);
    const key = recipientKey.keyOf(id, ANN);
    const link = { url: 'https://example.com/', part: 'cta_url', by: 'person' } as const;
    const click = () => journal.writeClick(table, key, { seq: 1, at: now.toISOString(), ...link });
    if (await click()) kinds.add('click');
    await purged({ organization_id: id }, now);
    await purged({ organization_id: id, list_id }, now);
    expect(await click()).toBe(false);
    await deliver(needs, pack);
    for (const text of [`R#${id}#`, `ORG#${id}#`, `ORG#${id}"`, list_id])
      expect(await left(text)).toEqual([]);
  }
  // The skip, the head of a person, the claim, the batch, its end: each was written after the deletion.
  expect(deleted).toBeGreaterThanOrEqual(5);
  expect([...kinds].sort()).toEqual(['#M', 'LOG', 'PACKS', 'SKIPS', 'click']);
});
