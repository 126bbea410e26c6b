import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { Domain } from './list.ts';
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

/**
 * `unavailable`: the stage has no domain that records could lead to; `pending`: its record is not found, or not seen by who
 * serves it; `issuing`: its certificate is; `taken`: it was another organization's.
 */
export const TRACKING_STATUSES = [
  'unavailable',
  'unclaimed',
  'pending',
  'issuing',
  'active',
  'taken',
  'failed',
] as const;
export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

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

/** Before one is added, `domain` is a proposal. */
export const TrackingDomain = z.extend(Identity, { status: z.enum(TRACKING_STATUSES) });
export type TrackingDomain = z.infer<typeof TrackingDomain>;
export const NewTrackingDomain = z.object({ domain: Domain });

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
  'GET /api/email-lists/{list}/tracking-domain': { id: 'getTrackingDomain', permission: 'lists:read',
    answer: TrackingDomain,
    summary: 'The domain of the links in emails of an email list: its state, and the record to enter in its DNS' },
  'POST /api/email-lists/{list}/tracking-domain': { id: 'addTrackingDomain', permission: 'sending-key:edit',
    budget: BUDGETS.connectionTests, body: NewTrackingDomain, answer: TrackingDomain,
    summary: 'Add a domain for the links in emails of an email list' },
  'POST /api/email-lists/{list}/tracking-domain/check': { id: 'checkTrackingDomain', permission: 'sending-key:edit',
    budget: BUDGETS.connectionTests, answer: TrackingDomain,
    summary: 'Look for the record of the tracking domain, and ask for its certificate' },
  'DELETE /api/email-lists/{list}/tracking-domain': { id: 'removeTrackingDomain', permission: 'sending-key:edit',
    summary: 'Use the tracking domain in no further emails: links already sent work as long as its record stands' },
} as const satisfies RouteTable;
