import * as z from 'zod/mini';
import { Address, normalizeAddress } from './address.ts';
import type { RouteTable } from './route.ts';

export const Erasing = z
  .object({ email: Address, confirmation: z.string({ error: 'Type the address to confirm' }) })
  .check(
    z.refine(({ email, confirmation }) => normalizeAddress(confirmation) === email, {
      path: ['confirmation'],
      error: 'Type the address to confirm',
    }),
  );

export const Erasure = z.object({ erased_at: z.nullable(z.iso.datetime()), complete: z.boolean() });
export type Erasure = z.infer<typeof Erasure>;

const RECORDED = ['erased'] as const;

/** An entry of the record of an organization: what was done, as later proof. */
export const RecordEntry = z.object({
  id: z.string(),
  what: z.enum(RECORDED),
  at: z.iso.datetime(),
  by: z.object({ id: z.string(), name: z.string() }),
  recipient: z.string(),
});
export type RecordEntry = z.infer<typeof RecordEntry>;

const RecordQuery = z.object({
  after: z.optional(z.string().check(z.maxLength(100, 'after must be the id of an entry'))),
});

export const RecordPage = z.object({ data: z.array(RecordEntry), more: z.boolean() });
export type RecordPage = z.infer<typeof RecordPage>;

// biome-ignore format: a table of routes
export const erasureRoutes = {
  'POST /api/recipients/erase': { id: 'eraseRecipient', v1: true, permission: 'recipients:erase',
    body: Erasing, answer: Erasure,
    summary: 'Erase a person from the whole organization, by their address; it cannot be undone' },
  'GET /api/organizations/{organization}/record': { id: 'listRecord', v1: true, permission: 'record:read',
    query: RecordQuery, answer: RecordPage,
    summary: 'Who was erased, when and by whom, without addresses; newest first' },
} as const satisfies RouteTable;
