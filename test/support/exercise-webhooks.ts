import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as deliverStore from '#core/list/unsubscribe-webhook/delivery.ts';
import * as unsubscribeWebhook from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as member from '#core/organization/member.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { ALL_LISTS, NewWebhook } from '#shared/unsubscribe-webhook.ts';
import { crashingAtEachWrite } from './crash.ts';

const vault = { seal: async (text: string) => text, open: async (sealed: string) => sealed };
const FORM = NewWebhook.parse({ name: 'Shop', url: 'https://example.com/', headers: { 'X-Key': 'tiger' } });
const queue = async () => {};

let count = 0;

/** Creates, changes and deletes webhooks of these lists, and delivers to them. Some webhooks stay. */
export async function exerciseWebhooks(
  { table, now }: { table: Table; now: Date },
  lists: list.CountedList[],
): Promise<void> {
  const needs = (on: Table) => ({ table: on, now, vault });
  for (const of of lists) {
    const { organization_id: organization, id: listId } = of;
    for (const is_subscribed of [true, false]) {
      await listMember.upsertAll({ table, now }, of, [{ email: 'told@example.com', is_subscribed }]);
    }
    const newWebhook = async () => {
      const { id } = await webhooks.create(needs(table), of, FORM);
      return webhooks.found(await getAll(table, webhooks.keysOf(organization, listId, id)), listId, id);
    };
    const delivers = (on: Table, status: number) => ({
      table: on,
      vault,
      queue,
      now: () => now,
      random: Math.random,
      post: async () => ({ status, ms: 6_000 }),
    });
    const memberEvent = { event: 'unsubscribed', at: now.toISOString(), source: 'app' } as const;
    const key = recipient.keyOf(organization, 'told@example.com');
    const message = (webhook: unsubscribeWebhook.StoredWebhook): deliverStore.DeliveryMessage => ({
      delivery: `${now.getTime()}-${String(++count).padStart(24, '0')}`,
      place: { organization, list: listId, webhook: webhook.id },
      memberEvent: { ...memberEvent, member: recipient.memberId(listId, key.hash) },
      attempt: { try: 1 },
      due: now.toISOString(),
    });
    const each = <P>(prepare: () => Promise<P>, work: (on: Table, prepared: P) => Promise<unknown>) =>
      crashingAtEachWrite(table, prepare, work);
    const stays = await newWebhook();
    await deliverStore.deliver(delivers(table, 500), message(stays));
    await deliverStore.deliver(delivers(table, 200), message(stays));
    if (of !== lists[0]) continue;
    const switched_off = { at: new Date(now.getTime() - 90_000).toISOString(), because: 'gone' as const };
    await unsubscribeWebhook.change(table, stays, { set: { active: false, switched_off } });
    const { id } = await webhooks.create(
      needs(table),
      { organization_id: organization, id: ALL_LISTS },
      FORM,
    );
    const ofAll = webhooks.found(
      await getAll(table, webhooks.keysOf(organization, ALL_LISTS, id)),
      ALL_LISTS,
      id,
    );
    const batch = message(ofAll);
    const events = [{ member: batch.memberEvent.member ?? '', at: now.toISOString(), of: '1' }];
    await deliverStore.deliver(delivers(table, 200), {
      ...batch,
      place: { ...batch.place, list: ALL_LISTS },
      memberEvent: { event: 'subscribed', at: now.toISOString(), events },
    });
    const [user = ''] = await member.managers({ table }, organization);
    const letter = { mailer: { send: async () => {} }, linkTo: (id: string) => `https://example.com/${id}` };
    await deliverStore.notify({ ...delivers(table, 200), ...letter }, { notice: { organization }, user });
    await each(newWebhook, (on, webhook) => webhooks.remove({ table: on }, webhook));
    await each(
      async () => stays,
      (on, webhook) => webhooks.change(needs(on), webhook, { active: false, headers: {} }),
    );
    await each(
      async () => stays,
      (on, webhook) => webhooks.rotate(needs(on), webhook),
    );
  }
}
