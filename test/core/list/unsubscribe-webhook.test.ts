import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as store from '#core/list/unsubscribe-webhook/delivery.store.ts';
import * as deliverStore from '#core/list/unsubscribe-webhook/delivery.ts';
import type { Post, Posted } from '#core/list/unsubscribe-webhook/post.ts';
import { healthAfter, isThrottledToOne } from '#core/list/unsubscribe-webhook/retries.ts';
import * as webhookStore from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { newMember, postbox } from '#test/support/people.ts';

const table = freshTable({ anyItems: true });
const start = new Date('2030-01-01T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** Of a table alone: what is sealed stays readable. */
const vault = { seal: async (text: string) => `sealed ${text}`, open: async (text: string) => text.slice(7) };

let readers: list.CountedList;
let clock: number;
let posts: { id: string; at: number; body: string; url: string; agent: string | undefined }[];
let answer: (nth: number, url: string) => Posted | Promise<Posted>;
let queued = 0;
let waiting: { at: number; body: deliverStore.Queued['body'] }[];

beforeEach(async () => {
  readers = await newList(table, start);
  clock = start.getTime();
  [posts, waiting] = [[], []];
  answer = () => ({ status: 200, ms: 20 });
});

const post: Post = async ({ url, headers, body }) => {
  posts.push({ id: headers['webhook-id'] ?? '', at: clock, body, url, agent: headers['user-agent'] });
  return answer(posts.length, url);
};
const now = () => new Date(clock);
const needs = {
  table,
  vault,
  post,
  now,
  random: () => 0.5,
  queue: async (messages: deliverStore.Queued[]) => {
    queued += messages.length;
    waiting.push(...messages.map(({ body, seconds }) => ({ at: clock + seconds * SECOND, body })));
  },
};
const { mails, mailer } = postbox();
const take = (body: object) => {
  const message = body as deliverStore.BusEvent | deliverStore.DeliveryMessage | deliverStore.NoticeMessage;
  if ('delivery' in message) return deliverStore.deliver(needs, message);
  if ('notice' in message)
    return deliverStore.notify({ ...needs, mailer, linkTo: id => `https://example.com/${id}` }, message);
  return deliverStore.fanOut(needs, message);
};
/** What the queue delivers until an instant, all that is due in one moment at once. */
async function run(until: number): Promise<void> {
  for (;;) {
    const next = Math.min(...waiting.map(({ at }) => at));
    if (next > until) break;
    clock = Math.max(clock, next);
    const due = waiting.filter(({ at }) => at <= clock);
    waiting = waiting.filter(({ at }) => at > clock);
    await Promise.all(due.map(({ body }) => take(body)));
  }
  clock = until;
}

const newHook = async (
  fields: { url?: string; name?: string; headers?: Record<string, string> } = {},
  on = readers,
) => {
  const of = { name: 'Shop', headers: {}, active: true, events: ['unsubscribed' as const] };
  return webhooks.create({ table, vault, now: now() }, on, { ...of, url: 'https://example.com/', ...fields });
};
const hook = async () => (await webhooks.listOf({ table }, readers))[0];

let people = 0;
async function event(on = readers): Promise<deliverStore.BusEvent> {
  const email = `reader${++people}@example.com`;
  const key = recipientKey.keyOf(readers.organization_id, email);
  await batchWrite(table, { puts: [{ ...recipientStore.headKey(key), email }] });
  return {
    'detail-type': 'list_member.unsubscribed',
    detail: {
      id: `event-${people}`,
      organization_id: readers.organization_id,
      email_list_id: on.id,
      list_member_id: recipientKey.memberId(on.id, key.hash),
      unsubscribed_at: now().toISOString(),
      source: 'page',
    },
  };
}
const happens = async (on = readers) => needs.queue([{ body: await event(on), group: '', seconds: 0 }]);
const needsAt = () => ({ table, vault, now: now() });
const placeOf = (webhook: string) => ({ organization: readers.organization_id, list: readers.id, webhook });
const stored = (webhook: string) => store.page(table, placeOf(webhook), now(), { most: 1_000 });

describe('an endpoint that fails', () => {
  it('is tried ten times in three days, always with the same message', async () => {
    const { id } = await newHook();
    answer = () => ({ status: 500, ms: 20 });
    await happens();
    await run(start.getTime() + 4 * DAY);
    expect(posts).toHaveLength(10);
    expect(new Set(posts.map(one => `${one.id} ${one.body}`)).size).toBe(1);
    const hours = posts.map(({ at }) => Math.round((at - start.getTime()) / HOUR));
    expect(hours).toEqual([0, 0, 0, 1, 3, 8, 18, 32, 52, 76]);
    expect(await stored(id)).toMatchObject([{ state: 'failed', attempts: 10, status_code: 500 }]);
    expect(waiting).toEqual([]);
  });

  it('is deactivated after five days, and its managers are told once', async () => {
    const { id } = await newHook();
    const admin = await newMember(table, start, readers.organization_id, 'ADMIN');
    await newMember(table, start, readers.organization_id, 'USER');
    answer = () => ({ error: 'timeout', ms: 15_000 });
    for (let hour = 0; hour < 6 * 24; hour += 8) {
      await happens();
      await run(clock + 8 * HOUR);
    }
    const { active, switched_off } = (await hook()) ?? {};
    expect([active, switched_off?.because]).toEqual([false, 'failing']);
    const days = (Date.parse(switched_off?.at ?? '') - start.getTime()) / DAY;
    expect(days).toBeGreaterThanOrEqual(5);
    expect(days).toBeLessThan(5.5);
    await run(clock + 5 * DAY);
    expect((await stored(id)).every(({ state }) => state === 'failed')).toBe(true);
    expect(mails.map(({ to }) => to).filter(to => to === admin.email)).toHaveLength(1);
    expect(mails).toHaveLength(2);
  });

  it('is deactivated at once where it is gone, and nobody is told twice, whatever was under way', async () => {
    const { id } = await newHook();
    answer = () => ({ status: 410, ms: 20 });
    for (let n = 0; n < 10; n++) await happens();
    const told = mails.length;
    await run(clock + HOUR);
    expect((await hook())?.switched_off?.because).toBe('gone');
    expect((await stored(id)).map(({ state }) => state)).toEqual(Array(10).fill('failed'));
    expect(mails.length - told).toBe(1);
  });

  it('is not deactivated by single failures that are days apart', () => {
    const failing = { delivered: false, ms: 20, isRedelivery: false };
    const first = healthAfter({}, failing, start);
    const soon = healthAfter(first, failing, new Date(start.getTime() + DAY));
    expect(soon.failing_since).toBe(first.failing_since);
    const late = healthAfter(first, failing, new Date(start.getTime() + 7 * DAY));
    expect(late.failing_since).not.toBe(first.failing_since);
  });

  it('has one delivery at a time until three in a row were quick, also where it works and hangs in turns', () => {
    const health = (before: Parameters<typeof healthAfter>[0], delivered: boolean, ms = 20) =>
      healthAfter(before, { delivered, ms, isRedelivery: false }, start);
    const narrow = (...ends: [boolean, number?][]) =>
      isThrottledToOne(ends.reduce((before, end) => health(before, ...end), {}));
    expect(narrow([true], [true])).toBe(false);
    expect(narrow([false], [true], [true])).toBe(true);
    expect(narrow([true, 6_000], [true], [true])).toBe(true);
    expect(narrow([false], [true], [true], [false], [true], [true])).toBe(true);
    expect(narrow([false], [true], [true], [true])).toBe(false);
    expect(health(health({}, false), true)).not.toHaveProperty('failing_since');
  });

  it('has one delivery at a time, whatever waits for it, and delays no other', async () => {
    await newHook({ url: 'https://slow.example.com/' });
    await newHook({ url: 'https://good.example.com/' });
    let ended = () => {};
    const timeouts = async (): Promise<Posted> => {
      await new Promise<void>(done => (ended = done));
      return { error: 'timeout', ms: 15_000 };
    };
    answer = (_, url) => (url.includes('slow') ? { error: 'timeout', ms: 15_000 } : { status: 200, ms: 20 });
    await happens();
    await run(clock + SECOND);
    // It is known to fail now.
    answer = (_, url) => (url.includes('slow') ? timeouts() : { status: 200, ms: 20 });
    posts = [];
    for (let n = 0; n < 20; n++) await happens();
    const ends = setInterval(() => ended(), 1);
    await run(clock + 10 * 60 * SECOND);
    clearInterval(ends);
    const slow = posts.filter(({ url }) => url.includes('slow'));
    expect(posts.length - slow.length).toBe(20);
    expect(slow.length).toBeLessThan(12);
    expect(new Set(slow.map(({ at }) => at)).size).toBe(slow.length);
  });

  it('is asked for less often by what waits longer, which costs a request each time', async () => {
    const { id } = await newHook();
    const found = await webhookStore.read(table, placeOf(id));
    const closed_until = new Date(clock + DAY).toISOString();
    if (found) await webhookStore.change(table, found, { set: { failures: 1, closed_until } });
    for (let n = 0; n < 10; n++) await happens();
    await run(clock + HOUR);
    queued = 0;
    await run(clock + 10 * HOUR);
    expect(queued / 10 / 10).toBeLessThan(12);
    expect(posts).toEqual([]);
    expect((await stored(id)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(10).fill(['waiting', 0]),
    );
    await run(clock + 14 * HOUR);
    expect(posts).toHaveLength(10);
    expect((await stored(id)).map(({ state }) => state)).toEqual(Array(10).fill('delivered'));
  });

  it('is asked for again in a stretch that doubles with each wait, up to a quarter of an hour', async () => {
    const { id } = await newHook();
    const found = await webhookStore.read(table, placeOf(id));
    const closed_until = new Date(clock + DAY).toISOString();
    if (found) await webhookStore.change(table, found, { set: { failures: 1, closed_until } });
    await happens();
    /** By the number of waits before it: how long after a wait the next one begins. */
    const pauses = new Map<number, number>();
    while (pauses.size < 7) {
      await run(Math.min(...waiting.map(({ at }) => at)));
      const [message] = waiting.map(({ body }) => body as deliverStore.DeliveryMessage);
      const { waits = 0, due = '' } = message ?? {};
      if (waits > 0 && !pauses.has(waits)) pauses.set(waits, (Date.parse(due) - clock) / SECOND);
    }
    // Half of each stretch, after the longest delay of the queue.
    const stretches = [30, 60, 120, 240, 480, 900, 900];
    expect([...pauses.values()]).toEqual(stretches.map(seconds => 900 + seconds / 2));
  });

  it('that wants a day of rest gets what waits for it soon after it works again', async () => {
    const { id } = await newHook();
    answer = () => ({ status: 503, ms: 20, retryAfter: 24 * 3_600 });
    await happens();
    await run(clock + SECOND);
    answer = () => ({ status: 200, ms: 20 });
    await happens();
    await run(clock + SECOND);
    const first = (await stored(id)).at(-1);
    const found = await webhookStore.read(table, placeOf(id));
    const ask = { table, now: now(), queue: needs.queue };
    if (found && first) await webhooks.redeliver(ask, found, first.id);
    await run(clock + HOUR);
    expect(posts).toHaveLength(3);
    expect((await stored(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('is told of once by a letter that cannot be sent the first time', async () => {
    await newHook();
    answer = () => ({ status: 410, ms: 20 });
    await happens();
    await run(clock + SECOND);
    const notice = waiting.map(({ body }) => body as deliverStore.NoticeMessage)[0];
    clock += 90 * SECOND;
    const failing = { send: () => Promise.reject(new Error('Too many mails')) };
    const told = mails.length;
    const notifies = (by: typeof mailer | undefined) =>
      notice && deliverStore.notify({ ...needs, mailer: by, linkTo: () => 'https://example.com/' }, notice);
    await expect(notifies(failing)).rejects.toThrow('Too many mails');
    // A stage without a sender neither mails it nor counts it as mailed.
    await notifies(undefined);
    await Promise.all([notifies(mailer), notifies(mailer)]);
    await run(clock + 2 * HOUR);
    expect(mails.length - told).toBe(1);
  });

  it('is in a letter with all that were deactivated, at most one an hour', async () => {
    const lists = [readers];
    while (lists.length < 3) {
      lists.push(
        await newList(table, start, { organization: readers.organization_id, name: `List ${lists.length}` }),
      );
    }
    answer = () => ({ status: 410, ms: 20 });
    for (const [n, of] of lists.entries()) {
      for (let m = 0; m < 8; m++)
        await newHook({ name: `Hook ${n}-${m}`, url: `https://h${n}${m}.example/` }, of);
      await happens(of);
    }
    await newHook({ name: 'Back again', url: 'https://late.example/' });
    const told = mails.length;
    await run(clock + 10 * 60 * SECOND);
    const back = (await webhooks.listOf({ table }, readers)).find(({ name }) => name === 'Back again');
    const found = back && (await webhookStore.read(table, placeOf(back.id)));
    expect(mails.slice(told).map(({ letter }) => letter.subject)).toEqual([
      '25 webhooks on Letterflow were deactivated',
    ]);
    const [digest = ''] = mails.slice(told).map(({ letter }) => letter.text);
    expect(digest.match(/The webhook “/g)).toHaveLength(20);
    expect(digest).toContain(
      'of the list “List 1” was deactivated, since its endpoint answered that it is gone (410)',
    );
    expect(digest).toContain('And 5 more.');
    if (found) await webhooks.change(needsAt(), found, { active: true });
    await newHook({ name: 'Second', url: 'https://second.example/' });
    await happens();
    await run(clock + 40 * 60 * SECOND);
    expect(mails.length - told).toBe(1);
    await run(clock + 40 * 60 * SECOND);
    expect(mails.slice(told).map(({ letter }) => letter.subject)).toEqual([
      '25 webhooks on Letterflow were deactivated',
      '2 webhooks on Letterflow were deactivated',
    ]);
    await run(clock + 3 * HOUR);
    expect(mails.length - told).toBe(2);
  });

  it('does not count as failing, or as gone, at a URL that replaced its own during the post', async () => {
    await newHook();
    const { organization_id, id: list } = readers;
    for (const [n, status] of [500, 410].entries()) {
      answer = async () => {
        const [webhook] = await webhookStore.readAll(table, organization_id, list);
        if (webhook) await webhooks.change(needsAt(), webhook, { url: `https://new${n}.example.com/` });
        return { status, ms: 20 };
      };
      waiting = [];
      await happens();
      await run(clock + 2 * SECOND);
      expect(posts).toHaveLength(n + 1);
      expect(await hook()).toMatchObject({ active: true, failing_since: null });
    }
  });

  it('gets all that has waited as soon as it works again', async () => {
    const { id } = await newHook();
    answer = () => ({ status: 500, ms: 20 });
    for (let n = 0; n < 10; n++) await happens();
    await run(clock + HOUR);
    answer = () => ({ status: 200, ms: 20 });
    await run(clock + 3 * HOUR);
    expect((await stored(id)).map(({ state }) => state)).toEqual(Array(10).fill('delivered'));
    expect((await hook())?.failing_since).toBeNull();
  });
});

describe('a message of the queue', () => {
  it('that comes twice, at once or later, is posted once', async () => {
    const { id } = await newHook();
    const told = await event();
    for (let n = 0; n < 2; n++) await take(told);
    const copies = waiting.map(({ body }) => body);
    expect(copies).toHaveLength(2);
    await Promise.all([...copies, ...copies].map(take));
    await run(clock + HOUR);
    for (const copy of copies) await take(copy);
    expect(posts).toHaveLength(1);
    expect(await stored(id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('whose process dies after the post is posted again, with the same id', async () => {
    await newHook();
    await take(await event());
    const body = waiting[0]?.body ?? {};
    waiting = [];
    answer = () => Promise.reject(new Error('The process has died'));
    await expect(take(body)).rejects.toThrow();
    answer = () => ({ status: 200, ms: 20 });
    clock += 360 * SECOND;
    await take(body);
    await run(clock + HOUR);
    expect(posts).toHaveLength(2);
    expect(new Set(posts.map(one => one.id)).size).toBe(1);
  });

  it.each(['after the next try was queued', 'before it'])(
    'loses no try where its process dies %s',
    async when => {
      await newHook();
      answer = () => ({ status: 500, ms: 20 });
      await take(await event());
      const body = waiting[0]?.body ?? {};
      waiting = [];
      const dies = async (messages: deliverStore.Queued[]) => {
        if (when.startsWith('after')) await needs.queue(messages);
        throw new Error('The process has died');
      };
      await expect(
        deliverStore.deliver({ ...needs, queue: dies }, body as deliverStore.DeliveryMessage),
      ).rejects.toThrow();
      answer = nth => ({ status: nth > 2 ? 200 : 500, ms: 20 });
      waiting.push({ at: clock + 360 * SECOND, body });
      await run(clock + 2 * HOUR);
      const [delivery] = await stored((await hook())?.id ?? '');
      expect(delivery).toMatchObject({ state: 'delivered' });
    },
  );

  it('does nothing where the list is deleted, or the webhook', async () => {
    const { id } = await newHook();
    await happens();
    await run(clock - 1);
    const told = await event();
    await take(told);
    await list.remove({ table, now: now() }, readers);
    await run(clock + HOUR);
    expect(posts).toEqual([]);
    expect(await stored(id)).toEqual([]);
  });

  it('that has waited for more than four days fails without a post, and a redelivery of it is posted', async () => {
    const { id } = await newHook();
    for (const told of [await event(), await event()]) await take(told);
    const [first, second] = waiting.map(({ body }) => body);
    waiting = [];
    clock += 4 * DAY;
    await take(first ?? {});
    expect(posts).toHaveLength(1);
    clock += 1;
    await take(second ?? {});
    expect(posts).toHaveLength(1);
    const late = (await stored(id)).find(({ state }) => state === 'failed');
    expect(late).toMatchObject({ attempts: 0, tries: 10, error: 'The endpoint failed or was slow for days' });
    const found = await webhookStore.read(table, placeOf(id));
    if (found && late) await webhooks.redeliver({ ...needsAt(), queue: needs.queue }, found, late.id);
    expect(posts).toHaveLength(1);
    await run(clock + 10 * SECOND);
    expect(posts).toHaveLength(2);
    expect((await stored(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('that waits for its next try still does after a redelivery of it has failed', async () => {
    const { id } = await newHook();
    answer = () => ({ status: 500, ms: 20 });
    await happens();
    await run(clock);
    const [before] = await stored(id);
    const found = await webhookStore.read(table, placeOf(id));
    if (found && before) await webhooks.redeliver({ ...needsAt(), queue: needs.queue }, found, before.id);
    await run(clock + 3 * SECOND);
    const next_at = new Date(start.getTime() + 5 * SECOND).toISOString();
    expect(await stored(id)).toMatchObject([{ state: 'waiting', attempts: 2, next_at }]);
  });

  it('of somebody who was erased tells nobody of them', async () => {
    const { id } = await newHook();
    const told = await event();
    const key = {
      organization: readers.organization_id,
      hash: recipientKey.readMemberId(told.detail.list_member_id)?.hash ?? '',
    };
    await batchWrite(table, { deletes: [recipientStore.headKey(key)] });
    await take(told);
    await run(clock + HOUR);
    expect(posts).toEqual([]);
    expect(await stored(id)).toMatchObject([
      { state: 'failed', attempts: 0, error: 'This person was erased' },
    ]);
  });
});

it('what failed in a span is found in parts, however much was delivered between', async () => {
  const { id: webhook } = await newHook();
  const place = placeOf(webhook);
  const names: string[] = [];
  await batchWrite(table, {
    puts: Array.from({ length: 2_010 }, (_, at) => {
      const failed = at === 3 || at > 2_004;
      const id = `${start.getTime() + at}-${'0'.repeat(24)}`;
      if (failed) names.push(id);
      const memberEvent = { event: 'unsubscribed', member: 'm', at: start.toISOString(), source: 'app' };
      return {
        PK: `ORG#${place.organization}#HOOKS#${place.list}`,
        SK: `${webhook}#${id}`,
        ...memberEvent,
        id,
        state: failed ? 'failed' : 'delivered',
        attempts: 1,
        tries: 10,
      };
    }),
  });
  const found = await webhookStore.read(table, place);
  const needsOf = { table, now: new Date(clock + HOUR), queue: needs.queue };
  const span = { from: new Date(clock).toISOString(), to: new Date(clock + 2_008).toISOString() };
  const redeliver = (cursor?: string) =>
    webhooks.redeliverFailed(needsOf, found as webhookStore.StoredWebhook, { ...span, cursor });
  const first = await redeliver();
  expect(first).toEqual({ redelivered: 1, next_cursor: expect.stringMatching(/-0{24}$/) });
  expect(await redeliver(first.next_cursor ?? '')).toEqual({ redelivered: 4, next_cursor: null });
  expect(waiting.map(({ body }) => (body as deliverStore.DeliveryMessage).delivery)).toEqual(
    names.slice(0, 5),
  );
  expect((await redeliver()).redelivered).toBe(0);
  await expect(redeliver('none')).rejects.toThrow('not valid');
});

it('a span that ends in a far future has what failed until now', async () => {
  const { id: webhook } = await newHook();
  answer = () => ({ status: 410, ms: 20 });
  await happens();
  await run(clock + SECOND);
  await webhooks.change(
    needsAt(),
    (await webhookStore.read(table, placeOf(webhook))) as webhookStore.StoredWebhook,
    { active: true },
  );
  const found = (await webhookStore.read(table, placeOf(webhook))) as webhookStore.StoredWebhook;
  const span = { from: start.toISOString(), to: '2300-01-01T00:00:00Z' };
  const redelivered = await webhooks.redeliverFailed({ ...needsAt(), queue: needs.queue }, found, span);
  expect(redelivered).toEqual({ redelivered: 1, next_cursor: null });
});

it('a page after one that is older than what is kept is empty, and none is of another webhook', async () => {
  const [{ id: webhook }, other] = [await newHook(), await newHook()];
  const place = placeOf(webhook);
  const hash = '0'.repeat(24);
  const at = start.getTime();
  await batchWrite(table, {
    puts: [webhook, other.id].flatMap(of =>
      [at, at + 1].map(millisecond => {
        const id = `${millisecond}-${hash}`;
        const key = { PK: `ORG#${place.organization}#HOOKS#${place.list}`, SK: `${of}#${id}` };
        const event = { event: 'unsubscribed', member: 'm', at: start.toISOString(), source: of };
        return { ...key, ...event, id, state: 'delivered', attempts: 1, tries: 1 };
      }),
    ),
  });
  const found = (await webhookStore.read(table, place)) as webhookStore.StoredWebhook;
  const after = (cursor: string) =>
    webhooks.deliveriesOf({ table, now: new Date(clock + HOUR) }, found, { cursor, per_page: 10 });
  expect(await after(`0000000000000-${hash}`)).toEqual({ deliveries: [], next_cursor: null });
  const { deliveries } = await after(`9999999999999-${'f'.repeat(24)}`);
  expect(deliveries.map(({ id }) => id)).toEqual([`${at + 1}-${hash}`, `${at}-${hash}`]);
});

it('the log of deliveries goes on with the one after the last of a page', async () => {
  const { id } = await newHook();
  for (let nth = 0; nth < 3; nth++) {
    await happens();
    await run(clock + SECOND);
  }
  const found = (await webhookStore.read(table, placeOf(id))) as webhookStore.StoredWebhook;
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await webhooks.deliveriesOf(needsAt(), found, { per_page: 1, ...(cursor && { cursor }) });
    pages.push(page.deliveries.map(delivery => delivery.id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(pages).toEqual((await stored(id)).map(delivery => [delivery.id]));
  expect(pages).toHaveLength(3);
});

it('a user agent among the headers of a webhook replaces the one of the product', async () => {
  await newHook();
  await newHook({ headers: { 'User-Agent': 'Depot/2' } });
  await happens();
  await run(clock + SECOND);
  expect(posts.map(({ agent }) => agent).sort()).toEqual(['Depot/2', 'Letterflow-Webhooks']);
});

it('nothing stored of a delivery names the member', async () => {
  const { id } = await newHook();
  await happens();
  await run(clock + SECOND);
  expect(posts[0]?.body).toContain(`reader${people}@example.com`);
  expect(JSON.stringify(await stored(id))).not.toContain('example.com');
});

it('when it was last triggered is written once a minute', async () => {
  await newHook();
  await happens();
  await run(clock + SECOND);
  const first = (await hook())?.last_triggered_at;
  await happens();
  await run(clock + 30 * SECOND);
  expect((await hook())?.last_triggered_at).toBe(first);
  await happens();
  await run(clock + 60 * SECOND);
  await happens();
  await run(clock + SECOND);
  expect((await hook())?.last_triggered_at).not.toBe(first);
});
