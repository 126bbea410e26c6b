import * as z from 'zod/mini';
import { Address } from './address.ts';
import { BUDGETS } from './budgets.ts';
import type { RouteTable } from './route.ts';
import { SUPPRESSIONS } from './suppression.ts';

const Value = z.union([z.string(), z.number(), z.boolean()]);
const Suppression = z.nullable(z.enum(SUPPRESSIONS));
const Instant = z.iso.datetime();

export const ExportedMember = z.object({
  email: z.string(),
  is_subscribed: z.boolean(),
  suppression: Suppression,
  created_at: Instant,
  metadata: z.record(z.string(), Value),
});
export type ExportedMember = z.infer<typeof ExportedMember>;

const ListExportQuery = z.object({ cursor: z.optional(z.string()) });

/** Pages are sorted by address, so that a member who is added or removed meanwhile moves no other one to another page. */
export const ListExportPage = z.object({
  data: z.array(ExportedMember),
  total: z.int(),
  next_cursor: z.nullable(z.string()),
});
export type ListExportPage = z.infer<typeof ListExportPage>;

export const NOTHING_STORED = 'Nothing is stored about this address in the organization.';

const PersonExportQuery = z.object({
  email: Address,
  cursor: z.optional(z.string({ error: 'cursor must be a text' })),
});

const OfList = z.object({ list_id: z.string(), list_name: z.nullable(z.string()) });

const Membership = z.extend(OfList, {
  is_subscribed: z.boolean(),
  changed_by: z.nullable(z.string()),
  /** The file that added them, and how they agreed; absent if no file did. */
  imported: z.optional(z.string()),
  created_at: Instant,
  updated_at: Instant,
  metadata: z.record(z.string(), Value),
});

const FormerMembership = z.extend(OfList, { was_unsubscribed: z.boolean(), left_at: Instant });

/** An entry of the journal of a person. What happened to an email is listed with the email. */
const JournalEntry = z.extend(z.partial(OfList), {
  number: z.int(),
  type: z.string(),
  at: Instant,
  by: z.optional(z.string()),
  email: z.optional(z.int()),
  import: z.optional(z.string()),
  since: z.optional(z.string()),
});

const Email = z.extend(OfList, {
  number: z.int(),
  automation_id: z.string(),
  automation_name: z.string(),
  combination_id: z.string(),
  /** `not_sent`: it was planned, then abandoned or refused, or it is about to be sent. */
  status: z.enum(['sent', 'unknown', 'not_sent']),
  at: Instant,
  subject: z.nullable(z.string()),
  values: z.optional(z.record(z.string(), Value)),
  trigger: z.optional(z.string()),
  happened: z.record(z.string(), z.string()),
});

const Click = z.object({
  email: z.int(),
  at: Instant,
  url: z.string(),
  asset_type: z.string(),
  by: z.enum(['person', 'machine']),
});

export const PersonExportPage = z.object({
  email: z.string(),
  suppression: Suppression,
  erased_at: z.nullable(Instant),
  memberships: z.array(Membership),
  former_memberships: z.array(FormerMembership),
  journal: z.array(JournalEntry),
  emails: z.array(Email),
  clicks: z.array(Click),
  next_cursor: z.nullable(z.string()),
});
export type PersonExportPage = z.infer<typeof PersonExportPage>;

// biome-ignore format: a table of routes
export const exportRoutes = {
  'GET /api/email-lists/{list}/export': { id: 'exportListMembers', v1: true, permission: 'list-members:read',
    query: ListExportQuery, answer: ListExportPage,
    summary: 'A page of all members of an email list with their metadata, to be stored in a file' },
  'POST /api/recipients/export': { id: 'exportRecipient', v1: true, permission: 'list-members:read',
    budget: BUDGETS.personExports, body: PersonExportQuery, answer: PersonExportPage,
    summary: 'What is stored about a person in the organization, by their address, part by part' },
} as const satisfies RouteTable;
