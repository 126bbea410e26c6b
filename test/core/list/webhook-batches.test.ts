import { beforeEach, describe, expect, it } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import { listMemberEvents } from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import { type Batch, batchesOf, queueBatches } from '#core/list/unsubscribe-webhook/batches.ts';
import * as deliveryStore from '#core/list/unsubscribe-webhook/delivery.store.ts';
import * as delivery from '#core/list/unsubscribe-webhook/delivery.ts';
import { eventIn, type MemberEvent, packed } from '#core/list/unsubscribe-webhook/member-event.ts';
import * as store from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import { markClaim, readClaim, storeOutcome } from '#core/recipient/claim.ts';
import type { Mark } from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { sentOf } from '#core/sending/email-events.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import type { Event } from '#core/storage/projection.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import type { Paused } from '#shared/guard.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { createAutomation } from '#test/support/core-automation.ts';
import { found, newList } from '#test/support/core-list.ts';
import { newBatch } from '#test/support/emails.ts';
import { freshTable } from '#test/support/engine.ts';
import { following } from '#test/support/follow.ts';
import { counting } from '#test/support/purge.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable({ anyItems: true });
const written = streamOf(table);
const start = new Date('2030-01-01T12:00:00Z');
const MINUTE = 60_000;
const vault = { seal: async (text: string) => text, open: async (text: string) => text };

let readers: list.CountedList;
let clock: number;
let posts: {
  id: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  text: string;
}[];
let status: number;
let waiting: { at: number; body: object }[];
beforeEach(async () => {
  readers = await newList(table, start);
  clock = start.getTime();
  [posts, waiting, status] = [[], [], 204];
  await written();
});

const now = () => new Date(clock);
const needs: delivery.Delivers = {
  table,
  vault,
  now,
  random: () => 0.5,
  post: async ({ headers, body }) => {
    posts.push({ id: headers['webhook-id'] ?? '', body: JSON.parse(body), text: body });
    return { status, ms: 20 };
  },
  queue: async messages =>
    void waiting.push(...messages.map(({ body, seconds }) => ({ at: clock + seconds * 1000, body }))),
};
async function run(minutes = 10): Promise<void> {
  const until = clock + minutes * MINUTE;
  for (;;) {
    const next = waiting.toSorted((a, b) => a.at - b.at)[0];
    if (!next || next.at > until) break;
    waiting.splice(waiting.indexOf(next), 1);
    clock = Math.max(clock, next.at);
    await delivery.deliver(needs, next.body as delivery.DeliveryMessage);
  }
}

const newHook = (events: WebhookEvent[], id = readers.id, { organization_id } = readers) =>
  webhooks.create(
    { table, vault, now: now() },
    { organization_id, id },
    { name: 'Shop', url: 'https://example.com/', headers: {}, active: true, events },
  );
const placeOf = (webhook: string, of = readers.id) => ({
  organization: readers.organization_id,
  list: of,
  webhook,
});
const stored = (webhook: string, of = readers.id) =>
  deliveryStore.page(table, placeOf(webhook, of), now(), { most: 100 });
const removeHook = async (id: string) => {
  const webhook = await store.read(table, placeOf(id));
  if (webhook) await store.remove(table, webhook);
};

/** The events of what was written since the last call, as the projector publishes them. */
async function happened(): Promise<Event[]> {
  const all = await written();
  return all.flatMap(({ records }) =>
    records.map(record => contributionOf(record)).flatMap(({ events }) => events),
  );
}
/** What the function of webhooks makes of the messages of the bus. */
async function gather(batches: Batch[]): Promise<void> {
  const whole = batches.map(async ({ sent, ...batch }) =>
    sent ? { ...batch, happened: await sentOf({ table, now: now() }, batch.organization_id, sent) } : batch,
  );
  await queueBatches(needs, await Promise.all(whole));
}
const tell = async (events: Event[]) => gather(await batchesOf({ table, now: now() }, events));

const emails = (count: number) => Array.from({ length: count }, (_, at) => `reader${at}@example.com`);
const newMails = async (count: number, of = readers) => {
  const batch = await newBatch(table, of, emails(count), now(), following(table, written));
  await happened();
  return batch;
};
const mark = async ({ claims }: Awaited<ReturnType<typeof newMails>>, as: Mark['as']) => {
  for (const { key, claim } of claims)
    await markClaim(table, key, { seq: claim.seq, as, at: now().toISOString() });
};
const told = () => posts.flatMap(({ body }) => (body.data.events ?? []) as Record<string, string>[]);

