import { inParallel } from '#core/parallel.ts';
import {
  deletePage,
  fromItem,
  get,
  type Item,
  query,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionsHeld,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { ALL_LISTS, MOST_WEBHOOKS, type SWITCHED_OFF } from '#shared/unsubscribe-webhook.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';

export type Health = {
  failing_since?: string;
  failed_at?: string;
  failures?: number;
  /** Until then only deliveries that a user requests are made. */
  closed_until?: string;
  /** It answered slowly, so it gets one delivery at a time. */
  slow?: boolean;
  /** How many more deliveries must be quick before it gets several at a time again. */
  recovering?: number;
};

export const HEALTH = [
  'failing_since',
  'failed_at',
  'failures',
  'closed_until',
  'slow',
  'recovering',
] as const satisfies (keyof Health)[];

export type StoredWebhook = Health & {
  id: string;
  organization_id: number;
  /** `ALL_LISTS` if it is the organization's. */
  list_id: string;
  name: string;
  url: string;
  /** The names of the headers. Their values are encrypted, all in one text. */
  header_keys: string[];
  headers?: string;
  active: boolean;
  events: WebhookEvent[];
  /** Encrypted, like the secret before, with which deliveries are signed too until `old_secret_until`. */
  secret: string;
  old_secret?: string;
  old_secret_until?: string;
  last_triggered_at?: string;
  switched_off?: { at: string; because: (typeof SWITCHED_OFF)[number] };
  created_at: string;
};

export type Place = { organization: number; list: string; webhook: string };

const partition = (organization: number) => `ORG#${organization}`;
const prefix = (list: string) => `HOOK#${list}#`;
export const key = ({ organization, list, webhook }: Place) => ({
  PK: partition(organization),
  SK: `${prefix(list)}${webhook}`,
});
const keyOf = ({ organization_id, list_id, id }: StoredWebhook) =>
  key({ organization: organization_id, list: list_id, webhook: id });

/** The ids of the webhooks of a list, so that their number is limited. */
const idsKey = (organization: number, list: string) => ({ PK: partition(organization), SK: `HOOKS#${list}` });

export const foundIn = (
  items: Item[],
  { list, webhook }: Pick<Place, 'list' | 'webhook'>,
): StoredWebhook | undefined => storedOf(items.find(({ SK }) => SK === `${prefix(list)}${webhook}`));

export const read = async (table: Table, place: Place) =>
  storedOf<StoredWebhook>(await get(table, key(place)));

/** Those of a list, or of the organization. */
export const readAll = async (table: Table, organization: number, owner: string, ConsistentRead = true) =>
  (await query(table, { ...startingWith(organization, prefix(owner)), ConsistentRead })).map(
    fromItem<StoredWebhook>,
  );

const MOST_READ_AT_ONCE = 5;

/** The active ones of the organization, and of these lists. */
export async function readActive(table: Table, organization: number, lists: Iterable<string>) {
  const all = await inParallel([ALL_LISTS, ...lists], MOST_READ_AT_ONCE, owner =>
    readAll(table, organization, owner),
  );
  return all.flat().filter(({ active }) => active);
}

const startingWith = (organization: number, prefix: string) => ({
  KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
  ExpressionAttributeValues: { ':pk': partition(organization), ':prefix': prefix },
});

export const readFirst = async (table: Table, organization: number, most: number) =>
  (await query(table, { ...startingWith(organization, 'HOOK#'), ConsistentRead: false }, { most })).map(
    fromItem<StoredWebhook>,
  );

/** Inserts a webhook. Returns false if its owner has as many as it may have, or does not exist. */
export const insert = (table: Table, webhook: StoredWebhook, ownerCheck: Write): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      putWrite(table, { ...keyOf(webhook), ...webhook }, ABSENT),
      updateWrite(
        table,
        idsKey(webhook.organization_id, webhook.list_id),
        { add: { ids: new Set([webhook.id]) } },
        { condition: 'attribute_not_exists(ids) OR size(ids) < :most', values: { ':most': MOST_WEBHOOKS } },
      ),
      ownerCheck,
    ]),
  );

type Fields = Partial<Omit<StoredWebhook, 'id' | 'organization_id' | 'list_id'>>;
type Change = { set?: Fields; drop?: readonly (keyof Fields)[] };

/** Returns undefined if it is deleted, or if a field in `provided` was changed since it was read. */
export const change = async (
  table: Table,
  before: StoredWebhook,
  { set = {}, drop = [] }: Change,
  provided: (keyof Fields)[] = [],
) =>
  storedOf<StoredWebhook>(
    await updateItem(table, keyOf(before), { set, drop: [...drop] }, unchanged(before, provided)),
  );

export const remove = (table: Table, webhook: StoredWebhook): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      deleteWrite(table, keyOf(webhook), PRESENT),
      updateWrite(table, idsKey(webhook.organization_id, webhook.list_id), {
        subtract: { ids: new Set([webhook.id]) },
      }),
    ]),
  );

export async function purgeSome(table: Table, organization: number, list: string): Promise<boolean> {
  const ids = idsKey(organization, list);
  const more = await Promise.all([
    deletePage(table, partition(organization), prefix(list)),
    deletePage(table, ids.PK, ids.SK),
  ]);
  return more.includes(true);
}
