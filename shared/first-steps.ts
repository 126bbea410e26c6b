import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import type { RouteTable } from './route.ts';

/** The steps of a new organization, in order. The last one is the first email that a recipient opened. */
export const FIRST_STEPS = [
  'list',
  'key',
  'members',
  'content',
  'automation',
  'simulation',
  'activation',
  'sent',
  'opened',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export const FirstSteps = z.object({
  /** False if all steps are done, or the organization has dismissed them. */
  is_shown: z.boolean(),
  is_dismissed: z.boolean(),
  steps: z.array(z.object({ step: z.enum(FIRST_STEPS), is_done: z.boolean() })),
  /** The first list and the first automation with steps to do. */
  list_id: z.nullable(z.string()),
  automation_id: z.nullable(z.string()),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

const Dismissal = z.object({ dismissed: z.boolean({ error: 'dismissed must be true or false' }) });

// biome-ignore format: a table of routes
export const firstStepsRoutes = {
  'GET /api/first-steps': { id: 'getFirstSteps', v1: true, mcp: true, permission: 'lists:read', budget: BUDGETS.home,
    answer: FirstSteps,
    summary: 'What is left to do until the first email of the active organization is opened' },
  'PUT /api/first-steps': { id: 'dismissFirstSteps', permission: 'lists:edit', body: Dismissal,
    summary: 'Hide the first steps from all members of the active organization, or show them again' },
} as const satisfies RouteTable;