describe('what webhooks do not want', () => {
  it('is published nowhere, after two queries a minute for a list, whatever its emails are', async () => {
    const { on, requests } = counting(table);
    const batch = await newMails(20);
    await batch.end('accepted');
    await mark(batch, 'opened_at');
    const events = await happened();
    expect(events).toHaveLength(21);
    const published = async () => batchesOf({ table: on, now: now() }, events);
    expect(await published()).toEqual([]);
    expect(requests()).toBe(2);
    clock += MINUTE - 1;
    expect(await published()).toEqual([]);
    expect(requests()).toBe(0);
    await newHook(['bounced', 'paused']);
    clock += 1;
    expect(await published()).toEqual([]);
    expect(requests()).toBe(2);
    await newHook(['opened']);
    clock += MINUTE;
    expect(await published()).toMatchObject([{ event: 'opened', happened: { length: 20 } }]);
  });

  it('is not what those of another organization want', async () => {
    const other = await newList(table, start);
    await newHook(['opened'], ALL_LISTS, other);
    const batches = [await newMails(1), await newMails(1, other)];
    for (const batch of batches) await mark(batch, 'opened_at');
    const published = await batchesOf({ table, now: now() }, await happened());
    expect(published.map(({ organization_id }) => organization_id)).toEqual([other.organization_id]);
  });

  it('is not stored of a delivery either', async () => {
    const { claims } = await newMails(1);
    const [{ key, claim, send } = expect.fail()] = claims;
    const deliver = (at: number) =>
      applyEvent({ table, now: new Date(at) }, undefined, { meaning: 'delivered', send, reason: '' });
    const receivedAt = () => readClaim(table, key, claim.seq);
    await deliver(clock);
    expect(await receivedAt()).not.toHaveProperty('received_at');
    await newHook(['delivered']);
    await happened();
    await deliver(clock + MINUTE);
    await deliver(clock + MINUTE + 1);
    expect(await receivedAt()).toMatchObject({ received_at: new Date(clock + MINUTE).toISOString() });
    clock += MINUTE;
    await tell(await happened());
    await run();
    expect(told()).toMatchObject([
      { id: `${key.hash}-${claim.seq}.delivered`, email: 'reader0@example.com' },
    ]);
  });
});

