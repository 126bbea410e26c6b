import * as z from 'zod/mini';
import { AutomationIds, AutomationOption } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { ContentCheck, Draft, Warnings } from './content-check.ts';
import { AssetsQuery } from './content-query.ts';
import { AssetValue, faultsOfAsset, LONGEST_NAME } from './content-rules.ts';
import { ContentVersion } from './content-version.ts';
import { PART_NAMES } from './email/content.ts';
import type { RouteTable } from './route.ts';

export const AssetType = z.enum(PART_NAMES, { error: 'Type is required' });

export const EXCERPT_LENGTH = 300;

const asset = {
  id: z.string(),
  name: z.nullable(z.string()),
  type: AssetType,
  is_active: z.boolean(),
  version: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};
export const EmailAsset = z.object({ ...asset, value: z.string() });
export type EmailAsset = z.infer<typeof EmailAsset>;

export const EmailAssetRow = z.object({
  ...asset,
  excerpt: z.string(),
  automations: z.array(AutomationOption),
  /** How many there are of it, itself included. */
  versions: z.int(),
});
export type EmailAssetRow = z.infer<typeof EmailAssetRow>;

export const EmailAssetsPage = z.object({
  data: z.array(EmailAssetRow),
  current_page: z.int(),
  last_page: z.int(),
  total: z.int(),
  found: z.int(),
});
export type EmailAssetsPage = z.infer<typeof EmailAssetsPage>;

export const EmailAssetDetail = z.object({
  emailAsset: EmailAsset,
  automations: z.array(AutomationOption),
  /** All of them, the first one first; empty if there is no other one. */
  versions: z.array(ContentVersion),
});
export type EmailAssetDetail = z.infer<typeof EmailAssetDetail>;

export const ASSET_EXISTS = 'An email asset with this type and content already exists';
export const ASSET_LOCKED =
  'The content of an email asset cannot be changed: create a new version of it, or duplicate the asset';
const TOO_LONG_A_NAME = `Name must be at most ${LONGEST_NAME} characters`;

export const AssetName = z.pipe(
  z.pipe(
    z.string({ error: 'Name must be text' }),
    z.transform(typed => typed.trim()),
  ),
  z
    .string()
    .check(
      z.maxLength(LONGEST_NAME, TOO_LONG_A_NAME),
      z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Name must not contain control characters'),
    ),
);

export const IsActive = z.boolean({ error: 'is_active must be true or false' });

export const NewEmailAsset = z
  .object({
    name: z.optional(z.nullable(AssetName)),
    type: AssetType,
    value: AssetValue,
    is_active: z._default(IsActive, true),
    automation_ids: z._default(AutomationIds, []),
  })
  .check(
    z.check(({ value: { type, value }, issues }) => {
      if (issues.some(({ path }) => path?.[0] === 'value')) return;
      for (const message of faultsOfAsset(type, value)) {
        issues.push({ code: 'custom', input: value, path: ['value'], message });
      }
    }),
  );
export type NewEmailAsset = z.infer<typeof NewEmailAsset>;

export const CreatedEmailAsset = z.extend(EmailAsset, { warnings: z.optional(Warnings) });
export type CreatedEmailAsset = z.infer<typeof CreatedEmailAsset>;

/** Its name, its type, its status and its links are those of the version before. */
export const NewAssetVersion = z.object({ value: AssetValue });
export type NewAssetVersion = z.infer<typeof NewAssetVersion>;

const CheckedEmailAsset = z.object({
  name: Draft,
  type: Draft,
  value: Draft,
  is_active: z.optional(IsActive),
  automation_ids: z.optional(AutomationIds),
});

/** Content is immutable, so that reports stay correct. Unchanged content may be sent. */
export const EmailAssetChange = z.object({
  name: z.optional(z.nullable(AssetName)),
  type: z.optional(AssetType),
  value: z.optional(AssetValue),
  is_active: z.optional(IsActive),
  automation_ids: z.optional(AutomationIds),
});
export type EmailAssetChange = z.infer<typeof EmailAssetChange>;

// biome-ignore format: a table of routes
export const emailAssetRoutes = {
  'GET /api/email-assets': { id: 'listEmailAssets', v1: true, permission: 'content:read', query: AssetsQuery, answer: EmailAssetsPage,
    summary: 'A page of the email assets, the newest first, of all or of those that a search and filters find' },
  'POST /api/email-assets': { id: 'createEmailAsset', v1: true, permission: 'content:edit',
    body: NewEmailAsset, status: 201, answer: CreatedEmailAsset,
    summary: 'Create an email asset; its content cannot be changed afterwards' },
  'POST /api/email-assets-check': { id: 'checkEmailAsset', v1: true, permission: 'content:read', budget: BUDGETS.contentChecks,
    body: CheckedEmailAsset, answer: ContentCheck,
    summary: 'What creating this email asset would refuse, and what it would warn of; nothing is stored' },
  'GET /api/email-assets/{emailAsset}': { id: 'getEmailAsset', v1: true, permission: 'content:read', answer: EmailAssetDetail,
    summary: 'An email asset with the automations that use it' },
  'PUT /api/email-assets/{emailAsset}': { id: 'updateEmailAsset', v1: true, permission: 'content:edit',
    body: EmailAssetChange, answer: EmailAssetDetail,
    summary: 'Activate or deactivate an email asset, or link it to automations' },
  'POST /api/email-assets/{emailAsset}/versions': { id: 'createEmailAssetVersion', v1: true, permission: 'content:edit',
    body: NewAssetVersion, status: 201, answer: CreatedEmailAsset,
    summary: 'Give an email asset another wording, as a new version: it takes over the automations of this one, which is deactivated' },
  'DELETE /api/email-assets/{emailAsset}': { id: 'deleteEmailAsset', v1: true, permission: 'content:edit',
    summary: 'Delete an email asset' },
} as const satisfies RouteTable;
