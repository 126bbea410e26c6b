import * as z from 'zod/mini';
import { automationIds, MOST_LINKED_SET } from './automation-link.ts';
import { Warnings } from './content-check.ts';
import { newAssetFields } from './content-rules.ts';
import { AssetName, EmailAsset, IsActive } from './email-asset.ts';
import type { RouteTable } from './route.ts';

export const existsAs = (is_active: boolean) =>
  is_active
    ? 'The same email asset exists and is active: it cannot be part of a set that is not.'
    : 'The same email asset exists, but is inactive: activate it first, or change this text.';
export const LINKED_TOO_OFTEN =
  'The same email asset exists, and has no place for so many more automations: change this text.';

export const NewEmailAssetSet = z.object({
  name: z.optional(z.nullable(AssetName)),
  ...newAssetFields,
  is_active: z._default(IsActive, true),
  automation_ids: z._default(automationIds(MOST_LINKED_SET), []),
});
export type NewEmailAssetSet = z.infer<typeof NewEmailAssetSet>;

export const CreatedEmailAssetSet = z.object({
  created: z.array(EmailAsset),
  existing: z.array(EmailAsset),
  warnings: z.optional(Warnings),
});
export type CreatedEmailAssetSet = z.infer<typeof CreatedEmailAssetSet>;

// biome-ignore format: a table of routes
export const emailAssetSetRoutes = {
  'POST /api/email-asset-sets': { id: 'createEmailAssetSet', v1: true, permission: 'content:edit',
    body: NewEmailAssetSet, status: 201, answer: CreatedEmailAssetSet,
    summary: 'Create the email assets of a whole email, one of each type, and link them to automations: all of it, or nothing' },
} as const satisfies RouteTable;
