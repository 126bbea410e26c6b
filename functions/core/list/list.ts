import { isId, newId } from '#core/id.ts';
import type * as organization from '#core/organization/organization.ts';
import * as quota from '#core/organization/quota.ts';
import { type Changing, recordedChange } from '#core/organization/record.ts';
import { switchWrites } from '#core/organization/switches.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { switchedOnWrite } from '#core/sources/source.ts';
import { dataUrlOf, type ImageRules, LOGO_RULES, readImage } from '#core/storage/image.ts';
import type { Objects } from '#core/storage/logo.ts';
import * as logo from '#core/storage/logo.ts';
import * as purge from '#core/storage/purge-request.ts';
import { getAll, type Item, type Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  definedFields,
  optimistically,
  type Write,
} from '#core/storage/write.store.ts';
import type { Automation } from '#shared/automation.ts';
import {
  type DatetimeColumns,
  DEFINED,
  domainMismatch,
  type EmailList,
  type ListChange,
  type ListSummary,
  LOGO_WRONG_TYPE,
  type NewList,
  SAME_PROVIDER,
  sendsFrom,
} from '#shared/list.ts';
import { byName } from '#shared/names.ts';
import { may, type Role } from '#shared/permissions.ts';
import { providerOf, providersOf } from '#shared/providers.ts';
import { allowanceOf, beginWarmUp, warmUpAt } from '#shared/warm-up.ts';
import { columns, listNotFound, NO_MEMBERS } from './counts.ts';
import { verifiedOf, withVerified } from './identity.store.ts';
import * as store from './list.store.ts';
import { isRefused, lackOf } from './providers.ts';

export const UNCHANGED_KEY = DEFINED;

type Reads = { table: Table };
/** `role`: of the user; without one, the product itself. */
type Needs = Changing & { role?: Role };

export type CountedList = store.CountedList;

/** A list as users see it, without the address that depends on where the product is deployed. */
type Shown = Omit<EmailList, 'provider_events_url'>;

export const eventsUrl = (publicUrl: string, organizationId: number, id: string) =>
  `${publicUrl}/t/e/${organizationId}/${id}`;

/** The keys of the list that a caller names; none if the text cannot be an id. */
export const keysOf = (organizationId: number, id: string) =>
  isId(id) ? store.keysOf(organizationId, id) : [];

export const foundIn = (items: Item[]): CountedList | undefined => store.fromItems(items);

export function found(items: Item[]): CountedList {
  const list = foundIn(items);
  if (list) return list;
  throw listNotFound();
}

export const lookUp = async ({ table }: Reads, organizationId: number, id: string) =>
  foundIn(await getAll(table, keysOf(organizationId, id)));

export async function listOf({ table, now }: Needs, organizationId: number): Promise<Shown[]> {
  const lists = await withVerified(table, await store.readAll(table, organizationId));
  return lists.map(list => shown(list, now)).sort(byName);
}

type Option = Automation['email_lists'][number];

export async function options(
  table: Table,
  organizationId: number,
  ids: string[],
): Promise<Map<string, Option>> {
  const lists = await withVerified(table, await store.readThese(table, organizationId, ids));
  return new Map(lists.map(list => [list.id, optionOf(list)]));
}

function optionOf(list: store.StoredList): Option {
  const { id, name, domain } = list;
  const paused = !list.active ? 'inactive' : (lackOf(list) ?? (isRefused(list) ? 'key_refused' : undefined));
  return { id, name, domain, ...(paused && { paused }) };
}

export async function create(
  needs: Needs,
  { organization: { id: organization_id }, membership: { role } }: organization.Active,
  { warm_up, ...fields }: NewList,
): Promise<Shown> {
  const { table, now } = needs;
  const created: store.StoredList = {
    id: newId(),
    organization_id,
    ...fields,
    ...(warm_up === 'on' && { warm_up: beginWarmUp(now) }),
    created_at: now.toISOString(),
    region: 'us',
  };
  await requireWarm({ table, now, role }, created);
  const writes = [
    quota.reserveQuotaWrite(table, organization_id, ['lists']),
    ...store.createWrites(table, created),
    ...switchedWrites(needs, created, { from: false, to: created.active }),
    ...recordedWrites(needs, undefined, created),
  ];
  if (!(await conditionsHeld(commit(table, writes)))) {
    await quota.requireQuota({ table }, organization_id, ['lists']);
    throw new Refusal('conflict', 'The email list could not be created. Please try again.');
  }
  return detail(needs, { ...created, counts: NO_MEMBERS });
}

