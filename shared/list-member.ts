import * as z from 'zod/mini';
import { Address } from './address.ts';
import { AudienceText } from './audience-shapes.ts';
import { LONGEST_SEARCH } from './limits.ts';
import {
  DIRECTIONS,
  MEMBER_ACTIONS,
  MOST_COLUMNS,
  MOST_IDS,
  MOST_PER_PAGE,
  PAGE_SIZES,
  SORTS,
  STATUSES,
} from './members-page.ts';
import { faultOf } from './metadata.ts';
import { MetadataChange, MetadataEntry } from './metadata-shapes.ts';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';
import { EmailSendContent } from './send.ts';
import { SUPPRESSIONS } from './suppression.ts';
import { rowsOf } from './text.ts';

export const ListMemberRow = z.object({
  id: z.string(),
  email: z.string(),
  is_subscribed: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** The requested columns; absent without any. */
  metadata: z.optional(z.array(MetadataEntry)),
  /** As their metadata has it, whatever the columns; null if it has none, absent without columns. */
  name: z.optional(z.nullable(z.string())),
  /** Why they are suppressed; absent without columns, unless the call filters for unsubscribed members. */
  suppression: z.optional(z.nullable(z.enum(SUPPRESSIONS))),
});
export type ListMemberRow = z.infer<typeof ListMemberRow>;

export const ListMember = z.extend(ListMemberRow, {
  email_list_id: z.string(),
  email_list: z.object({ id: z.string(), name: z.string() }),
  metadata: z.array(MetadataEntry),
  metadata_json: z.string(),
  suppression: z.nullable(z.enum(SUPPRESSIONS)),
});
export type ListMember = z.infer<typeof ListMember>;

/** Warnings about fields that were stored in another way than the caller may expect; absent if there are none. */
const Warnings = z.optional(z.record(z.string(), z.array(z.string())));

export const AddedListMember = z.extend(ListMember, { warnings: Warnings });
export type AddedListMember = z.infer<typeof AddedListMember>;

/** `was_subscribed` is from before the change, so that undoing it does not subscribe anyone who had unsubscribed themselves. */
export const ChangedListMember = z.extend(AddedListMember, { was_subscribed: z.boolean() });
export type ChangedListMember = z.infer<typeof ChangedListMember>;

const Subscribed = z.boolean({ error: 'is_subscribed must be true or false' });

export const ALREADY_IN_LIST = 'This email is already in the list';

export const NewListMember = z.object({
  email_list_id: z.string({ error: 'The list is required' }).check(z.minLength(1, 'The list is required')),
  email: Address,
  is_subscribed: z._default(Subscribed, true),
  metadata: z._default(MetadataChange, {}),
});
export type NewListMember = z.infer<typeof NewListMember>;

export const ListMemberChange = z.object({
  is_subscribed: z.optional(Subscribed),
  metadata: z.optional(MetadataChange),
});
export type ListMemberChange = z.infer<typeof ListMemberChange>;

export const MemberActions = z.object({
  action: z.enum(MEMBER_ACTIONS, { error: 'action must be subscribe, unsubscribe or delete' }),
  ids: z
    .array(z.string(), { error: 'ids must be a list of ids of members' })
    .check(
      z.minLength(1, 'Send at least one id'),
      z.maxLength(MOST_IDS, `At most ${MOST_IDS} ids can be sent per call`),
    ),
});
export type MemberActions = z.infer<typeof MemberActions>;

export const MemberActionResult = z.object({
  id: z.string(),
  status: z.enum(['changed', 'unchanged', 'not_found', 'rejected', 'failed']),
  message: z.optional(z.string()),
});
export type MemberActionResult = z.infer<typeof MemberActionResult>;

const COLUMNS = `columns must be 1 to ${MOST_COLUMNS} keys of metadata, separated by commas`;
const Columns = z.pipe(
  z.string({ error: COLUMNS }),
  z.transform((text, context) => {
    const names = [...new Set(text.split(','))];
    if (names.length <= MOST_COLUMNS && names.every(name => !faultOf(name, true))) return names;
    context.issues.push({ code: 'custom', input: text, message: COLUMNS });
    return z.NEVER;
  }),
);

export const ListMembersQuery = z.object({
  page: z._default(whole('page', 1_000_000_000), 1),
  per_page: z._default(whole('per_page', MOST_PER_PAGE), PAGE_SIZES[0]),
  search: z.optional(
    z.string().check(z.maxLength(LONGEST_SEARCH, `search must be at most ${LONGEST_SEARCH} characters`)),
  ),
  status: z.optional(z.enum(STATUSES, { error: 'status must be subscribed or unsubscribed' })),
  /** A list of more than 10,000 members is sorted by email only, and a search or a filter in it only ascending. */
  sort: z.optional(z.enum(SORTS, { error: 'sort must be email or created_at' })),
  direction: z.optional(z.enum(DIRECTIONS, { error: 'direction must be asc or desc' })),
  columns: z.optional(Columns),
  /** Evaluated for today, in the time zone of the organization. */
  audience: z.optional(AudienceText),
  cursor: z.optional(z.string()),
});
export type ListMembersQuery = z.infer<typeof ListMembersQuery>;

