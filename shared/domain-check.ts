import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import type { RouteTable } from './route.ts';

export const CHECKS = ['spf', 'dkim', 'dmarc', 'mx', 'one_click'] as const;
export type Check = (typeof CHECKS)[number];
/** `unknown`: no server gave an answer, or nothing says what to look for. */
export const FINDING_STATES = ['ok', 'warning', 'broken', 'unknown'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

const Finding = z.object({
  check: z.enum(CHECKS),
  state: z.enum(FINDING_STATES),
  /** What stands in the DNS or is sent, shortened; null if there is nothing. */
  found: z.nullable(z.string()),
  /** What to enter where the DNS of the domain is managed. */
  record: z.nullable(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
  message: z.string(),
});
export type Finding = z.infer<typeof Finding>;

export const DomainCheck = z.object({
  domain: z.string(),
  /** Where the key stands with which a test email was signed. */
  dkim_selector: z.nullable(z.string()),
  checked_at: z.iso.datetime(),
  findings: z.array(Finding),
});
export type DomainCheck = z.infer<typeof DomainCheck>;

const LONGEST_PASTED = 50_000;
export const DomainCheckRequest = z.object({
  /** A selector, or headers of a test email. */
  dkim: z.optional(z.string().check(z.maxLength(LONGEST_PASTED, 'Paste the headers of one email'))),
});
export type DomainCheckRequest = z.infer<typeof DomainCheckRequest>;

// biome-ignore format: a table of routes
export const domainCheckRoutes = {
  'GET /api/email-lists/{list}/domain-check': { id: 'getDomainCheck', permission: 'lists:read',
    budget: BUDGETS.domainChecks, answer: DomainCheck,
    summary: 'What mailbox providers find in the DNS of the domain of an email list, looked up at most once an hour' },
  'POST /api/email-lists/{list}/domain-check': { id: 'checkDomain', permission: 'lists:edit',
    budget: BUDGETS.connectionTests, body: DomainCheckRequest, answer: DomainCheck,
    summary: 'Look up the DNS of the domain of an email list now; with the signature of a test email, its DKIM key too' },
} as const satisfies RouteTable;
