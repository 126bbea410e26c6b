import { type Audience, firstMismatch } from '#shared/audience.ts';
import type { ChangedListMember, ListMember } from '#shared/list-member.ts';
import type { MemberImport } from '#shared/member-import.ts';
import { personName } from '#shared/person-name.ts';
import type { Answer } from '#shared/routes.ts';
import { metadataOf } from '#web/entities/list-member/metadata-value.ts';
import type { Answers } from './api.ts';
import { ada, list, sendsPage } from './examples.ts';

export type Members = Answer<'GET /api/email-lists/{list}/members'>;
type Metadata = Record<string, string>;

export const person = (name: string, metadata: Metadata = {}): ListMember => ({
  ...ada,
  id: name,
  email: `${name}@example.com`,
  metadata: Object.entries(metadata).map(([key, value]) => ({ key, type: 'string', value })),
});

export const people = (count: number) =>
  Array.from({ length: count }, (_, index) => person(`person${index + 10}`));

export const memberPage = (member: ListMember = ada): Answers => ({
  'GET /api/list-members/{listMember}': member,
  'GET /api/list-member-actions': [],
  'GET /api/automations-for-templates': [],
  'GET /api/email-sends': sendsPage([]),
});

const WHEN = { at: new Date(0), zone: { localTime: (at: number) => at, instantOf: () => 0 } };
const isMatch = (audience: Audience, { metadata, ...member }: ListMember) =>
  !firstMismatch(audience, { ...member, metadata: metadataOf(metadata), lists: new Set() }, WHEN);

const PER_PAGE = 10;

export function pageOf(members: ListMember[], query: URLSearchParams): Members {
  const [search, status, audience] = ['search', 'status', 'audience'].map(name => query.get(name));
  const by = query.get('sort') === 'created_at' ? 'created_at' : 'email';
  const columns = query.get('columns')?.split(',') ?? [];
  const size = Number(query.get('per_page') ?? PER_PAGE);
  const all = members.filter(one => !status || one.is_subscribed === (status === 'subscribed'));
  const found = all
    .filter(one => one.email.includes(search ?? '') && (!audience || isMatch(JSON.parse(audience), one)))
    .toSorted((a, b) => a[by].localeCompare(b[by]));
  if (query.get('direction') === 'desc') found.reverse();
  const last_page = Math.max(1, Math.ceil(found.length / size));
  const page = Math.min(Number(query.get('page') ?? 1), last_page);
  const isPartial = [search, status, audience].some(asked => asked !== null);
  return {
    data: found
      .slice((page - 1) * size, page * size)
      .map(one => ({
        ...one,
        metadata: one.metadata.filter(({ key }) => columns.includes(key)),
        name: columns.length > 0 ? (personName(metadataOf(one.metadata)) ?? null) : undefined,
      })),
    current_page: page,
    last_page,
    total: all.length,
    found: isPartial ? found.length : null,
    previous_cursor: page > 1 ? `before ${page}` : null,
    next_cursor: page < last_page ? `after ${page}` : null,
    searched: isPartial ? { members: members.length, of: members.length, complete: true } : null,
  };
}

export const memberImport: MemberImport = {
  id: 'i1',
  email_list_id: 'l1',
  file_name: 'people.csv',
  size: 10,
  fingerprint: '',
  columns: [],
  mode: 'update',
  as: 'subscribed',
  start_nothing: false,
  consent: null,
  state: 'running',
  total_rows: 2,
  done_rows: 0,
  counts: { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0, stays_unsubscribed: 0 },
  undo: null,
  created_at: '2030-01-01T00:00:00Z',
  updated_at: '2030-01-01T00:00:00Z',
};

/** A list whose members can be changed. */
export function fakeMembers(members: ListMember[]) {
  const stored = new Map(members.map(member => [member.id, member]));
  const names = (is_subscribed: boolean) =>
    [...stored.values()].filter(one => one.is_subscribed === is_subscribed).map(({ id }) => id);
  const answers = {
    'GET /api/email-lists/{list}': () => ({
      ...list,
      members_count: stored.size,
      total_members: stored.size,
    }),
    'GET /api/email-lists/{list}/metadata-columns': {
      columns: [],
      values: {},
      searched: { members: members.length, of: members.length, complete: true },
    },
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    'GET /api/email-lists/{list}/members': ({ query }) => pageOf([...stored.values()], query),
    'PUT /api/list-members/{listMember}': ({ params, body }): ChangedListMember => {
      const before = stored.get(params.listMember) ?? person(params.listMember);
      const after = { ...before, is_subscribed: body.is_subscribed ?? before.is_subscribed };
      stored.set(before.id, after);
      return { ...after, was_subscribed: before.is_subscribed };
    },
    'POST /api/email-lists/{list}/members/actions': ({ body: { action, ids } }) => ({
      results: ids.map(id => {
        const before = stored.get(id);
        if (!before) return { id, status: 'not_found' as const, message: 'Member not found' };
        const isSubscribed = action === 'subscribe';
        if (action === 'delete') stored.delete(id);
        else stored.set(id, { ...before, is_subscribed: isSubscribed });
        const isChanged = action === 'delete' || before.is_subscribed !== isSubscribed;
        return { id, status: isChanged ? ('changed' as const) : ('unchanged' as const) };
      }),
    }),
    'DELETE /api/list-members/{listMember}': ({ params }) => void stored.delete(params.listMember),
  } satisfies Answers;
  return { answers, subscribed: () => names(true), unsubscribed: () => names(false), stored };
}
