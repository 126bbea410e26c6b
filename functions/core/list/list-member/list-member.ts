import { inParallel } from '#core/parallel.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { memberId } from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Event } from '#core/storage/projection.ts';
import { getAll, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import {
  type AddedListMember,
  ALREADY_IN_LIST,
  type ChangedListMember,
  type ListMember,
  type ListMemberChange,
  type ListMemberRow,
  type ListMembersPage,
  type ListMembersQuery,
  type MemberActionResult,
  type MemberActions,
  type NewListMember,
} from '#shared/list-member.ts';
import { changed, entriesOf, type MetadataChange } from '#shared/metadata.ts';
import { BATCHED, eventType, type Happened, type WebhookEvent } from '#shared/webhook-events.ts';
import * as columnsStore from '../counts.ts';
import * as list from '../list.ts';
import { dateColumnsIn, moreOf } from './columns.ts';
import type * as listMember from './list-member.store.ts';
import { members, type RandomInt, subscribedMember } from './list-member.store.ts';
import type { Filter } from './matching.ts';
import * as pages from './pages.ts';
import { warningsOf } from './rows.ts';

type Reads = { table: Table };
type Needs = { table: Table; now: Date };

export type MemberWithList = {
  list: list.CountedList;
  key: recipientKey.RecipientKey;
  state: recipientStore.State & { membership: memberships.Membership };
};

/** The items of the list that the id of a member names: members are found in their own list only. */
export function keysOf(organizationId: number, id: string): Key[] {
  const parts = recipientKey.readMemberId(id);
  return parts ? list.keysOf(organizationId, parts.listId) : [];
}

export async function found({ table }: Reads, id: string, items: Item[]): Promise<MemberWithList> {
  const of = list.foundIn(items);
  if (!of) throw memberships.memberNotFound();
  return memberOf({ table }, of, id);
}

async function memberOf({ table }: Reads, of: list.CountedList, id: string): Promise<MemberWithList> {
  const parts = recipientKey.readMemberId(id);
  if (parts?.listId !== of.id) throw memberships.memberNotFound();
  const key = { organization: of.organization_id, hash: parts.hash };
  const state = await recipientStore.read(table, key, of.id);
  if (!state.membership) throw memberships.memberNotFound();
  return { list: of, key, state: { ...state, membership: state.membership } };
}

export async function find({ table }: Reads, organizationId: number, id: string): Promise<MemberWithList> {
  return found({ table }, id, await getAll(table, keysOf(organizationId, id)));
}

export async function page(
  needs: Reads,
  of: list.CountedList,
  query: ListMembersQuery,
  filter?: Filter | null,
): Promise<ListMembersPage> {
  const { rows, ...found } = await pages.readPage(needs, of, query, filter);
  const { columns = [], status } = query;
  // The index has no suppressions, so they are read for unsubscribed members only.
  const seesMore = columns.length > 0 || status === 'unsubscribed';
  const more = seesMore ? await moreOf(needs.table, of, rows, columns) : undefined;
  return { ...found, data: rows.map(row => ({ ...shownRow(of.id, row), ...more?.(row) })) };
}

export const notFound = memberships.memberNotFound;

export async function firstWith(
  { table }: Reads,
  { id, name }: Pick<list.CountedList, 'id' | 'name'>,
  prefix: string,
  limit: number,
): Promise<{ id: string; email: string; list_name: string }[]> {
  const rows = await members(table, id, { ...(prefix && { prefix }), limit });
  return rows.map(({ email }) => ({
    id: recipientKey.memberId(id, recipientKey.hashOf(email)),
    email,
    list_name: name,
  }));
}

export async function anySubscribed(
  { table }: Reads,
  of: list.CountedList,
  randomInt: RandomInt,
): Promise<MemberWithList | undefined> {
  const row = await subscribedMember(table, of, randomInt);
  const id = row && recipientKey.memberId(of.id, recipientKey.hashOf(row.email));
  return id === undefined ? undefined : find({ table }, of.organization_id, id);
}

export const shownRow = (
  listId: string,
  { email, status, created_at, updated_at }: listMember.IndexRow,
): ListMemberRow => ({
  id: recipientKey.memberId(listId, recipientKey.hashOf(email)),
  email,
  is_subscribed: status === 'subscribed',
  created_at,
  updated_at,
});

/** Adds a member by hand. The member is unsubscribed if they unsubscribed before or are suppressed. */
export async function add(
  needs: Needs,
  organizationId: number,
  fields: NewListMember,
): Promise<AddedListMember> {
  const { table, now } = needs;
  const to = await list.lookUp({ table }, organizationId, fields.email_list_id);
  if (!to) throw invalid('email_list_id', 'Email list not found');
  await insertColumns(needs, to, fields.metadata);
  const key = recipientKey.keyOf(organizationId, fields.email);
  const known = await recipientStore.read(table, key, to.id);
  const wanted = { ...fields, metadata: changed({}, fields.metadata) };
  const newMembership = (state: recipientStore.State) => {
    if (state.membership) throw invalid('email', ALREADY_IN_LIST);
    return memberships.newMembership(now, to.id, wanted, state);
  };
  const current = async () => {
    const decide = (state: recipientStore.State) => ({ membership: newMembership(state) });
    return (await recipient.change(needs, key, to.id, decide)).after;
  };
  const joining = { key, membership: newMembership(known) };
  const [membership] = known.left
    ? [await current()]
    : await recipient.insertMemberships<typeof joining, memberships.Unwritten | undefined>(needs, [joining], {
        onInserted: join => join.membership,
        onConflict: current,
      });
  await list.requireNotDeleted({ table, now }, to);
  return { ...shown(to, { head: known.head, membership }), ...warningsField(fields) };
}

async function insertColumns(
  needs: Needs,
  { id }: list.CountedList,
  metadata: MetadataChange,
): Promise<void> {
  const refused = await columnsStore.insertColumns(needs, id, dateColumnsIn(metadata));
  if (refused.size > 0) throw columnsStore.placeRefusal(refused);
}

export async function change(
  needs: Needs,
  { list: of, key, state }: MemberWithList,
  to: ListMemberChange,
): Promise<ChangedListMember> {
  if (to.metadata) await insertColumns(needs, of, to.metadata);
  const decide = (state: recipientStore.State) => memberships.membershipChange(needs.now, state, to, 'app');
  const { before, after } = await recipient.change(needs, key, of.id, decide, state);
  const was_subscribed = before.membership?.status === 'subscribed';
  return { ...shown(of, { head: before.head, membership: after }), was_subscribed, ...warningsField(to) };
}

function warningsField({ metadata = {} }: ListMemberChange): Pick<AddedListMember, 'warnings'> {
  const warnings = warningsOf(metadata, 'metadata.');
  return Object.keys(warnings).length > 0 ? { warnings } : {};
}

export async function remove(needs: Needs, { list: of, key, state }: MemberWithList): Promise<void> {
  await recipient.leave(needs, key, of.id, 'app', state);
}

const MOST_AT_ONCE = 20;

type ManyNeeds = Needs & { hasTimeLeft: () => boolean; failed: (what: string, error: unknown) => void };

/** Changes or removes members of a list, each by itself. Repeating the call changes nothing more. */
export const changeMany = (
  needs: ManyNeeds,
  of: list.CountedList,
  { action, ids }: MemberActions,
): Promise<MemberActionResult[]> =>
  inParallel([...new Set(ids)], MOST_AT_ONCE, async id => ({
    id,
    ...(await outcome(needs, of, action, id)),
  }));

async function outcome(
  needs: ManyNeeds,
  of: list.CountedList,
  action: MemberActions['action'],
  id: string,
): Promise<Omit<MemberActionResult, 'id'>> {
  if (!needs.hasTimeLeft()) return { status: 'failed' };
  try {
    const member = await memberOf(needs, of, id);
    if (action === 'delete') {
      await remove(needs, member);
      return { status: 'changed' };
    }
    const is_subscribed = action === 'subscribe';
    const { was_subscribed } = await change(needs, member, { is_subscribed });
    return { status: was_subscribed === is_subscribed ? 'unchanged' : 'changed' };
  } catch (error) {
    if (error instanceof Refusal) {
      return { status: error.reason === 'not-found' ? 'not_found' : 'rejected', message: error.message };
    }
    needs.failed('a member could not be changed', error);
    return { status: 'failed' };
  }
}

type Shown = { head: recipientStore.State['head']; membership: memberships.Unwritten | undefined };

export function shown(of: list.CountedList, { head, membership }: Shown): ListMember {
  if (!membership) throw memberships.memberNotFound();
  const metadata = entriesOf(membership.metadata);
  return {
    ...shownRow(of.id, membership),
    email_list_id: of.id,
    email_list: { id: of.id, name: of.name },
    metadata,
    metadata_json: JSON.stringify(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))),
    suppression: head?.suppression ?? null,
  };
}

