import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';

/** What content can be linked to. */
export const AutomationOption = z.object({ id: z.string(), name: z.string() });
export type AutomationOption = z.infer<typeof AutomationOption>;

/** One transaction stores content together with each automation that it is linked to. */
export const MOST_LINKED = 90;
const AUTOMATIONS = 'automation_ids must be the ids of automations';
export const AutomationIds = z
  .array(z.string({ error: AUTOMATIONS }).check(z.regex(/^[a-z0-9]{12}$/, AUTOMATIONS)), {
    error: AUTOMATIONS,
  })
  .check(z.maxLength(MOST_LINKED, `At most ${MOST_LINKED} automations can be linked`));
export const UNKNOWN_AUTOMATION = 'One of the automations does not exist any more';

export const Sender = z.object({ name: z.string(), email: z.string(), list_name: z.string() });
export const Preview = z.object({
  html: z.string(),
  plaintext: z.string(),
  sender: Sender,
  /** Names the choice of content and of the member, so that a test email can repeat it. */
  seed: z.string(),
});
export type Preview = z.infer<typeof Preview>;

const UseTemplates = z.optional(z.enum(['true', 'false'], { error: 'use_templates must be true or false' }));
const Seed = z
  .string({ error: 'seed is required' })
  .check(z.regex(/^[a-z0-9]{1,32}$/, 'This seed is not valid'));

// biome-ignore format: a table of routes
export const automationRoutes = {
  'GET /api/automations-for-assets': { id: 'listAutomationsForAssets', permission: 'content:read',
    answer: z.array(AutomationOption),
    summary: 'The automations that email assets can be linked to' },
  'GET /api/automations-for-templates': { id: 'listAutomationsForTemplates', permission: 'content:read',
    answer: z.array(AutomationOption),
    summary: 'The automations that email templates can be linked to' },
  'GET /api/automations/{automation}/preview': { id: 'previewAutomation', permission: 'content:read',
    query: z.object({ use_templates: UseTemplates }), answer: Preview,
    summary: 'An email of an automation, as a random subscribed member of its lists would get it' },
  'POST /api/automations/{automation}/test-email': { id: 'sendTestEmail', permission: 'content:edit',
    body: z.object({ seed: Seed, use_templates: z.optional(z.boolean()) }), answer: z.object({ sent_to: z.string() }),
    summary: 'Mail a previewed email to the user who is signed in' },
} as const satisfies RouteTable;