/** Changes a list. Sender and domain must match even if two requests change one each at the same time. */
export const change = (needs: Needs, list: CountedList, to: ListChange): Promise<Shown> =>
  optimistically({
    known: list,
    read: () => store.readExisting(needs.table, list),
    write: async before => {
      if (Object.values(to).every(value => value === undefined)) return detail(needs, before);
      const { table, now } = needs;
      const after = changed(before, to, now);
      if (before.warm_up && !after.warm_up) requireMayEnd(before, needs);
      if (after.domain !== before.domain) await requireWarm(needs, after);
      const isSwitchedOn = after.active && !before.active;
      const isOtherWarmUp = after.warm_up !== before.warm_up;
      const { warm_up: _, ...fields } = to;
      const written = await store.change(table, before, {
        set: {
          ...fields,
          ...(isOtherWarmUp && { warm_up: after.warm_up }),
          ...(isSwitchedOn && { active_since: now.toISOString() }),
        },
        // The connection was tested for the domain before; pauses and failures are those of the providers before.
        drop: [
          'domain_check',
          ...(after.domain === before.domain ? [] : (['connection', 'dkim'] as const)),
          ...(haveSameProviders(before, after) ? [] : OF_PROVIDERS),
          ...(isOtherWarmUp && !after.warm_up ? (['warm_up'] as const) : []),
        ],
        provided: [
          ...(['domain', 'sender_address', 'active', 'provider', 'second_provider'] as const),
          ...(isOtherWarmUp ? (['warm_up'] as const) : []),
          // What the record says was there before.
          ...(Object.keys(definedFields(fields)) as (keyof typeof fields)[]),
        ],
        others: [
          ...recordedWrites(needs, before, after),
          ...switchedWrites(needs, before, { from: before.active, to: after.active }),
          ...(isSwitchedOn ? [switchedOnWrite(table, before.organization_id, before.id, now)] : []),
        ],
      });
      return written && detail(needs, { ...written, counts: before.counts });
    },
    conflict: CONFLICT,
  });

/** Without it, providers may refuse all emails of the domain. */
function requireMayEnd({ warm_up }: store.StoredList, { role = 'OWNER', now }: Needs): void {
  if (may(role, 'warm-up:end') || !warmUpAt(warm_up, now)) return;
  throw new Refusal('forbidden', 'Only the owner of the organization may end a warm-up before it is over.');
}

/** A list without a warm-up does not end that of its domain. */
async function requireWarm({ table, role = 'OWNER', now }: Needs, list: store.StoredList): Promise<void> {
  if (list.warm_up || may(role, 'warm-up:end')) return;
  const lists = await store.readAllUncounted(table, list.organization_id);
  const other = lists.find(({ domain, warm_up }) => domain === list.domain && warmUpAt(warm_up, now));
  if (!other) return;
  const says = `${list.domain} is in warm-up by “${other.name}”. Switch it on for this list too, or ask the owner of the organization.`;
  throw new Refusal('forbidden', says);
}

const OF_PROVIDERS = ['paused_until', 'second_paused_until', 'failing'] as const;

const haveSameProviders = (a: store.StoredList, b: store.StoredList) =>
  providersOf(a).join() === providersOf(b).join();

/** A list after a change, checked but not stored. */
export function changed(
  before: store.StoredList,
  { warm_up, ...to }: ListChange,
  now: Date,
): store.StoredList {
  const kept = warm_up === 'off' ? undefined : before.warm_up;
  const begun = warm_up === 'on' && !warmUpAt(kept, now) ? beginWarmUp(now) : kept;
  const { warm_up: _, ...rest } = before;
  const after: store.StoredList = { ...rest, ...definedFields(to), ...(begun && { warm_up: begun }) };
  if (!sendsFrom(after.sender_address, after.domain)) {
    throw invalid('sender_address', domainMismatch(after.domain));
  }
  if (after.second_provider === providerOf(after)) throw invalid('second_provider', SAME_PROVIDER);
  const { connection, ...others } = after;
  return {
    ...others,
    ...(after.active && !before.active && { active_since: now.toISOString() }),
    ...(connection && after.domain === before.domain && { connection }),
  };
}

/** Without `from` it is created, without `to` deleted. */
export const recordedWrites = (
  needs: Changing,
  from: store.StoredList | undefined,
  to?: store.StoredList,
): Write[] => recordedChange(needs, 'list', from && settingsOf(from), to && settingsOf(to));

const settingsOf = ({ warm_up, tracking_domain, ...list }: store.StoredList) => ({
  ...list,
  warm_up: warm_up !== undefined,
  tracking_domain: tracking_domain?.domain,
});

const switchedWrites = (
  needs: Needs,
  { organization_id, id }: store.StoredList,
  change: { from: boolean; to: boolean },
): Write[] => switchWrites(needs, organization_id, `list#${id}`, change);

const LIST_LOGO: ImageRules = {
  ...LOGO_RULES,
  types: ['image/jpeg', 'image/png'],
  wrongType: LOGO_WRONG_TYPE,
};