type Membership = { status: string; updated_at: string; revision: string; by?: string | undefined };
type Change = {
  organization_id: number;
  list_id: string;
  hash: string;
  before: Membership | undefined;
  after: Membership | undefined;
};

/** For any other cause the member unsubscribed, or was unsubscribed by a user or a program. */
const BY: Record<string, WebhookEvent> = { bounce: 'bounced', complaint: 'complained' };

/** Ids are made of the revision, so that a repetition has the same. Addresses are left out, as people may be erased. */
export function listMemberEvents({ organization_id, list_id, hash, before, after }: Change): Event[] {
  if (!after || after.status === before?.status) return [];
  const { status, updated_at: at, revision, by: source } = after;
  const list_member_id = memberId(list_id, hash);
  const about = { id: `${list_member_id}-${revision}`, organization_id, email_list_id: list_id };
  if (status === 'subscribed') {
    const happened: Happened = { member: list_member_id, at, of: revision };
    return [{ type: BATCHED, detail: { ...about, event: 'subscribed', happened } }];
  }
  if (before?.status !== 'subscribed' || status !== 'unsubscribed') return [];
  const detail = { ...about, list_member_id, unsubscribed_at: at, source };
  return [{ type: eventType(BY[source ?? ''] ?? 'unsubscribed'), detail }];
}
