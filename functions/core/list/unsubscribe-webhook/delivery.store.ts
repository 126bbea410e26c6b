import {
  deletePage,
  epochSeconds,
  fromItem,
  get,
  query,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import { ABSENT, type Condition, PRESENT, putItem, updateItem } from '#core/storage/write.store.ts';
import { DAY } from '#shared/time.ts';
import { DELIVERY_DAYS, type DELIVERY_STATES } from '#shared/unsubscribe-webhook.ts';
import { type MemberEvent, type PackedEvent, packed } from './member-event.ts';
import type { Place } from './unsubscribe-webhook.store.ts';

type DeliveryState = (typeof DELIVERY_STATES)[number];

export type StoredDelivery = PackedEvent & {
  id: string;
  state: DeliveryState;
  /** All attempts that were begun, and those that the product made on its own schedule. */
  attempts: number;
  tries: number;
  /** The end of the lease of the process that posts it. */
  busy_until?: string;
  attempted_at?: string;
  status_code?: number;
  duration_ms?: number;
  error?: string;
  next_at?: string;
  /** A random id for each request for a redelivery, until that is done. */
  redelivery?: string;
};

const KEPT = DELIVERY_DAYS * DAY;
const DIGITS = 13;

const partition = ({ organization, list }: Omit<Place, 'webhook'>) => `ORG#${organization}#HOOKS#${list}`;
const key = (place: Place, id: string) => ({ PK: partition(place), SK: `${place.webhook}#${id}` });

/** Ids sort by the instant of the event. */
export const idOf = (at: string, hash: string) => `${millisecondsOf(Date.parse(at))}-${hash}`;
const millisecondsOf = (instant: number) => String(instant).padStart(DIGITS, '0');
const ID = /^\d{13}-[0-9a-f]{24}$/;
export const isDeliveryId = (text: string) => ID.test(text);
export const hashIn = (id: string) => id.slice(DIGITS + 1);

type Begun = { id: string; memberEvent: MemberEvent };

/** A delivery is stored by its first attempt, while it waits, or when it fails without one: each of these sets them. */
const fieldsOf = ({ id, memberEvent }: Begun) => ({
  ...packed(memberEvent),
  id,
  ttl: epochSeconds(new Date(Date.parse(memberEvent.at) + KEPT)),
});

export type AttemptKey = { try: number } | { redelivery: string };

/** Claims an attempt. Returns undefined if it is done already, or if another process is making one. */
export async function claim(
  table: Table,
  place: Place,
  delivery: Begun,
  attempt: AttemptKey,
  { now, until }: { now: Date; until: string },
): Promise<StoredDelivery | undefined> {
  const { condition, values = {}, names = {} } = claimable(attempt);
  const item = await updateItem(
    table,
    key(place, delivery.id),
    {
      set: {
        ...fieldsOf(delivery),
        state: 'waiting' satisfies DeliveryState,
        busy_until: until,
        tries: 'try' in attempt ? attempt.try : undefined,
      },
      add: { attempts: 1 },
    },
    { condition, values: { ...values, ':now': now.toISOString() }, names },
  );
  return storedOf(item);
}

/** Inserts a delivery that has to wait before its first attempt, so that it is shown. Does nothing if it exists already. */
export async function insertWaiting(table: Table, place: Place, delivery: Begun): Promise<void> {
  const state: DeliveryState = 'waiting';
  const item = { ...fieldsOf(delivery), state, attempts: 0, tries: 0 };
  await putItem(table, { ...key(place, delivery.id), ...item }, ABSENT);
}

const FREE = '(attribute_not_exists(busy_until) OR busy_until < :now)';
const claimable = (attempt: AttemptKey): Condition =>
  'try' in attempt
    ? {
        // A try is made again if its process has died during it.
        condition: `attribute_not_exists(PK) OR (#state <> :delivered AND ${FREE} AND (tries < :try OR (tries = :try AND busy_until < :now)))`,
        values: { ':delivered': 'delivered' satisfies DeliveryState, ':try': attempt.try },
        names: { '#state': 'state' },
      }
    : { condition: `redelivery = :redelivery AND ${FREE}`, values: { ':redelivery': attempt.redelivery } };

export type Ended = {
  state: DeliveryState;
  attempted_at: string;
  status_code?: number | undefined;
  duration_ms?: number | undefined;
  error?: string | undefined;
  next_at?: string | undefined;
};

/** Stores the end of a claimed attempt. Writes nothing if another attempt was begun since. */
export const end = (
  table: Table,
  place: Place,
  { id, busy_until }: StoredDelivery,
  attempt: AttemptKey,
  ended: Ended,
): Promise<unknown> => {
  const gone = (['status_code', 'duration_ms', 'error', 'next_at'] as const).filter(
    field => ended[field] === undefined,
  );
  return updateItem(
    table,
    key(place, id),
    { set: ended, drop: ['busy_until', ...('try' in attempt ? [] : ['redelivery']), ...gone] },
    { condition: 'busy_until = :mine', values: { ':mine': busy_until } },
  );
};

type GivenUp = { error: string; tries: number; now: Date };

/** Marks a delivery as failed without an attempt, unless it is delivered or an attempt is under way. */
export async function failWithoutAttempt(
  table: Table,
  place: Place,
  delivery: Begun,
  { error, tries, now }: GivenUp,
): Promise<void> {
  await updateItem(
    table,
    key(place, delivery.id),
    {
      set: { ...fieldsOf(delivery), state: 'failed' satisfies DeliveryState, error, tries },
      first: { attempts: 0 },
      drop: ['busy_until', 'next_at', 'redelivery'],
    },
    {
      condition: `attribute_not_exists(PK) OR (#state <> :delivered AND ${FREE})`,
      values: { ':delivered': 'delivered' satisfies DeliveryState, ':now': now.toISOString() },
      names: { '#state': 'state' },
    },
  );
}

export const read = async (table: Table, place: Place, id: string) =>
  storedOf<StoredDelivery>(await get(table, key(place, id)));

export async function markRedelivery(
  table: Table,
  place: Place,
  id: string,
  redelivery: string,
): Promise<StoredDelivery | undefined> {
  const set = { redelivery, state: 'waiting' satisfies DeliveryState };
  return storedOf(await updateItem(table, key(place, id), { set }, PRESENT));
}

export async function page(
  table: Table,
  place: Place,
  now: Date,
  { before, most }: { before?: string | undefined; most: number },
): Promise<StoredDelivery[]> {
  const first = millisecondsOf(oldest(now));
  // DynamoDB rejects a start key that is out of the range.
  if (before !== undefined && before < first) return [];
  const range = { ...between(place, first, ':'), ScanIndexForward: false, ConsistentRead: true };
  const start = before === undefined ? {} : { ExclusiveStartKey: key(place, before) };
  return (await query(table, { ...range, ...start }, { most })).map(fromItem<StoredDelivery>);
}

// A span may have a million deliveries, of which few failed.
const MOST_READ = 2_000;

type Span = { from: Date; to: Date; after?: string | undefined };

/** Oldest first, after the one at which the part before ended. `next` is where this part ends. */
export async function failedOf(
  table: Table,
  place: Place,
  now: Date,
  { from, to, after = '', most }: Span & { most: number },
): Promise<{ failed: StoredDelivery[]; next: string | undefined }> {
  const first = millisecondsOf(Math.max(from.getTime(), oldest(now)));
  const begin = first > after ? first : `${after}.`;
  const end = `${millisecondsOf(Math.min(to.getTime(), now.getTime() + DAY))}.`;
  // DynamoDB rejects a range that ends before it begins.
  if (begin > end) return { failed: [], next: undefined };
  const range = { ...between(place, begin, end), ConsistentRead: true };
  const found = (await query(table, range, { most: MOST_READ })).map(fromItem<StoredDelivery>);
  const failed = found.filter(({ state }) => state === 'failed');
  if (failed.length > most) return { failed: failed.slice(0, most), next: failed[most - 1]?.id };
  return { failed, next: found.length === MOST_READ ? found.at(-1)?.id : undefined };
}

const oldest = (now: Date) => now.getTime() - KEPT;

const between = (place: Place, from: string, to: string) => ({
  KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
  ExpressionAttributeValues: {
    ':pk': partition(place),
    ':from': `${place.webhook}#${from}`,
    ':to': `${place.webhook}#${to}`,
  },
});

export const purgeSome = (table: Table, organization: number, list: string): Promise<boolean> =>
  deletePage(table, partition({ organization, list }), '');
