import {
  ALREADY_IN_LIST,
  type ListMember,
  type ListMemberChange,
  type MemberAction,
  type MemberRow,
  type MembersPage,
  type MembersQuery,
  type NewListMember,
} from '../../../shared/list-member.ts';
import { changed, entriesOf } from '../../../shared/metadata.ts';
import * as list from '../list/list.ts';
import * as recipient from '../recipient/recipient.ts';
import { invalid } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import { beginning, notFound, turned } from './membership.ts';
import * as pages from './pages.ts';

export { upsertAll } from './upsert.ts';

type Needs = { table: Table; now: Date };

const idOf = (listId: string, hash: string) => `${listId}-${hash}`;

export async function page(
  needs: { table: Table },
  of: list.Found,
  query: MembersQuery,
): Promise<MembersPage> {
  const { rows, ...found } = await pages.page(needs, of, query);
  return { ...found, data: rows.map(row => rowShown(of.id, row)) };
}

const rowShown = (listId: string, { email, status, created_at, updated_at }: pages.Row): MemberRow => ({
  id: idOf(listId, recipient.hashOf(email)),
  email,
  is_subscribed: status === 'subscribed',
  created_at,
  updated_at,
});

/** Adds somebody by hand. Whoever unsubscribed before, or cannot be mailed any more, is added as unsubscribed. */
export async function add(needs: Needs, organizationId: number, fields: NewListMember): Promise<ListMember> {
  const { table, now } = needs;
  const to = await list.lookUp({ table }, organizationId, fields.email_list_id);
  if (!to) throw invalid('email_list_id', 'Email list not found');
  const person = { organization: organizationId, hash: recipient.hashOf(fields.email) };
  const known = await recipient.read(table, person, to.id);
  const wanted = { ...fields, metadata: changed({}, fields.metadata) };
  const begin = (state: recipient.State) => {
    if (state.membership) throw invalid('email', ALREADY_IN_LIST);
    return beginning(needs, to.id, wanted, state);
  };
  const newcomer = { person, membership: begin(known) };
  const [isIn] = known.left ? [] : await recipient.enterAll(table, [newcomer]);
  const membership = isIn ? newcomer.membership : await turnedInto(needs, newcomer, begin);
  await list.purgeIfGone({ table, now }, to);
  return shown(to, { ...known, membership });
}

/** For somebody of whom something stood in the list: whatever stands now decides. */
async function turnedInto(
  needs: Needs,
  newcomer: recipient.Newcomer,
  begin: (state: recipient.State) => recipient.Newcomer['membership'],
) {
  const { person, membership } = newcomer;
  try {
    const { list_id } = membership;
    return (await recipient.turn(needs, person, list_id, state => ({ membership: begin(state) }))).after;
  } finally {
    await recipient.leaveAlone(needs.table, newcomer);
  }
}

type Place = { of: list.Found; person: recipient.Person };

/** A member whom the caller named by their id; nothing of another organization can be named. */
async function placeOf({ table }: { table: Table }, organizationId: number, id: string): Promise<Place> {
  const [listId = '', hash = ''] = [id.slice(0, id.indexOf('-')), id.slice(id.indexOf('-') + 1)];
  const of = recipient.isHash(hash) ? await list.lookUp({ table }, organizationId, listId) : undefined;
  if (!of) throw notFound();
  return { of, person: { organization: organizationId, hash } };
}

export async function find(
  { table }: { table: Table },
  organizationId: number,
  id: string,
): Promise<ListMember> {
  const { of, person } = await placeOf({ table }, organizationId, id);
  return shown(of, await recipient.read(table, person, of.id));
}

export async function change(
  needs: Needs,
  organizationId: number,
  id: string,
  to: () => ListMemberChange,
): Promise<ListMember> {
  const { of, person } = await placeOf(needs, organizationId, id);
  shown(of, await recipient.read(needs.table, person, of.id));
  const wanted = to();
  const { before, after } = await recipient.turn(needs, person, of.id, state => {
    if (!state.membership) throw notFound();
    return turned(needs, state, wanted, 'app');
  });
  return shown(of, { ...before, membership: after });
}

/** The person's journal stays, so that who unsubscribed is not mailed by being added again. */
export async function remove(needs: Needs, organizationId: number, id: string): Promise<void> {
  const { of, person } = await placeOf(needs, organizationId, id);
  await recipient.turn(needs, person, of.id, ({ membership }) => {
    if (!membership) throw notFound();
    const { list_id, created_at: since } = membership;
    return { membership: undefined, entry: { type: 'removed', list_id, since, by: 'app' } };
  });
}

const MOST_ACTIONS = 200;
const SOURCES: Record<recipient.Source, string> = { app: 'Changed in the app', api: 'Changed by the API' };
const ACTIONS = { subscribed: 'subscribe', unsubscribed: 'unsubscribe' } as const;

/** What happened with a member, newest first, down to when they were added. */
export async function actions(
  { table }: { table: Table },
  organizationId: number,
  id: string,
): Promise<MemberAction[]> {
  const { of, person } = await placeOf({ table }, organizationId, id);
  const { membership } = await recipient.read(table, person, of.id);
  if (!membership) throw notFound();
  // The journal of an address goes on where it was removed and is added again: what lies before is another membership.
  const wanted = { list_id: of.id, since: membership.created_at, most: MOST_ACTIONS };
  const entries = await recipient.journal(table, person, wanted);
  const events = entries.flatMap(({ seq, type, at, by }): MemberAction[] => {
    if (type !== 'subscribed' && type !== 'unsubscribed') return [];
    return [
      {
        id: `${id}-${seq}`,
        type: ACTIONS[type],
        created_at: at,
        metadata: by ? { source: by } : {},
        formatted_metadata: { ...(by && { source: SOURCES[by] }) },
      },
    ];
  });
  const isWhole = entries.length < MOST_ACTIONS;
  return isWhole ? [...events, added(id, membership, events)].filter(action => action !== undefined) : events;
}

function added(
  id: string,
  { status, created_at }: recipient.Membership,
  since: MemberAction[],
): MemberAction | undefined {
  const first = since.at(-1);
  const began = first ? (first.type === 'unsubscribe' ? 'subscribed' : 'unsubscribed') : status;
  return began === 'subscribed'
    ? { id: `${id}-0`, type: 'subscribe', created_at, metadata: {}, formatted_metadata: { source: 'Added' } }
    : undefined;
}

type Shown = { head: recipient.State['head']; membership: recipient.Newcomer['membership'] | undefined };

export function shown(of: list.Found, { head, membership }: Shown): ListMember {
  if (!membership) throw notFound();
  const metadata = entriesOf(membership.metadata);
  return {
    ...rowShown(of.id, membership),
    email_list_id: of.id,
    email_list: { id: of.id, name: of.name },
    metadata,
    metadata_json: JSON.stringify(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))),
    suppression: head?.suppression ?? null,
  };
}

/** Deletes some of the members of a deleted list; true where there may be more. */
export async function purgeSome(table: Table, organization: number, listId: string): Promise<boolean> {
  const rows = await pages.some(table, listId);
  const people = rows.map(({ email }) => ({ organization, hash: recipient.hashOf(email) }));
  await recipient.purgeMemberships(table, people, listId);
  return rows.length > 0;
}
