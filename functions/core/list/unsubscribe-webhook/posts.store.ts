import { deletePage, epochSeconds, get, type Item, storedOf, type Table } from '#core/storage/table.store.ts';
import { unchanged, updateItem } from '#core/storage/write.store.ts';
import { DAY, SECOND } from '#shared/time.ts';
import type { StoredWebhook } from './unsubscribe-webhook.store.ts';

const partition = (organization: number) => `ORG#${organization}#POSTS`;
export const openKey = (organization: number) => ({ PK: partition(organization), SK: 'OPEN' });

/** Fewer than run at a time of all organizations, so that no endpoint delays the deliveries of others. */
export const MOST_POSTS = 3;

/** `open` has the end of the lease and the webhook of each post that is under way. */
export const openIn = (items: Item[]): Item | undefined => items.find(({ SK }) => SK === 'OPEN');

/**
 * Leases one of the posts of an organization. Returns the lease, `busy` if all are taken or the webhook has one, or
 * `changed` if another was taken or ended since they were read.
 */
export async function open(
  table: Table,
  { organization_id, id }: StoredWebhook,
  before: Item | undefined,
  { now, until }: { now: Date; until: string },
): Promise<{ lease: string } | 'busy' | 'changed'> {
  const posts = [...((before?.open ?? []) as Set<string>)].filter(one => one > now.toISOString());
  if (posts.length >= MOST_POSTS || posts.some(one => one.endsWith(`#${id}`))) return 'busy';
  const lease = `${until}#${id}`;
  const set = { open: new Set([...posts, lease]) };
  const isOpen = await updateItem(table, openKey(organization_id), { set }, unchanged(before, ['open']));
  return isOpen ? { lease } : 'changed';
}

export const close = (table: Table, organization: number, lease: string): Promise<unknown> =>
  updateItem(table, openKey(organization), { subtract: { open: new Set([lease]) } });

/** Posts a minute, by what they have in common. Others wait for their second, so that none is lost. */
const PACES = [
  { most: 60, nameOf: ({ id }: StoredWebhook) => id },
  { most: 120, nameOf: ({ url }: StoredWebhook) => new URL(url).hostname },
];

/** Reserves the next free instant in each pace from `reserved` on, until one is in the future. */
export async function reserve(
  table: Table,
  webhook: StoredWebhook,
  { now, reserved }: { now: Date; reserved: number },
): Promise<{ at: number; reserved: number }> {
  let at = now.getTime();
  for (const { most, nameOf } of PACES.slice(reserved)) {
    const key = { PK: partition(webhook.organization_id), SK: `PACE#${nameOf(webhook)}` };
    at = await reserveIn(table, key, { now, pause: (60 * SECOND) / most });
    reserved += 1;
    if (at > now.getTime()) break;
  }
  return { at, reserved };
}

async function reserveIn(
  table: Table,
  key: { PK: string; SK: string },
  { now, pause }: { now: Date; pause: number },
): Promise<number> {
  const values = { ':now': now.getTime() };
  for (;;) {
    const queued = await updateItem(
      table,
      key,
      { add: { next_ms: pause } },
      { condition: 'next_ms > :now', values },
    );
    if (queued) return (queued.next_ms as number) - pause;
    const fields = { next_ms: now.getTime() + pause, ttl: epochSeconds(now) + KEPT };
    const past = { condition: 'attribute_not_exists(next_ms) OR next_ms <= :now', values };
    if (await updateItem(table, key, { set: fields }, past)) return now.getTime();
  }
}
const KEPT = (7 * DAY) / SECOND;

/** When a manager got the last letter about webhooks that were switched off, and until when it told of them. */
type Letter = { sent_at: string; told_until: string };
const letterKey = (organization: number, user: string) => ({
  PK: partition(organization),
  SK: `LETTER#${user}`,
});

export const readLetter = async (table: Table, organization: number, user: string) =>
  storedOf<Letter>(await get(table, letterKey(organization, user)));

/** Returns undefined if another letter was sent since. */
export const changeLetter = (
  table: Table,
  { organization, user }: { organization: number; user: string },
  before: Letter | undefined,
  after: Letter | undefined,
): Promise<Item | undefined> => {
  const fields: (keyof Letter)[] = ['sent_at', 'told_until'];
  const ttl = epochSeconds(new Date(after?.sent_at ?? before?.sent_at ?? 0)) + KEPT;
  return updateItem(
    table,
    letterKey(organization, user),
    after ? { set: { ...after, ttl } } : { drop: fields },
    before?.sent_at ? unchanged(before, fields) : { condition: 'attribute_not_exists(sent_at)' },
  );
};

export const purgeSome = (table: Table, organization: number): Promise<boolean> =>
  deletePage(table, partition(organization), '');
