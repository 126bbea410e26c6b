import type { Logo } from '#core/storage/logo.ts';
import {
  fromItem,
  getAll,
  getStored,
  type Item,
  queryPage,
  queryPartition,
  type Reading,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  conditionCheck,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWith,
  type Write,
} from '#core/storage/write.store.ts';
import type { DomainCheck } from '#shared/domain-check.ts';
import type { TrackingStatus } from '#shared/identity.ts';
import type { Region } from '#shared/list.ts';
import type { ProviderName } from '#shared/providers.ts';
import type { WarmUp } from '#shared/warm-up.ts';
import { type Counts, countsKey, listNotFound, NO_MEMBERS } from './counts.ts';

export type StoredList = Logo & {
  id: string;
  organization_id: number;
  name: string;
  /** The name that recipients see; without it, the name of the sender. */
  public_name?: string | null;
  domain: string;
  sender_name: string;
  sender_address: string;
  unsubscribe_text: string;
  /** If it has none, the time zone of the organization. */
  time_zone?: string | null;
  active: boolean;
  /** When it was last switched on. Emails that were due before are not sent. */
  active_since?: string;
  created_at: string;
  reply_to?: string | null;
  provider?: ProviderName;
  second_provider?: ProviderName | null;
  region: Region;
  /** Not stored with it: whether its domain is verified as that of its organization, for a provider that needs it. */
  is_verified?: boolean;
  /** Encrypted, like the signing key. */
  sending_key?: string;
  signing_key?: string;
  /** Names the key that signed a test email. */
  dkim?: { domain: string; selector: string };
  domain_check?: Pick<DomainCheck, 'checked_at' | 'findings'>;
  connection?: { tested_at: string; valid: boolean };
  /** The provider accepts its emails and delivers none of them. Only a command of the operator sets it. */
  test_mode?: true;
  /** Until then nothing is posted by its provider, since that has refused requests for the list. */
  paused_until?: string;
  second_paused_until?: string;
  /** Its provider has sent nothing since then. */
  failing?: Failing;
  /** As it is on the day on which it was last used. Without it, nothing limits the emails of a day. */
  warm_up?: WarmUp;
  tracking_domain?: TrackingState;
  /** The version of its look; without one, it has that of its organization. */
  look?: string;
};
export type TrackingState = {
  domain: string;
  status: Exclude<TrackingStatus, 'unavailable' | 'unclaimed'>;
  /** Whether the last check has found its record, and else where its record leads. */
  found?: boolean;
  leads_to?: string;
  checked_at?: string;
};
export type Failing = { reason: 'denied' | 'throttled' | 'unreachable'; since: string; tried_at: string };
export type CountedList = StoredList & { counts: Counts };

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({ PK: partition(organization), SK: `LIST#${id}` });

export const keysOf = (organization: number, id: string) => [key(organization, id), countsKey(id)];

export function fromItems(items: Item[]): CountedList | undefined {
  const counts = items.find(({ SK }) => SK === 'COUNTS');
  const found = items.find(({ SK }) => String(SK).startsWith('LIST#'));
  return found && { ...fromItem<StoredList>(found), counts: countsOf(counts) };
}

const countsOf = (item: Item | undefined) => (item ? fromItem<Counts>(item) : NO_MEMBERS);

/** The counts have a partition of their own, so their condition shows that no organization has a list with this id. */
export const createWrites = (table: Table, created: StoredList): Write[] => [
  putWrite(table, { ...key(created.organization_id, created.id), ...created }, ABSENT),
  putWrite(table, { ...countsKey(created.id), ...NO_MEMBERS }, ABSENT),
];

export const read = async (table: Table, organization: number, id: string) =>
  fromItems(await getAll(table, keysOf(organization, id)));

/** Reads the list again. Throws 404 if it was deleted since it was read. */
export async function readExisting(table: Table, { organization_id, id }: StoredList): Promise<CountedList> {
  const list = await read(table, organization_id, id);
  if (list) return list;
  throw listNotFound();
}

export const presentCheck = (
  table: Table,
  { organization_id, id }: Pick<StoredList, 'organization_id' | 'id'>,
): Write => conditionCheck(table, key(organization_id, id), PRESENT);

export type Named = { organization: number; id: string };

/** The lists that exist, without their counts. They may belong to different organizations. */
export const readNamed = (table: Table, wanted: Named[], reading?: Reading): Promise<StoredList[]> =>
  getStored(
    table,
    wanted.map(({ organization, id }) => key(organization, id)),
    reading,
  );

export const readThese = (table: Table, organization: number, ids: string[]): Promise<StoredList[]> =>
  readNamed(
    table,
    ids.map(id => ({ organization, id })),
  );

export const readCounted = async (table: Table, organization: number, ids: string[]) =>
  counted(table, await readThese(table, organization, ids));

export const readAllUncounted = async (table: Table, organization: number) =>
  (await queryPartition(table, partition(organization), 'LIST#')).map(fromItem<StoredList>);

export const readAll = async (table: Table, organization: number) =>
  counted(table, await readAllUncounted(table, organization));

async function counted(table: Table, lists: StoredList[]): Promise<CountedList[]> {
  const counts = await getAll(
    table,
    lists.map(({ id }) => countsKey(id)),
  );
  const byList = new Map(counts.map(item => [item.PK, item]));
  return lists.map(found => ({ ...found, counts: countsOf(byList.get(countsKey(found.id).PK)) }));
}

export async function firstLists(table: Table, organization: number) {
  const { items, more } = await queryPage(table, partition(organization), 'LIST#');
  return { lists: items.map(fromItem<StoredList>), more };
}

type Fields = Partial<Omit<StoredList, 'id' | 'organization_id'>>;
type Field = keyof Fields;
type Change = { set?: Fields; drop?: Field[]; provided?: Field[]; others?: Write[] };

/** Returns undefined if the list is deleted, or if a field in `provided` was changed since it was read. */
export async function change(
  table: Table,
  before: StoredList,
  { set = {}, drop = [], provided = [], others = [] }: Change,
): Promise<StoredList | undefined> {
  const only = unchanged(before, provided);
  const item = await updateWith(table, key(before.organization_id, before.id), { set, drop }, only, others);
  return storedOf(item);
}

/** Pauses posting by one of its providers until an instant. If the provider has named several, the latest one holds. */
export const pause = (
  table: Table,
  { organization_id, id }: StoredList,
  until: Date,
  field: 'paused_until' | 'second_paused_until' = 'paused_until',
) =>
  updateItem(
    table,
    key(organization_id, id),
    { set: { [field]: until.toISOString() } },
    {
      condition: `${PRESENT.condition} AND (attribute_not_exists(#until) OR #until < :until)`,
      names: { '#until': field },
      values: { ':until': until.toISOString() },
    },
  );

/** Before emails show its logo. Returns undefined if the list has another one by now, or is deleted. */
export const keepLogo = (table: Table, list: StoredList) =>
  updateItem(
    table,
    key(list.organization_id, list.id),
    { set: { logo_sent: list.logo } },
    unchanged(list, ['logo']),
  );

/** Deletes the list. Fails if it is deleted already, or if its logo was changed or sent: the purge must know the file to delete. */
export const deletionWrite = (table: Table, list: StoredList): Write =>
  deleteWrite(table, key(list.organization_id, list.id), unchanged(list, ['logo', 'logo_sent']));
