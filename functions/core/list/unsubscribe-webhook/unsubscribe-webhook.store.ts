import { MOST_WEBHOOKS, type SWITCHED_OFF } from '../../../../shared/unsubscribe-webhook.ts';
import type { WebhookEvent } from '../../../../shared/webhook-events.ts';
import {
  deletePage,
  fromItem,
  get,
  type Item,
  query,
  queryPartition,
  type Table,
} from '../../storage/table.store.ts';
import {
  ABSENT,
  type Condition,
  commit,
  conditionsHeld,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '../../storage/write.store.ts';

/** What deliveries have shown of an endpoint. */
export type Health = {
  failing_since?: string;
  failed_at?: string;
  /** Attempts in a row that failed. */
  failures?: number;
  /** Until then nothing is delivered but what somebody asks for. */
  closed_until?: string;
  /** It took long: it gets one delivery at a time. */
  slow?: boolean;
  /** After that, how many more deliveries must be quick. */
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
  list_id: string;
  name: string;
  url: string;
  /** The names as they are shown; their values are encrypted, all in one text. */
  header_keys: string[];
  headers?: string;
  active: boolean;
  events: WebhookEvent[];
  /** Encrypted, as is the one before, with which deliveries are signed too until then. */
  secret: string;
  old_secret?: string;
  old_secret_until?: string;
  last_triggered_at?: string;
  switched_off?: { at: string; because: (typeof SWITCHED_OFF)[number] };
  /** Who has got a letter about that. */
  notified?: Set<string>;
  /** Until then one delivery has the endpoint, where it is one at a time. */
  held_until?: string;
  created_at: string;
};

/** What names a webhook. */
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
): StoredWebhook | undefined => {
  const item = items.find(({ SK }) => SK === `${prefix(list)}${webhook}`);
  return item && fromItem(item);
};

export async function read(table: Table, place: Place): Promise<StoredWebhook | undefined> {
  const item = await get(table, key(place));
  return item && fromItem(item);
}

export const readAll = async (table: Table, organization: number, list: string) =>
  (await queryPartition(table, partition(organization), prefix(list))).map(fromItem<StoredWebhook>);

/** Some webhooks of an organization, whatever their list. */
export const readFirst = async (table: Table, organization: number, most: number) =>
  (
    await query(
      table,
      {
        KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
        ExpressionAttributeValues: { ':pk': partition(organization), ':prefix': 'HOOK#' },
        ConsistentRead: false,
      },
      { most },
    )
  ).map(fromItem<StoredWebhook>);

/** False where the list has as many as it can have, or does not exist. */
export const insert = (table: Table, webhook: StoredWebhook, listCheck: Write): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      putWrite(table, { ...keyOf(webhook), ...webhook }, ABSENT),
      updateWrite(
        table,
        idsKey(webhook.organization_id, webhook.list_id),
        { add: { ids: new Set([webhook.id]) } },
        {
          condition: 'attribute_not_exists(ids) OR size(ids) < :most',
          values: { ':most': MOST_WEBHOOKS },
        },
      ),
      listCheck,
    ]),
  );

type Fields = Partial<Omit<StoredWebhook, 'id' | 'organization_id' | 'list_id'>>;
type Change = { set?: Fields; drop?: readonly (keyof Fields)[] };

/** Undefined where it is deleted, or differs by now in a field of `provided`. */
export async function change(
  table: Table,
  before: StoredWebhook,
  { set = {}, drop = [] }: Change,
  provided: (keyof Fields)[] = [],
): Promise<StoredWebhook | undefined> {
  const item = await updateItem(table, keyOf(before), { set, drop: [...drop] }, unchanged(before, provided));
  return item && fromItem(item);
}

/** False where another call deleted it. */
export const remove = (table: Table, webhook: StoredWebhook): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      deleteWrite(table, keyOf(webhook), PRESENT),
      updateWrite(table, idsKey(webhook.organization_id, webhook.list_id), {
        subtract: { ids: new Set([webhook.id]) },
      }),
    ]),
  );

/** Takes the endpoint for one delivery; false where another one has it, or where it is closed by now. */
export async function hold(
  table: Table,
  webhook: StoredWebhook,
  { now, until, evenClosed }: { now: string; until: string; evenClosed: boolean },
): Promise<boolean> {
  const past = (field: string) => `(attribute_not_exists(${field}) OR ${field} < :now)`;
  const free: Condition = {
    condition: [PRESENT.condition, past('held_until'), ...(evenClosed ? [] : [past('closed_until')])].join(
      ' AND ',
    ),
    values: { ':now': now },
  };
  return (await updateItem(table, keyOf(webhook), { set: { held_until: until } }, free)) !== undefined;
}

/** Marks that somebody gets the letter about a webhook that is off; false where they have got it, or it is on again. */
export async function claimNotice(table: Table, place: Place, user: string): Promise<boolean> {
  const only: Condition = {
    condition:
      'active = :off AND attribute_exists(switched_off) AND (attribute_not_exists(notified) OR NOT contains(notified, :user))',
    values: { ':off': false, ':user': user },
  };
  return (await updateItem(table, key(place), { add: { notified: new Set([user]) } }, only)) !== undefined;
}

/** Takes the mark back, since the letter was not sent. */
export const releaseNotice = (table: Table, place: Place, user: string): Promise<unknown> =>
  updateItem(table, key(place), { subtract: { notified: new Set([user]) } }, PRESENT);

/** Of a list that is deleted. True where there may be more. */
export async function purgeSome(table: Table, organization: number, list: string): Promise<boolean> {
  const ids = idsKey(organization, list);
  const more = await Promise.all([
    deletePage(table, partition(organization), prefix(list)),
    deletePage(table, ids.PK, ids.SK),
  ]);
  return more.includes(true);
}
