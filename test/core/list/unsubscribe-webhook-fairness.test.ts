import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { CountedList } from '#core/list/list.ts';
import * as deliveryStore from '#core/list/unsubscribe-webhook/delivery.store.ts';
import * as delivery from '#core/list/unsubscribe-webhook/delivery.ts';
import { MOST_POSTS } from '#core/list/unsubscribe-webhook/posts.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { STAGES } from '#lib/stages.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { extent } from '#test/support/prove.ts';

const table = freshTable({ anyItems: true });
const SECOND = 1_000;
const start = Date.parse('2030-01-01T12:00:00Z');
const vault = { seal: async (text: string) => text, open: async (text: string) => text };
const PLACES = Math.min(...Object.values(STAGES).map(({ mostWebhooks }) => mostWebhooks));

/** A queue that hands out its messages one by one, first in, first out, to processes whose posts take simulated time. */
let clock: number;
let messages: { at: number; body: object }[];
let posting: { at: number; end: () => void }[];
let posts: { at: number; url: string; id: string }[];
/** Deliveries that wait neither for the queue nor for an endpoint. */
let running: number;
let taken: number;
let msOf: (url: string) => number;

beforeEach(() => {
  [clock, messages, posting, posts, running, taken] = [start, [], [], [], 0, 0];
});

const needs = {
  table,
  vault,
  now: () => new Date(clock),
  random: () => 0.5,
  queue: async (queued: delivery.Queued[]) => {
    messages.push(...queued.map(({ body, seconds }) => ({ body, at: clock + seconds * SECOND })));
  },
  post: async ({ url, headers }: { url: string; headers: Record<string, string> }) => {
    const ms = msOf(url);
    posts.push({ at: clock, url, id: headers['webhook-id'] ?? '' });
    running -= 1;
    await new Promise<void>(end => posting.push({ at: clock + ms, end }));
    return ms < 15_000 ? { status: 200, ms } : { error: 'timeout' as const, ms };
  },
};

async function run(until: number): Promise<void> {
  let places = PLACES;
  const take = async (body: object) => {
    places -= 1;
    running += 1;
    taken += 1;
    if ('delivery' in body) await delivery.deliver(needs, body as delivery.DeliveryMessage);
    else await delivery.fanOut(needs, body as delivery.BusEvent);
    running -= 1;
    places += 1;
  };
  for (;;) {
    while (running > 0) await setImmediate();
    await setImmediate();
    const due = places > 0 ? messages.findIndex(({ at }) => at <= clock) : -1;
    const [message] = due < 0 ? [] : messages.splice(due, 1);
    if (message) {
      void take(message.body);
      continue;
    }
    const waits = places > 0 ? messages.filter(({ at }) => at > clock) : [];
    const next = Math.min(...[...waits, ...posting].map(({ at }) => at));
    if (next > until) break;
    clock = next;
    const ended = posting.filter(({ at }) => at <= clock);
    posting = posting.filter(({ at }) => at > clock);
    running += ended.length;
    for (const { end } of ended) end();
  }
  clock = until;
}

async function newHook(list: CountedList, url: string) {
  const form = { name: 'Shop', url, headers: {}, active: true, events: ['unsubscribed' as const] };
  return webhooks.create({ table, vault, now: new Date(clock) }, list, form);
}

let events = 0;
async function happens(list: CountedList, at = clock): Promise<void> {
  const key = recipientKey.keyOf(list.organization_id, 'reader@example.com');
  await batchWrite(table, { puts: [{ ...recipientStore.headKey(key), email: 'reader@example.com' }] });
  const detail = {
    id: `event-${++events}`,
    organization_id: list.organization_id,
    email_list_id: list.id,
    list_member_id: recipientKey.memberId(list.id, key.hash),
    unsubscribed_at: new Date(at).toISOString(),
    source: 'page',
  };
  messages.push({ at, body: { 'detail-type': 'list_member.unsubscribed', detail } });
}

const listIn = (organization?: number) =>
  newList(table, new Date(start), organization === undefined ? {} : { organization });

it.each([
  ['answers after 4.8 seconds', 1, extent(500, 2_000), 4_800],
  ['hangs', 1, extent(500, 2_000), 15_000],
  ['is one of ten that hang', 10, 60, 15_000],
])('an endpoint that %s delays no other by ten seconds', async (_, hooks, deliveries, ms) => {
  const slow = await listIn();
  for (let n = 0; n < hooks; n++) await newHook(slow, `https://slow${n}.example/`);
  const [neighbour, other] = [await listIn(slow.organization_id), await listIn()];
  await newHook(neighbour, 'https://neighbour.example/');
  await newHook(other, 'https://other.example/');
  msOf = url => (url.includes('slow') ? ms : 50);
  for (let n = 0; n < deliveries; n++) await happens(slow);
  const others = hooks < MOST_POSTS ? [neighbour, other] : [other];
  const instants = Array.from({ length: 30 }, (__, n) => start + n * 7 * SECOND);
  for (const at of instants) for (const list of others) await happens(list, at);
  await run(start + 240 * SECOND);
  const quick = posts.filter(({ url }) => !url.includes('slow'));
  expect(quick).toHaveLength(instants.length * others.length);
  const delays = quick.map(({ at }, n) => at - (instants[Math.floor(n / others.length)] ?? 0));
  expect(Math.max(...delays)).toBeLessThan(10 * SECOND);
  expect(posts.length).toBeGreaterThan(quick.length);
});

it('a webhook gets 60 posts a minute and a host 120, one at a time, and each delivery is made', async () => {
  const list = await listIn();
  const urls = [
    'https://Shop.example/0',
    'https://shop.example:8443/1',
    'https://shop.example/2',
    'https://b.example/3',
  ];
  const ids: string[] = [];
  for (const url of urls) ids.push((await newHook(list, url)).id);
  msOf = url => (url.includes('hop') ? 400 : 20);
  for (let n = 0; n < 90; n++) await happens(list);
  await run(start + 3_600 * SECOND);
  const most = (of: typeof posts) =>
    Math.max(...of.map(({ at }) => of.filter(one => one.at >= at && one.at < at + 60 * SECOND).length));
  for (const n of [0, 1, 2, 3]) {
    const own = posts.filter(({ url }) => url.endsWith(`/${n}`));
    expect(most(own)).toBeLessThanOrEqual(60);
    expect(new Set(own.map(({ id }) => id)).size).toBe(90);
    const instants = own.map(({ at }) => at);
    if (n < 3)
      expect(Math.min(...instants.slice(1).map((at, k) => at - (instants[k] ?? 0)))).toBeGreaterThanOrEqual(
        400,
      );
  }
  expect(most(posts.filter(({ url }) => url.includes('hop')))).toBeLessThanOrEqual(120);
  expect(posts).toHaveLength(360);
  const place = { organization: list.organization_id, list: list.id, webhook: ids[0] ?? '' };
  const stored = await deliveryStore.page(table, place, new Date(clock), { most: 100 });
  expect(stored.map(({ state }) => state)).toEqual(Array(90).fill('delivered'));
  expect(messages).toEqual([]);
  // Each delivery comes two or three times out of the queue.
  expect(taken).toBeLessThan(90 + 3 * 360);
});
