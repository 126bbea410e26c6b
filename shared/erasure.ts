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

// biome-ignore format: a table of routes
export const erasureRoutes = {
  'POST /api/recipients/erase': { id: 'eraseRecipient', v1: true, permission: 'recipients:erase',
    body: Erasing, answer: Erasure,
    summary: 'Erase a person from the whole organization, by their address; it cannot be undone' },
} as const satisfies RouteTable;
