import { describe, expect, it } from 'vitest';
import * as deliveryStore from '#core/list/unsubscribe-webhook/delivery.store.ts';
import { durationOf, faultOf, isDelivered, isGone, secretsOf } from '#core/list/unsubscribe-webhook/post.ts';
import * as postsStore from '#core/list/unsubscribe-webhook/posts.store.ts';
import {
  hasFailedTooLong,
  healthAfter,
  isThrottledToOne,
  MOST_TRIES,
  nextTry,
} from '#core/list/unsubscribe-webhook/retries.ts';
import type { StoredWebhook } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import { batchWrite, getAll } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable({ anyItems: true });
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const now = new Date('2030-01-01T12:00:00Z');
const plus = (ms: number) => new Date(now.getTime() + ms);

describe('the next try', () => {
  it.each(
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds, at) => [at + 1, seconds]),
  )('after %i is %i seconds later, or when the endpoint wants it if that is later', (made, seconds) => {
    expect(nextTry(now, made)).toEqual(plus(seconds * SECOND));
    expect(nextTry(now, made, seconds - 1)).toEqual(plus(seconds * SECOND));
    expect(nextTry(now, made, seconds + 1)).toEqual(plus((seconds + 1) * SECOND));
  });

  it('is none after the tenth', () => {
    expect(MOST_TRIES).toBe(10);
    expect(nextTry(now, 10, 60)).toBeUndefined();
  });
});

describe('the health of an endpoint', () => {
  const failure = { delivered: false, ms: 20, isRedelivery: false };
  const success = { ...failure, delivered: true };

  it('has pauses that are three times as long after each failure, up to 15 minutes, or as long as it wants', () => {
    const pauses: number[] = [];
    let health = {};
    for (let n = 0; n < 7; n++) {
      const next = healthAfter(health, failure, now);
      pauses.push((Date.parse(next.closed_until ?? '') - now.getTime()) / SECOND);
      expect(next).toMatchObject({ failures: n + 1, failed_at: now.toISOString() });
      health = next;
    }
    expect(pauses).toEqual([5, 15, 45, 135, 405, 900, 900]);
    const wanted = healthAfter({}, { ...failure, retryAfter: 3_600 }, now);
    expect(wanted.closed_until).toBe(plus(HOUR).toISOString());
  });

  it('is slow from above five seconds on, whether it delivers or fails', () => {
    expect(healthAfter({}, { ...success, ms: 5_000 }, now)).toEqual({});
    expect(healthAfter({}, { ...success, ms: 5_001 }, now)).toEqual({ slow: true });
    expect(healthAfter({}, { ...failure, ms: 5_001 }, now)).toMatchObject({ slow: true, failures: 1 });
    expect(healthAfter({}, { ...failure, ms: 5_000 }, now)).not.toHaveProperty('slow');
    expect(healthAfter({ slow: true }, success, now)).toEqual({ recovering: 2 });
    expect(healthAfter({ recovering: 2 }, success, now)).toEqual({ recovering: 1 });
    expect(healthAfter({ recovering: 1 }, success, now)).toEqual({});
  });

  it('does not change by a redelivery that fails, unless it was slow', () => {
    const before = healthAfter({}, failure, now);
    const redelivery = { ...failure, isRedelivery: true };
    expect(healthAfter(before, redelivery, plus(HOUR))).toEqual(before);
    expect(healthAfter({}, { ...redelivery, ms: 15_000 }, now)).toEqual({ slow: true });
  });

  it('fails since the first failure that no day and a half lies behind', () => {
    const first = healthAfter({}, failure, now);
    expect(healthAfter(first, failure, plus(36 * HOUR)).failing_since).toBe(now.toISOString());
    const later = plus(36 * HOUR + 1);
    expect(healthAfter(first, failure, later).failing_since).toBe(later.toISOString());
  });

  it('is bad for too long from five days on', () => {
    const failing_since = now.toISOString();
    expect(hasFailedTooLong({ failing_since }, plus(5 * DAY - 1))).toBe(false);
    expect(hasFailedTooLong({ failing_since }, plus(5 * DAY))).toBe(true);
    expect(hasFailedTooLong({}, plus(5 * DAY))).toBe(false);
  });

  it.each([
    [{}, false],
    [{ failures: 0 }, false],
    [{ failures: 1 }, true],
    [{ slow: true }, true],
    [{ slow: false }, false],
    [{ recovering: 1 }, true],
  ])('%j has pauses: %s', (health, expected) => {
    expect(isThrottledToOne(health)).toBe(expected);
  });
});

it.each([
  [{ status: 199 }, false, 'The endpoint answered with an error'],
  [{ status: 200 }, true, undefined],
  [{ status: 299 }, true, undefined],
  [{ status: 300 }, false, 'The endpoint redirects, which is not followed'],
  [{ status: 399 }, false, 'The endpoint redirects, which is not followed'],
  [{ status: 400 }, false, 'The endpoint answered with an error'],
  [{ status: 410 }, false, 'The endpoint answered with an error'],
  [{ error: 'unreachable' as const }, false, 'The address cannot be reached'],
  [{ error: 'tls' as const }, false, 'The TLS certificate is not valid'],
  [{ error: 'timeout' as const }, false, 'There was no answer within 15 seconds'],
  [{ error: 'broken' as const }, false, 'The connection was closed before an answer'],
])('%j is a delivery: %s', (answered, delivered, fault) => {
  const posted = { ms: 7, ...answered };
  expect([isDelivered(posted), faultOf(posted)]).toEqual([delivered, fault]);
  expect(isGone(posted)).toBe('status' in answered && answered.status === 410);
  const isHidden = 'error' in answered && answered.error === 'unreachable';
  expect(durationOf(posted)).toBe(isHidden ? undefined : 7);
});

