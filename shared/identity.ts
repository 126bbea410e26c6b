import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import type { RouteTable } from './route.ts';

/**
 * `pending`: its records are not all found, or the provider has not seen them; `taken`: another organization has it;
 * `failed`: the provider looks for its records no more.
 */
export const IDENTITY_STATUSES = ['unclaimed', 'pending', 'verified', 'taken', 'failed'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

const DnsRecord = z.object({
  type: z.enum(['TXT', 'CNAME']),
  name: z.string(),
  value: z.string(),
  /** Whether the last check has found it. */
  found: z.boolean(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

export const Identity = z.object({
  domain: z.string(),
  status: z.enum(IDENTITY_STATUSES),
  /** What to enter where the DNS of the domain is managed. */
  records: z.array(DnsRecord),
  checked_at: z.nullable(z.iso.datetime()),
  /** What to do next. */
  message: z.string(),
});
export type Identity = z.infer<typeof Identity>;

// biome-ignore format: a table of routes
export const identityRoutes = {
  'GET /api/email-lists/{list}/ses-identity': { id: 'getSesIdentity', permission: 'lists:read', answer: Identity,
    summary: 'The domain that an email list sends from: its state, and the records to enter in its DNS' },
  'POST /api/email-lists/{list}/ses-identity': { id: 'addSesIdentity', permission: 'sending-key:edit',
    budget: BUDGETS.connectionTests, answer: Identity,
    summary: 'Add the domain of an email list, for a provider without keys' },
  'POST /api/email-lists/{list}/ses-identity/check': { id: 'checkSesIdentity', permission: 'sending-key:edit',
    budget: BUDGETS.connectionTests, answer: Identity,
    summary: 'Look for the records of the domain, and ask the provider whether it is verified' },
  'DELETE /api/email-lists/{list}/ses-identity': { id: 'removeSesIdentity', permission: 'sending-key:edit',
    summary: 'Remove the domain of an email list: no list of the organization sends from it by that provider then' },
} as const satisfies RouteTable;