describe('a batch', () => {
  it('has up to 100 events of one kind, each with its id, address and email', async () => {
    const { id } = await newHook(['sent', 'clicked']);
    const batch = await newMails(101);
    await batch.end('accepted');
    await mark(batch, 'first_clicked_at');
    await mark(batch, 'opened_at');
    await tell(await happened());
    await run();
    const sizes = posts.map(({ body }) => [body.type, (body.data.events as object[]).length]);
    expect(sizes.sort()).toEqual([
      ['email.clicked', 1],
      ['email.clicked', 100],
      ['email.sent', 1],
      ['email.sent', 100],
    ]);
    const [{ claim, key } = expect.fail()] = batch.claims;
    const send = `${key.hash}-${claim.seq}`;
    expect(told().find(one => one.id === `${send}.clicked`)).toEqual({
      id: `${send}.clicked`,
      timestamp: start.toISOString(),
      email_list_id: readers.id,
      list_member_id: `${readers.id}-${key.hash}`,
      email: 'reader0@example.com',
      email_send_id: send,
      automation_id: claim.automation_id,
      combination_id: claim.combination,
    });
    expect(new Set(told().map(one => one.id)).size).toBe(202);
    const shown = (await stored(id)).map(({ event, count, state }) => [event, count, state]);
    expect(shown).toContainEqual(['sent', 100, 'delivered']);
    expect(JSON.stringify(await stored(id))).not.toContain('@example.com');
  });

  it('goes to the webhooks of its list and of the organization, and to no other list', async () => {
    const other = await newList(table, start, { organization: readers.organization_id });
    await newHook(['opened']);
    const ofAll = await newHook(['opened'], ALL_LISTS);
    await newHook(['opened'], other.id);
    const batches = [await newMails(1), await newMails(2, other)];
    for (const batch of batches) {
      clock += MINUTE;
      await mark(batch, 'opened_at');
    }
    await tell(await happened());
    await run();
    expect(posts.map(({ body }) => (body.data.events as object[]).length).sort()).toEqual([1, 2, 3]);
    const [first, second] = [1, 2].map(minutes => new Date(start.getTime() + minutes * MINUTE).toISOString());
    const ofThree = posts.find(({ body }) => (body.data.events as object[]).length === 3)?.body;
    expect(ofThree?.timestamp).toBe(second);
    const events = ofThree?.data.events as { timestamp: string }[];
    expect(events.map(({ timestamp }) => timestamp).sort()).toEqual([first, second, second]);
    expect(await stored(ofAll.id, ALL_LISTS)).toMatchObject([{ count: 3 }]);
  });

  it('of each kind goes to the webhooks that want it, whatever comes with it', async () => {
    for (const event of ['opened', 'clicked'] as const) {
      const hook = await newHook([event]);
      clock += MINUTE;
      const batch = await newMails(1);
      await mark(batch, 'opened_at');
      await mark(batch, 'first_clicked_at');
      await tell((await happened()).toReversed());
      await run();
      expect((await stored(hook.id)).map(delivery => delivery.event)).toContain(event);
    }
    expect(posts.map(({ body }) => body.type).sort()).toEqual([
      'email.clicked',
      'email.opened',
      'email.opened',
    ]);
  });

  it('that the projector publishes twice is posted once, and in other parts with the same ids', async () => {
    await newHook(['opened']);
    await mark(await newMails(3), 'opened_at');
    const events = await happened();
    await tell([...events, ...events]);
    await tell(events);
    await run();
    expect(posts).toHaveLength(1);
    await tell(events.slice(0, 2));
    await run();
    const [whole, part] = posts.map(({ body }) => (body.data.events as { id: string }[]).map(({ id }) => id));
    expect(whole).toEqual(expect.arrayContaining(part ?? []));
    expect(part).toHaveLength(2);
  });

  it('leaves out who was erased since, and is not posted where all were', async () => {
    const { id } = await newHook(['opened']);
    const batch = await newMails(2);
    await mark(batch, 'opened_at');
    const events = await happened();
    const erase = (at: number) =>
      batchWrite(table, {
        deletes: batch.claims.slice(at, at + 1).map(({ key }) => recipientStore.headKey(key)),
      });
    await erase(0);
    await tell(events);
    await run();
    expect(told().map(({ email }) => email)).toEqual(['reader1@example.com']);
    await erase(1);
    await tell(events.slice(0, 1));
    await run();
    expect(posts).toHaveLength(1);
    expect((await stored(id)).map(({ error }) => error)).toContain('This person was erased');
  });

  it('is dropped with its webhook or its list, while a webhook of the organization is still told', async () => {
    const hook = await newHook(['opened']);
    await newHook(['clicked']);
    await newHook(['clicked'], ALL_LISTS);
    const batch = await newMails(1);
    await mark(batch, 'opened_at');
    const opened = await happened();
    await tell(opened);
    await removeHook(hook.id);
    await run();
    expect([posts, await stored(hook.id)]).toEqual([[], []]);
    await mark(batch, 'first_clicked_at');
    await tell(await happened());
    await list.remove({ table, now: now() }, await found(table, readers.organization_id, readers.id));
    await run();
    expect(posts.map(({ body }) => body.type)).toEqual(['email.clicked']);
  });

  it('has at most 64 KB, is tried again as it was, and delivered again from what is stored of it', async () => {
    const { id } = await newHook(['opened']);
    const long = Array.from(
      { length: 100 },
      (_, at) => `${String(at).padStart(64, 'a')}@${'b'.repeat(185)}.com`,
    );
    const batch = await newBatch(table, readers, long, now(), following(table, written));
    await happened();
    await mark(batch, 'opened_at');
    status = 500;
    await tell(await happened());
    await run(0.5);
    status = 204;
    await run();
    expect(posts.length).toBe(3);
    const [webhook = expect.fail()] = await store.readAll(table, readers.organization_id, readers.id);
    const [one = expect.fail()] = await stored(id);
    await webhooks.redeliver({ table, now: now(), queue: needs.queue }, webhook, one.id);
    await run();
    expect(posts.length).toBe(4);
    expect(new Set(posts.map(post => `${post.id} ${post.text}`)).size).toBe(1);
    expect(posts[0]?.text.length).toBeLessThan(64 * 1024);
    expect(one.events?.length).toBeLessThan(4_000);
  });
});