it('the secret before a rotation signs beside the new one until its day has ended', async () => {
  const vault = { open: async (sealed: string) => sealed };
  const rotated = { secret: 'new', old_secret: 'old', old_secret_until: plus(DAY).toISOString() };
  const webhook = { organization_id: 7, list_id: 'list', id: 'hook', ...rotated } as StoredWebhook;
  expect(await secretsOf({ vault }, webhook, plus(DAY - 1))).toEqual(['new', 'old']);
  expect(await secretsOf({ vault }, webhook, plus(DAY))).toEqual(['new']);
});

describe('what failed in a span', () => {
  const place = { organization: 7, list: 'list', webhook: 'hook' };
  const idAt = (at: Date) => deliveryStore.idOf(at.toISOString(), '0'.repeat(24));
  const store = (instants: Date[], state = 'failed') =>
    batchWrite(table, {
      puts: instants.map(at => {
        const id = idAt(at);
        return { PK: 'ORG#7#HOOKS#list', SK: `hook#${id}`, id, state, at: at.toISOString() };
      }),
    });
  type Span = { from?: Date; to?: Date; after?: string | undefined; most?: number };
  const failed = async (span: Span = {}, at = now) => {
    const { failed, next } = await deliveryStore.failedOf(table, place, at, {
      from: plus(-9 * DAY),
      to: at,
      most: 500,
      ...span,
    });
    return { ids: failed.map(({ id }) => id), next };
  };

  it('is in pages of 500, and each begins after the last row of the previous one', async () => {
    const instants = Array.from({ length: 502 }, (_, n) => plus(-HOUR + n));
    await store(instants);
    const first = await failed();
    expect(first).toEqual({ ids: instants.slice(0, 500).map(idAt), next: idAt(instants[499] as Date) });
    expect(await failed({ after: first.next })).toEqual({
      ids: instants.slice(500).map(idAt),
      next: undefined,
    });
    expect((await failed({ most: 502 })).next).toBeUndefined();
    expect((await failed({ most: 501 })).next).toBe(idAt(instants[500] as Date));
  });

  it('has its first and its last millisecond, what is kept for seven days, and nothing of another webhook', async () => {
    const [oldest, edge] = [plus(-7 * DAY), plus(-7 * DAY - 1)];
    await store([oldest, edge, plus(-3), plus(-2), plus(-1), now]);
    await store([plus(-HOUR)], 'delivered');
    const other = { PK: 'ORG#7#HOOKS#list', SK: `hook2#${idAt(plus(-2))}`, id: 'other', state: 'failed' };
    await batchWrite(table, { puts: [other] });
    const of = async (from: Date, to: Date) => (await failed({ from, to })).ids;
    expect(await of(plus(-3), plus(-1))).toEqual([plus(-3), plus(-2), plus(-1)].map(idAt));
    expect(await of(plus(-2), plus(-2))).toEqual([idAt(plus(-2))]);
    expect((await failed({ most: 1 })).ids).toEqual([idAt(oldest)]);
    expect(await of(plus(1), plus(DAY))).toEqual([]);
    expect(await failed({ from: plus(2 * DAY), to: plus(3 * DAY) })).toEqual({ ids: [], next: undefined });
  });
});

describe('a post', () => {
  const hook = (id: string, url = `https://${id}.example/`) =>
    ({ organization_id: 7, id, url }) as StoredWebhook;
  const read = async () => postsStore.openIn(await getAll(table, [postsStore.openKey(7)]));
  const open = async (id: string, at = now) =>
    postsStore.open(table, hook(id), await read(), {
      now: at,
      until: new Date(at.getTime() + 90 * SECOND).toISOString(),
    });

  it('is one of a webhook and of three of an organization, until it is closed or its lease has ended', async () => {
    const first = await open('a');
    expect(await open('a')).toBe('busy');
    expect(first).toEqual({ lease: `${plus(90 * SECOND).toISOString()}#a` });
    const before = await read();
    await open('b');
    const stale = { now, until: plus(90 * SECOND).toISOString() };
    expect(await postsStore.open(table, hook('c'), before, stale)).toBe('changed');
    await open('c');
    expect(await open('d')).toBe('busy');
    await postsStore.close(table, 7, typeof first === 'string' ? '' : first.lease);
    expect(await open('d')).toHaveProperty('lease');
    expect(await open('a', plus(89 * SECOND))).toBe('busy');
    expect(await open('a', plus(91 * SECOND))).toHaveProperty('lease');
    expect((await read())?.open).toHaveLength(1);
  });

  it('has the next free second of its webhook, and half a second of its host', async () => {
    const reserve = async (id: string, { reserved = 0, at = now } = {}) => {
      const found = await postsStore.reserve(table, hook(id, 'https://One.example:8443/x'), {
        now: at,
        reserved,
      });
      return [(found.at - now.getTime()) / SECOND, found.reserved];
    };
    expect(await reserve('p')).toEqual([0, 2]);
    expect(await reserve('p')).toEqual([1, 1]);
    expect(await reserve('p')).toEqual([2, 1]);
    expect(await reserve('q')).toEqual([0.5, 2]);
    expect(await reserve('p', { reserved: 1 })).toEqual([1, 2]);
    expect(await reserve('p', { reserved: 2 })).toEqual([0, 2]);
    expect(await reserve('p', { at: plus(3 * SECOND) })).toEqual([3, 2]);
    expect(await reserve('p', { at: plus(9 * SECOND) })).toEqual([9, 2]);
  });
});
