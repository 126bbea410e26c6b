import * as z from 'zod/mini';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';

/** What the record is about. Safeguards and sending hours are `sending`. */
export const RECORDED = [
  'automation',
  'sequence',
  'broadcast',
  'template',
  'asset',
  'list',
  'sending',
  'organization',
  'member',
  'token',
  'person',
] as const;
export type Recorded = (typeof RECORDED)[number];

/** `reworded`: content got a new wording, which is a version of its own. */
const DONE = [
  'created',
  'changed',
  'deleted',
  'reworded',
  'invited',
  'cancelled',
  'joined',
  'removed',
  'exported',
  'erased',
] as const;
export type Done = (typeof DONE)[number];

/** By which means somebody changes something. */
const MEANS = ['app', 'token', 'plan', 'agent'] as const;
export type Means = (typeof MEANS)[number];

const Value = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.array(z.string()),
  z.record(z.string(), z.number()),
]);
export type RecordedValue = z.infer<typeof Value>;

export const RecordEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(RECORDED),
  what: z.enum(DONE),
  /** Null if the product did it by itself. */
  by: z.nullable(z.object({ id: z.string(), name: z.string() })),
  means: z.nullable(z.enum(MEANS)),
  /** As it was called then. A member has the present name of the user. */
  object: z.object({ id: z.nullable(z.string()), name: z.nullable(z.string()) }),
  /** By field. Of several values, those that went and those that came. Both are true where a value is not recorded. */
  changes: z.record(z.string(), z.object({ from: Value, to: Value })),
});
export type RecordEntry = z.infer<typeof RecordEntry>;

export const OTHER_CURSOR = 'This cursor belongs to another page: begin again without one';
const ID = 'Must be an id';
const DATE = 'Must be a date such as 2030-01-31';
const Id = z.string({ error: ID }).check(z.maxLength(100, ID));

const RecordQuery = z
  .object({
    kind: z.optional(z.enum(RECORDED, { error: `kind must be one of ${RECORDED.join(', ')}` })),
    user: z.optional(Id),
    object: z.optional(Id),
    from: z.optional(z.iso.date({ error: DATE })),
    to: z.optional(z.iso.date({ error: DATE })),
    per_page: z._default(whole('per_page', 500), 50),
    cursor: z.optional(z.string().check(z.maxLength(500, OTHER_CURSOR))),
  })
  .check(
    z.refine(({ from, to }) => !from || !to || from <= to, {
      error: 'To must not be before from',
      path: ['to'],
    }),
  );
export type RecordQuery = z.infer<typeof RecordQuery>;

export const RecordPage = z.object({ data: z.array(RecordEntry), next_cursor: z.nullable(z.string()) });
export type RecordPage = z.infer<typeof RecordPage>;

// biome-ignore format: a table of routes
export const recordRoutes = {
  'GET /api/organizations/{organization}/record': { id: 'listRecord', v1: true, mcp: true, permission: 'record:read',
    query: RecordQuery, answer: RecordPage,
    summary: 'Who changed what, when and by which means, for two years, without addresses; newest first' },
} as const satisfies RouteTable;