it('emails that were sent are those of a batch that were not refused, and unknown ones once that is settled', async () => {
  await newHook(['sent']);
  const batch = await newMails(4);
  const [first, second, third] = batch.sends;
  await batch.endMixed(
    { failed: [first ?? expect.fail()], unknown: [second ?? expect.fail(), third ?? expect.fail()] },
    1,
  );
  await tell(await happened());
  await run();
  const sent = () =>
    told()
      .map(({ email }) => email)
      .sort();
  expect(sent()).toEqual(['reader3@example.com']);
  const settle = (at: number, outcome: 'sent' | 'failed', as: 'delivered_at' | 'rejected_at') => {
    const { key, claim } = batch.claims[at] ?? expect.fail();
    return storeOutcome(table, key, { seq: claim.seq, outcome, as, at: now().toISOString() });
  };
  await settle(1, 'sent', 'delivered_at');
  await settle(2, 'failed', 'rejected_at');
  await tell(await happened());
  await run();
  expect(sent()).toEqual(['reader1@example.com', 'reader3@example.com']);
  expect(await sentOf({ table, now: now() }, readers.organization_id, 'deleted')).toEqual([]);
});

it('members who subscribe are told in a batch, by whatever means they came', async () => {
  await newHook(['subscribed']);
  const rows = (is_subscribed: boolean) => [{ email: 'ann@example.com', is_subscribed }];
  await upsertStore.upsertAll({ table, now: now() }, readers, rows(true));
  await upsertStore.upsertAll({ table, now: now() }, readers, rows(true));
  await tell(await happened());
  await run();
  expect(posts).toMatchObject([{ body: { type: 'list_member.subscribed' } }]);
  const { hash } = recipientKey.keyOf(readers.organization_id, 'ann@example.com');
  expect(told()).toMatchObject([{ list_member_id: `${readers.id}-${hash}`, email: 'ann@example.com' }]);
});

it.each(['unsubscribed', 'left'])('who was %s and comes back is told as subscribed', status => {
  const membership = (status: string) => ({ status, updated_at: start.toISOString(), revision: status });
  const of = { organization_id: 7, list_id: 'l1', hash: 'h' };
  const change = { ...of, before: membership(status), after: membership('subscribed') };
  expect(listMemberEvents(change)).toMatchObject([{ detail: { event: 'subscribed' } }]);
});

const at = start.toISOString();
it.each<MemberEvent>([
  { event: 'bounced', at, member: 'm1' },
  { event: 'unsubscribed', at, member: 'm1', source: 'page' },
  { event: 'paused', at, source: 'guard', automation: { id: 'a1', name: 'Welcome' } },
  { event: 'clicked', at, events: [{ member: 'm1', at, of: '1', automation: 'a1' }] },
])('of an event, all is stored that a delivery tells: %o', event => {
  expect(eventIn(packed(event))).toEqual(event);
});

it('an automation that is paused is told once to its lists and the organization, with who did it', async () => {
  await newHook(['paused']);
  await newHook(['paused', 'opened'], ALL_LISTS);
  await newHook(['opened']);
  const fields = { active: true, email_list_ids: [readers.id] };
  const { id, name } = await createAutomation(table, start, readers.organization_id, fields);
  await happened();
  const paused = { by: 'guard', kind: 'bounced' } as Paused;
  await automations.pause({ table, now: now() }, readers.organization_id, id, paused);
  const [{ type, detail } = expect.fail(), ...others] = await happened();
  expect(others).toEqual([]);
  // The stream has the time of this machine.
  clock = Date.parse(String(detail.at));
  for (const _ of ['once', 'twice'])
    await delivery.fanOut(needs, { 'detail-type': type, detail } as unknown as delivery.AutomationEvent);
  await run();
  expect(posts).toHaveLength(2);
  expect(posts[0]?.body).toEqual({
    type: 'automation.paused',
    timestamp: expect.any(String),
    data: { automation_id: id, automation_name: name, paused_at: expect.any(String), source: 'guard' },
  });
});

it.each([
  ['guard', { paused: { M: {} }, stopped: { M: {} } }],
  ['product', { stopped: { M: {} } }],
  ['user', {}],
])('a broadcast that ends early was ended by: %s', (source, why) => {
  const record = {
    dynamodb: {
      Keys: { PK: { S: 'ORG#7' }, SK: { S: 'CAST#Bspring' } },
      OldImage: { active: { BOOL: true } },
      NewImage: { id: { S: 'Bspring' }, active: { BOOL: false }, revision: { S: 'r3' }, ...why },
    },
  };
  // Its id is of this end: endpoints take another one for another pause.
  expect(contributionOf(record).events).toMatchObject([
    { type: 'automation.paused', detail: { source, id: 'Bspring-r3' } },
  ]);
});
