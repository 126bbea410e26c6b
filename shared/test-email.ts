import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { newContentFields } from './content-rules.ts';
import { LanguageCode } from './email-template.ts';
import { MetadataChange } from './metadata-shapes.ts';
import type { RouteTable } from './route.ts';

const LIST = 'email_list_id must be the id of an email list';
const MEMBER = 'member must be the id of a list member';

/** All parts of an email, for one reader. */
export const DraftTest = z.object({
  ...newContentFields,
  language_code: z._default(LanguageCode, 'en'),
  /** How it looks, and who sends it if it can. By default that of the member. */
  email_list_id: z.optional(z.nullable(z.string({ error: LIST }))),
  member: z.optional(z.string({ error: MEMBER }).check(z.regex(/^[\w-]{1,100}$/, MEMBER))),
  /** In place of what the member has, or of a member. */
  metadata: z._default(MetadataChange, {}),
});
export type DraftTest = z.infer<typeof DraftTest>;

// biome-ignore format: a table of routes
export const testEmailRoutes = {
  'POST /api/test-emails': { id: 'sendDraftTest', v1: true, permission: 'content:edit', budget: BUDGETS.testEmails,
    body: DraftTest, answer: z.object({ sent_to: z.string() }),
    summary: 'Mail content that is not stored to the user who is signed in, as a member of a list would get it; without a list that can send, from the product’s own sender' },
} as const satisfies RouteTable;
