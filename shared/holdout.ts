import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';

export const MOST_HELD_OUT = 50;
const PERCENT = `A holdout is a whole number of percent, from 0 to ${MOST_HELD_OUT}`;
/** Of people. They get nothing, so that it shows what emails do. */
export const HoldoutPercent = z
  .number({ error: PERCENT })
  .check(
    z.refine(Number.isInteger, { error: PERCENT, abort: true }),
    z.gte(0, PERCENT),
    z.lte(MOST_HELD_OUT, PERCENT),
  );

/** Of an organization: these people get nothing of any automation, sequence or broadcast. */
export const Holdout = z.object({ percent: HoldoutPercent });
export type Holdout = z.infer<typeof Holdout>;

// biome-ignore format: a table of routes
export const holdoutRoutes = {
  'GET /api/holdout': { id: 'getHoldout', v1: true, mcp: true, permission: 'safeguards:read', answer: Holdout,
    summary: 'How many percent of the people of the active organization get no emails, so that it shows what emails do' },
  'PUT /api/holdout': { id: 'updateHoldout', v1: true, permission: 'safeguards:edit', body: Holdout, answer: Holdout,
    summary: 'Change how many percent of people get no emails; who is not held out any more gets what is due from then on' },
} as const satisfies RouteTable;