const Searched = z.object({ members: z.int(), of: z.int(), complete: z.boolean() });

export const ListMembersPage = z.object({
  data: z.array(ListMemberRow),
  current_page: z.int(),
  last_page: z.int(),
  /** How many members of the list have the status, if the call filters by one. A search does not change it. */
  total: z.int(),
  found: z.nullable(z.int()),
  previous_cursor: z.nullable(z.string()),
  next_cursor: z.nullable(z.string()),
  searched: z.nullable(Searched),
});
export type ListMembersPage = z.infer<typeof ListMembersPage>;

export const MetadataColumns = z.object({
  columns: z.array(z.string()),
  /** The most frequent values of the columns, among the members that were read. */
  values: z.record(z.string(), z.array(z.string())),
  /** How many members were read to find the columns. Columns with dates are known for all members. */
  searched: Searched,
});
export type MetadataColumns = z.infer<typeof MetadataColumns>;

export const MOST_ACTIONS = 200;

const ACTION_TYPES = [
  'subscribe',
  'unsubscribe',
  'open',
  'click',
  'bounce',
  'complaint',
  'email_sent',
  'import',
] as const;

/** Its details are for programs: `source`, the id of the action `email` that sent the email, its id in the sending log, and more by type. */
export const ListMemberAction = z.object({
  id: z.string(),
  type: z.enum(ACTION_TYPES),
  created_at: z.iso.datetime(),
  metadata: z.record(z.string(), z.string()),
  formatted_metadata: z.partial(
    z.object({
      source: z.string(),
      asset_type: z.string(),
      destination_url: z.string(),
      url: z.string(),
      subject: z.string(),
      automation_name: z.string(),
      trigger_metadata: z.string(),
    }),
  ),
});
export type ListMemberAction = z.infer<typeof ListMemberAction>;

const ActionsQuery = z.object({
  list_member_id: z
    .string({ error: 'list_member_id is required' })
    .check(z.minLength(1, 'list_member_id is required')),
});

export const MOST_ROWS = 100;
export const ListMemberRows = z.object({ members: rowsOf('member', MOST_ROWS) });

export const RowResult = z.object({
  index: z.int(),
  email: z.nullable(z.string()),
  status: z.enum(['created', 'updated', 'unchanged', 'rejected']),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  warnings: Warnings,
});
export type RowResult = z.infer<typeof RowResult>;
export const RowResults = z.object({ results: z.array(RowResult) });

// biome-ignore format: a table of routes
export const listMemberRoutes = {
  'GET /api/email-lists/{list}/members': { id: 'listListMembers', v1: true, mcp: true, permission: 'list-members:read',
    query: ListMembersQuery, answer: ListMembersPage,
    summary: 'A page of the members of an email list: of all, or of those that a search and a filter find' },
  'POST /api/email-lists/{list}/members/actions': { id: 'changeListMembers', v1: true, permission: 'list-members:edit',
    body: MemberActions, answer: z.object({ results: z.array(MemberActionResult) }),
    summary: 'Subscribe, unsubscribe or remove up to 500 members of an email list' },
  'GET /api/email-lists/{list}/metadata-columns': { id: 'listMetadataColumns', v1: true, permission: 'list-members:read',
    answer: MetadataColumns,
    summary: 'The keys that the metadata of a list has, for columns of its members' },
  'POST /api/list-members': { id: 'createListMember', v1: true, permission: 'list-members:edit',
    body: NewListMember, status: 201, answer: AddedListMember,
    summary: 'Add a member to an email list' },
  'GET /api/list-members/{listMember}': { id: 'getListMember', v1: true, mcp: true, permission: 'list-members:read', answer: ListMember,
    summary: 'A member of an email list with its metadata' },
  'PUT /api/list-members/{listMember}': { id: 'updateListMember', v1: true, permission: 'list-members:edit',
    body: ListMemberChange, answer: ChangedListMember,
    summary: 'Subscribe or unsubscribe a member, change its metadata' },
  'DELETE /api/list-members/{listMember}': { id: 'deleteListMember', v1: true, permission: 'list-members:edit',
    summary: 'Remove a member from its email list' },
  'GET /api/list-member-actions': { id: 'listListMemberActions', v1: true, mcp: true, permission: 'list-members:read',
    query: ActionsQuery, answer: z.array(ListMemberAction),
    summary: 'What happened with a member, newest first' },
  'GET /api/list-member-actions/{listMemberAction}/email-content': { id: 'getListMemberEmail', v1: true,
    permission: 'list-members:read', answer: EmailSendContent,
    summary: 'What the email of an action of the type email_sent said: exactly, or as it would be written now' },
} as const satisfies RouteTable;