export async function changeLogo(
  needs: Changing & { objects: Objects },
  list: CountedList,
  dataUrl: string | null,
): Promise<string | null> {
  const image = dataUrl === null ? undefined : readImage(dataUrl, LIST_LOGO);
  const { organization_id: organization, id } = list;
  const others = recordedWrites(needs, list, { ...list, logo: image && 'new' });
  const change = { organization, key: store.key(organization, id), before: list, image, others };
  if (!(await logo.changeLogo(needs, change))) throw listNotFound();
  return image ? dataUrlOf(image) : null;
}

export async function remove(needs: Needs, list: CountedList): Promise<void> {
  const writes = [
    ...switchedWrites(needs, list, { from: list.active, to: false }),
    ...recordedWrites(needs, list),
  ];
  if (!(await deleteUnlessGone(needs, list, writes))) throw listNotFound();
}

/** Deletes some of the lists of a deleted organization, each with a purge of its own. Returns true if there may be more. */
export async function purgeSome(needs: Needs, organizationId: number): Promise<boolean> {
  const { lists, more } = await store.firstLists(needs.table, organizationId);
  for (const list of lists) await deleteUnlessGone(needs, list);
  return more;
}

const deleteUnlessGone = (
  { table, now }: Needs,
  list: store.StoredList,
  others: Write[] = [],
): Promise<boolean> =>
  optimistically<store.StoredList | undefined, boolean>({
    known: list,
    read: () => store.read(table, list.organization_id, list.id),
    write: async current => {
      if (!current) return false;
      const writes = [
        store.deletionWrite(table, current),
        quota.freePlacesWrite(table, current.organization_id, ['lists']),
        purgeWrite(table, current, now),
        ...others,
      ];
      return (await conditionsHeld(commit(table, writes))) || undefined;
    },
    conflict: CONFLICT,
  });

const CONFLICT = 'Another change of this email list is under way. Please try again.';

const purgeWrite = (
  table: Table,
  { organization_id, id: list_id, logo, logo_sent }: store.StoredList,
  now: Date,
): Write =>
  purge.requestWrite(table, { organization_id, list_id, logo: logo === logo_sent ? undefined : logo }, now);

/** If the list was deleted while members were added, its purge may have missed them, and is requested again. */
export async function requireNotDeleted({ table, now }: Needs, list: store.StoredList): Promise<void> {
  if (await store.read(table, list.organization_id, list.id)) return;
  await commit(table, [purgeWrite(table, { ...list, logo: undefined }, now)]);
  throw listNotFound();
}

export async function datetimeColumns({ table }: Reads, { id }: store.StoredList): Promise<DatetimeColumns> {
  const counted = (await columns(table, id)).filter(({ members }) => members > 0);
  return {
    columns: counted.map(({ column }) => column),
    stats: Object.fromEntries(counted.map(({ column, members }) => [column, members])),
  };
}

export const fromHeader = ({ sender_name, sender_address }: store.StoredList) =>
  `"${sender_name.replace(/["\\]/g, '')}" <${sender_address}>`;

export const summarized = ({ id, name, public_name, domain, active, members_count }: Shown): ListSummary => ({
  id,
  name,
  public_name,
  domain,
  active,
  members_count,
});

export const detail = async ({ table, now }: Needs, list: CountedList): Promise<Shown> =>
  shown(await verifiedOf(table, list), now);

export function shown({ counts, connection, ...list }: CountedList, now: Date): Shown {
  const warmUp = warmUpAt(list.warm_up, now);
  return {
    id: list.id,
    name: list.name,
    public_name: list.public_name ?? null,
    domain: list.domain,
    active: list.active,
    logo: list.logo ?? null,
    time_zone: list.time_zone ?? null,
    sender_name: list.sender_name,
    sender_address: list.sender_address,
    unsubscribe_text: list.unsubscribe_text,
    reply_to: list.reply_to ?? null,
    provider: providerOf(list),
    second_provider: list.second_provider ?? null,
    domain_verified: list.is_verified ?? false,
    warm_up: warmUp ? 'on' : 'off',
    warm_up_progress: warmUp
      ? {
          step: warmUp.step + 1,
          steps: warmUp.steps.length,
          most_today: allowanceOf(warmUp),
          sent_today: warmUp.sent,
        }
      : null,
    mailgun_sending_key: list.sending_key ? DEFINED : null,
    mailgun_webhook_signing_key: list.signing_key ? DEFINED : null,
    mailgun_region: list.region,
    mailgun_connection_status: {
      last_tested_at: connection?.tested_at ?? null,
      connection_valid: connection?.valid ?? null,
    },
    members_count: counts.total,
    total_members: counts.total,
    subscribed_members: counts.subscribed,
    unsubscribed_members: counts.total - counts.subscribed,
    created_at: list.created_at,
  };
}
