import { createHash } from 'node:crypto';
import * as user from '#core/account/user.ts';
import { letter, type Mailer } from '#core/mail.ts';
import * as member from '#core/organization/member.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import * as organization from '#core/organization/organization.ts';
import { inParallel } from '#core/parallel.ts';
import { membershipKey } from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { PRODUCT } from '#shared/brand.ts';
import { DAY, HOUR, SECOND } from '#shared/time.ts';
import { ALL_LISTS, DELIVERY_DAYS } from '#shared/unsubscribe-webhook.ts';
import { eventType, WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
import * as list from '../list.ts';
import type { AttemptKey, StoredDelivery } from './delivery.store.ts';
import * as deliveryStore from './delivery.store.ts';
import { dataOf, type MemberEvent } from './member-event.ts';
import { durationOf, faultOf, isDelivered, isGone, type Posted, type Posts, postTo } from './post.ts';
import * as postsStore from './posts.store.ts';
import {
  type AttemptResult,
  hasFailedTooLong,
  healthAfter,
  isThrottledToOne,
  LONGEST_WAIT,
  MOST_TRIES,
  nextTry,
} from './retries.ts';
import type { Place, StoredWebhook } from './unsubscribe-webhook.store.ts';
import * as store from './unsubscribe-webhook.store.ts';

type MemberDetail = {
  id: string;
  organization_id: number;
  email_list_id: string;
  list_member_id: string;
  unsubscribed_at: string;
  source?: string;
};
type AutomationDetail = {
  id: string;
  organization_id: number;
  email_list_ids: string[];
  automation_id: string;
  name: string;
  at: string;
  source: string;
};
type OfType<Detail> = { 'detail-type': string; detail: Detail };
export type BusEvent = OfType<MemberDetail>;
export type AutomationEvent = OfType<AutomationDetail>;
/** A message of the queue: one delivery of one webhook, due at an instant. */
export type DeliveryMessage = {
  delivery: string;
  place: Place;
  memberEvent: MemberEvent;
  attempt: AttemptKey;
  due: string;
  /** How often it was queued again because it could not be posted yet. */
  waits?: number;
  /** In how many of the paces its post is reserved. */
  reserved?: number;
};
/** One manager is to get a letter about webhooks that were deactivated. */
export type NoticeMessage = { notice: { organization: number }; user: string };

export type Queued = { body: object; group: string; seconds: number };
type Queue = (messages: Queued[]) => Promise<void>;

export type Delivers = Posts & { table: Table; now: () => Date; queue: Queue; random: () => number };

const LONGEST_DELAY = 900;
// Longer than the function may run.
const LEASE = 90 * SECOND;
const BUSY_PAUSE = 2 * SECOND;
// In seconds, like all delays of the queue.
const NOTICE_AFTER = 90;
const FIRST_SPREAD = 30;

const groupOf = ({ organization, webhook }: Place) => `${organization}#${webhook}`;

export async function fanOut(
  { table, now, queue }: Pick<Delivers, 'table' | 'now' | 'queue'>,
  { 'detail-type': type, detail }: BusEvent | AutomationEvent,
): Promise<void> {
  const event = WEBHOOK_EVENTS.find(one => eventType(one) === type);
  if (!event) return;
  const isOfMember = 'list_member_id' in detail;
  const { source = '' } = detail;
  const memberEvent: MemberEvent = isOfMember
    ? { event, at: detail.unsubscribed_at, source, member: detail.list_member_id }
    : { event, at: detail.at, source, automation: { id: detail.automation_id, name: detail.name } };
  const lists = isOfMember ? [detail.email_list_id] : detail.email_list_ids;
  const webhooks = await store.readActive(table, detail.organization_id, lists);
  const wanting = webhooks.filter(({ events }) => events.includes(event));
  await queue(wanting.map(webhook => firstDelivery(webhook, detail.id, memberEvent, now())));
}

/** Its id is the same each time that the events with this id are handled. */
export function firstDelivery(
  { organization_id: organization, list_id: list, id: webhook }: StoredWebhook,
  eventId: string,
  memberEvent: MemberEvent,
  now: Date,
): Queued {
  const delivery = deliveryStore.idOf(memberEvent.at, hashOf(webhook, eventId));
  const place = { organization, list, webhook };
  return queuedOf({ delivery, place, memberEvent, attempt: { try: 1 }, due: now.toISOString() }, now);
}

/** The same hash each time an event is handled, so that the endpoint recognizes a repeated message by its id. */
const hashOf = (webhook: string, event: string) =>
  createHash('sha256').update(`${webhook}\n${event}`).digest('hex').slice(0, 24);

export function queuedOf(message: DeliveryMessage, now: Date): Queued {
  const seconds = (Date.parse(message.due) - now.getTime()) / SECOND;
  return {
    body: message,
    group: groupOf(message.place),
    seconds: Math.max(0, Math.min(LONGEST_DELAY, Math.ceil(seconds))),
  };
}

/** Safe to repeat: an attempt is claimed before it is made, and made again only if its process has died. */
export async function deliver(needs: Delivers, message: DeliveryMessage): Promise<void> {
  const { place, memberEvent, attempt, due } = message;
  const now = needs.now();
  if (Date.parse(due) > now.getTime()) return needs.queue([queuedOf(message, now)]);
  const found = await read(needs.table, message);
  if (!found) return;
  const { webhook, posts } = found;
  const isRedelivery = 'redelivery' in attempt;
  const isLate = !isRedelivery && now.getTime() - Date.parse(memberEvent.at) > LONGEST_WAIT;
  if (!webhook.active) return failUnposted(needs, message, 'The webhook was deactivated');
  if (isLate) return failUnposted(needs, message, 'The endpoint failed or was slow for days');

  const closedUntil = isRedelivery || !isThrottledToOne(webhook) ? '' : (webhook.closed_until ?? '');
  if (closedUntil > now.toISOString()) return requeueSpread(needs, message, Date.parse(closedUntil));
  const { at, reserved } = await postsStore.reserve(needs.table, webhook, {
    now,
    reserved: message.reserved ?? 0,
  });
  if (at > now.getTime()) return requeue(needs, { ...message, reserved }, at);
  const until = new Date(now.getTime() + LEASE).toISOString();
  const opened = await postsStore.open(needs.table, webhook, posts, { now, until });
  if (opened === 'changed') return deliver(needs, { ...message, reserved });
  if (opened === 'busy') {
    const again = { ...message, reserved: 0 };
    return isThrottledToOne(webhook)
      ? requeueSpread(needs, again, now.getTime() + 10 * SECOND)
      : requeue(needs, again, now.getTime() + BUSY_PAUSE);
  }
  try {
    await attemptPost(needs, message, { webhook, until });
  } finally {
    await postsStore.close(needs.table, place.organization, opened.lease);
  }
}

const failUnposted = (
  { table, now }: Delivers,
  { place, delivery: id, memberEvent }: DeliveryMessage,
  error: string,
) =>
  deliveryStore.failWithoutAttempt(
    table,
    place,
    { id, memberEvent },
    { error, tries: MOST_TRIES, now: now() },
  );

type Attempt = { webhook: StoredWebhook; until: string };

async function attemptPost(needs: Delivers, message: DeliveryMessage, { webhook, until }: Attempt) {
  const { place, memberEvent, attempt } = message;
  const now = needs.now();
  const emails = await addressesOf(needs.table, message);
  if (emails.size === 0 && !memberEvent.automation)
    return failUnposted(needs, message, 'This person was erased');
  const claimed = await claim(needs, message, until);
  if (claimed === 'busy') {
    const due = new Date(now.getTime() + LEASE).toISOString();
    return needs.queue([queuedOf({ ...message, due, reserved: 0 }, now)]);
  }
  if (claimed === 'done') return;
  const posted = await postTo({ ...needs, now }, webhook, {
    id: `msg_${deliveryStore.hashIn(message.delivery)}`,
    type: eventType(memberEvent.event),
    at: memberEvent.at,
    data: dataOf(memberEvent, member => emails.get(hashOfMember(member))),
  });
  const next = await queueNext(needs, message, posted);
  const isRedelivery = 'redelivery' in attempt;
  await storeHealth(needs, webhook, { posted, isRedelivery });
  const delivered = isDelivered(posted);
  // A failed redelivery does not change when the product tries next.
  const kept = isRedelivery && !delivered && !isGone(posted) ? claimed.next_at : undefined;
  const next_at = next?.toISOString() ?? kept;
  await deliveryStore.end(needs.table, place, claimed, attempt, {
    state: delivered ? 'delivered' : next_at ? 'waiting' : 'failed',
    attempted_at: now.toISOString(),
    status_code: 'status' in posted ? posted.status : undefined,
    duration_ms: durationOf(posted),
    error: faultOf(posted),
    next_at,
  });
}

/** The delay is random and grows with each wait, as otherwise all waiting deliveries would come back at once. */
function requeueSpread(needs: Delivers, message: DeliveryMessage, until: number): Promise<void> {
  const begin = Math.min(until, needs.now().getTime() + LONGEST_DELAY * SECOND);
  const spread = Math.min(LONGEST_DELAY, FIRST_SPREAD * 2 ** (message.waits ?? 0)) * SECOND;
  return requeue(needs, { ...message, reserved: 0 }, begin + needs.random() * spread);
}

async function requeue(needs: Delivers, message: DeliveryMessage, at: number): Promise<void> {
  const { waits = 0, place, delivery: id, memberEvent, attempt } = message;
  const due = new Date(at).toISOString();
  await needs.queue([queuedOf({ ...message, due, waits: waits + 1 }, needs.now())]);
  // Later attempts were stored at the end of the attempt before.
  const isFirst = waits === 0 && 'try' in attempt && attempt.try === 1;
  if (isFirst) await deliveryStore.insertWaiting(needs.table, place, { id, memberEvent });
}

const hashOfMember = (member: string) => recipientKey.readMemberId(member)?.hash ?? '';

/** Returns undefined if the webhook, the list or the organization is deleted. */
async function read(table: Table, { place }: DeliveryMessage) {
  const { organization: id, list: listId } = place;
  const items = await getAll(table, [
    store.key(place),
    organizationStore.metaKey(id),
    postsStore.openKey(id),
    ...list.keysOf(id, listId),
  ]);
  const webhook = store.foundIn(items, place);
  const isOwned = listId === ALL_LISTS || list.foundIn(items);
  if (!webhook || !isOwned || !organization.isAlive(items, id)) return undefined;
  return { webhook, posts: postsStore.openIn(items) };
}

/** By the hash of the person. Read once it is posted: a delivery of a hundred people may wait many times before. */
async function addressesOf(table: Table, { place, memberEvent }: DeliveryMessage) {
  const { event, member, events = [] } = memberEvent;
  const members = [...(member ? [member] : []), ...events.map(one => one.member)];
  const keys = members.flatMap(one => {
    const { listId = '', hash = '' } = recipientKey.readMemberId(one) ?? {};
    const key = { organization: place.organization, hash };
    // Before anything else has happened to a person, their membership alone has the address.
    return [recipientStore.headKey(key), ...(event === 'subscribed' ? [membershipKey(key, listId)] : [])];
  });
  const items = await getAll(table, keys);
  return new Map(
    items.flatMap(({ PK, email }): [string, string][] =>
      email ? [[recipientKey.keyIn(String(PK)).hash, String(email)]] : [],
    ),
  );
}

async function claim(
  { table, now }: Delivers,
  { place, delivery: id, memberEvent, attempt }: DeliveryMessage,
  until: string,
): Promise<StoredDelivery | 'busy' | 'done'> {
  const begun = await deliveryStore.claim(table, place, { id, memberEvent }, attempt, { now: now(), until });
  if (begun) return begun;
  const stored = await deliveryStore.read(table, place, id);
  const isBusy = (stored?.busy_until ?? '') > now().toISOString();
  const isStill =
    'try' in attempt
      ? stored?.state !== 'delivered' && (stored?.tries ?? 0) <= attempt.try
      : stored?.redelivery === attempt.redelivery;
  return isBusy && isStill ? 'busy' : 'done';
}

/** Queued before the end of this one is stored: if the process dies in between, this attempt is made again. */
async function queueNext(
  needs: Delivers,
  message: DeliveryMessage,
  posted: Posted,
): Promise<Date | undefined> {
  const { attempt } = message;
  if (isDelivered(posted) || isGone(posted) || !('try' in attempt)) return undefined;
  const now = needs.now();
  const next = nextTry(now, attempt.try, posted.retryAfter);
  if (!next) return undefined;
  const again = {
    ...message,
    attempt: { try: attempt.try + 1 },
    due: next.toISOString(),
    waits: 0,
    reserved: 0,
  };
  await needs.queue([queuedOf(again, now)]);
  return next;
}

const TRIGGERED_EVERY = 60 * SECOND;

/** Switches the webhook off if the endpoint is gone or has failed for too long. */
async function storeHealth(
  needs: Delivers,
  webhook: StoredWebhook,
  { posted, isRedelivery }: { posted: Posted; isRedelivery: boolean },
): Promise<void> {
  const { table } = needs;
  const now = needs.now();
  const result: AttemptResult = {
    delivered: isDelivered(posted),
    ms: posted.ms,
    isRedelivery,
    retryAfter: posted.retryAfter,
  };
  const health = healthAfter(webhook, result, now);
  const isOff = isGone(posted) || (!isRedelivery && !result.delivered && hasFailedTooLong(health, now));
  if (isOff) await switchOff(needs, webhook, isGone(posted) ? 'gone' : 'failing');
  const isRecent = now.getTime() - Date.parse(webhook.last_triggered_at ?? '') < TRIGGERED_EVERY;
  const drop = store.HEALTH.filter(field => webhook[field] !== undefined && health[field] === undefined);
  const isNews = isThrottledToOne(webhook) || isThrottledToOne(health) || drop.length > 0;
  if (isRecent && !isNews) return;
  const set = { ...definedHealth(health), ...(!isRecent && { last_triggered_at: now.toISOString() }) };
  // If the URL was changed meanwhile, the result of this attempt does not apply to the new one.
  await store.change(table, webhook, { set, drop }, ['url']);
}

const definedHealth = (health: store.Health): store.Health =>
  Object.fromEntries(
    store.HEALTH.flatMap(field => (health[field] === undefined ? [] : [[field, health[field]]])),
  );

/** The letters are queued first, so that none is lost. */
async function switchOff(
  { table, queue, now }: Delivers,
  webhook: StoredWebhook,
  because: 'gone' | 'failing',
): Promise<void> {
  const { organization_id } = webhook;
  const switched_off = { at: now().toISOString(), because };
  const managers = await member.managers({ table }, organization_id);
  await queue(
    managers.map(user => ({
      body: { notice: { organization: organization_id }, user } satisfies NoticeMessage,
      group: String(organization_id),
      seconds: NOTICE_AFTER,
    })),
  );
  await store.change(table, webhook, { set: { active: false, switched_off } }, ['active', 'url']);
}

type Needs = Pick<Delivers, 'table' | 'now' | 'queue'> & {
  mailer: Mailer | undefined;
  linkTo: (listId: string) => string;
};

const WHY = {
  gone: 'its endpoint answered that it is gone (410)',
  failing: 'no delivery to its endpoint has succeeded for five days',
};

// A webhook that is being switched off is stored as off by then. Its own message comes later.
const STORED_AFTER = 60 * SECOND;
const MOST_READ = 2_000;
const MOST_NAMED = 20;

/** Mails one manager, at most once an hour, which webhooks were switched off since the letter before and are still off. */
export async function notify(needs: Needs, message: NoticeMessage): Promise<void> {
  const { table, mailer, linkTo } = needs;
  if (!mailer) return;
  const { notice, user: id } = message;
  const now = needs.now();
  const before = await postsStore.readLetter(table, notice.organization, id);
  const seconds = Math.ceil((Date.parse(before?.sent_at ?? '') + HOUR - now.getTime()) / SECOND);
  if (seconds > 0) {
    const group = String(notice.organization);
    return needs.queue([{ body: message, group, seconds: Math.min(LONGEST_DELAY, seconds) }]);
  }
  const told_until = new Date(now.getTime() - STORED_AFTER).toISOString();
  const since = before?.told_until ?? new Date(now.getTime() - DELIVERY_DAYS * DAY).toISOString();
  const off = (await store.readFirst(table, notice.organization, MOST_READ)).flatMap(webhook => {
    const { switched_off } = webhook;
    const isNews = switched_off && switched_off.at > since && switched_off.at <= told_until;
    return isNews && !webhook.active ? [{ ...webhook, because: switched_off.because }] : [];
  });
  const [person] = await user.findAll({ table }, [id]);
  if (!person || off.length === 0) return;
  const sent = { told_until, sent_at: now.toISOString() };
  const key = { organization: notice.organization, user: id };
  if (!(await postsStore.changeLetter(table, key, before, sent))) return notify(needs, message);
  const named = await inParallel(off.slice(0, MOST_NAMED), MOST_NAMED, async webhook => {
    if (webhook.list_id === ALL_LISTS) return { ...webhook, of: 'the organization' };
    const of = await list.lookUp({ table }, notice.organization, webhook.list_id);
    return { ...webhook, of: `the list “${of?.name ?? ''}”` };
  });
  const more = off.length - named.length;
  const several = off.length === 1 ? 'A webhook' : `${off.length} webhooks`;
  const told = letter(`${several} on ${PRODUCT} ${off.length === 1 ? 'was' : 'were'} deactivated`, [
    ...named.flatMap(({ name, of, list_id, because }) => [
      {
        paragraph: `The webhook “${name}” of ${of} was deactivated, since ${WHY[because]}. Nothing is sent to it any more.`,
      },
      { link: linkTo(list_id), label: 'View webhook' },
    ]),
    ...(more > 0 ? [{ paragraph: `And ${more} more.` }] : []),
    {
      paragraph:
        'Repair the endpoint, activate the webhook, and deliver again what failed. Deliveries are kept for seven days.',
    },
  ]);
  try {
    await mailer.send(person.email, told);
  } catch (error) {
    // The queue delivers the message again, and the letter is sent then.
    await postsStore.changeLetter(table, key, sent, before);
    throw error;
  }
}
