import * as z from 'zod/mini';
import { PART_NAMES } from './email/content.ts';
import { AssetType } from './email-asset.ts';
import { LanguageCode } from './email-template.ts';
import { PartTexts } from './part-texts.ts';
import type { RouteTable } from './route.ts';

const linked = {
  id: z.string(),
  is_active: z.boolean(),
  /** The metadata columns that its placeholders name; null if its text was not read, as there is too much content. */
  columns: z.nullable(z.array(z.string())),
  warnings: z.array(z.string()),
};

const LinkedTemplate = z.object({
  ...linked,
  name: z.string(),
  subject_line: z.string(),
  language_code: LanguageCode,
  /** Null if they do not fit the response. */
  texts: z.nullable(PartTexts),
});
export type LinkedTemplate = z.infer<typeof LinkedTemplate>;

const LinkedAsset = z.object({
  ...linked,
  name: z.nullable(z.string()),
  type: AssetType,
  excerpt: z.string(),
  /** Null if it does not fit the response. */
  value: z.nullable(z.string()),
});
export type LinkedAsset = z.infer<typeof LinkedAsset>;

export const AutomationContent = z.object({
  templates: z.array(LinkedTemplate),
  assets: z.array(LinkedAsset),
  left_out: z.int(),
  /** How much content can be sent: active templates, or without any the active assets of each type. */
  active: z.object({ templates: z.int(), assets: z.record(z.enum(PART_NAMES), z.int()) }),
  /** One for each active template, or without any one for each combination of active assets. */
  combinations: z.int(),
});
export type AutomationContent = z.infer<typeof AutomationContent>;

const MOST_RELINKED = 100;
const ids = (called: string) => {
  const error = `${called} must be the ids of content`;
  return z._default(
    z
      .array(z.string({ error }).check(z.regex(/^[a-z0-9]{1,32}$/, error)), { error })
      .check(z.maxLength(MOST_RELINKED, `At most ${MOST_RELINKED} can be changed at once`)),
    [],
  );
};

/** Other links are not sent, so that repeating the call changes nothing, and none of them is lost. */
export const AutomationContentChange = z
  .object({ link: ids('link'), unlink: ids('unlink') })
  .check(
    z.refine(({ link, unlink }) => !link.some(id => unlink.includes(id)), {
      error: 'The same content cannot be linked and unlinked',
      path: ['unlink'],
    }),
  );
export type AutomationContentChange = z.infer<typeof AutomationContentChange>;

// biome-ignore format: a table of routes
export const automationContentRoutes = {
  'GET /api/automations/{automation}/content': { id: 'getAutomationContent', v1: true, permission: 'content:read',
    answer: AutomationContent,
    summary: 'The email templates and assets that are linked to an automation, what they need, and how many different emails they make' },
  'PUT /api/automations/{automation}/content': { id: 'linkAutomationContent', v1: true, permission: 'content:edit',
    body: AutomationContentChange, answer: AutomationContent,
    summary: 'Link email templates and assets to an automation, and unlink others' },
} as const satisfies RouteTable;
