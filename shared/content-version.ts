import * as z from 'zod/mini';

/** A new wording of content is a new version: an item of its own, with the name of the one before. */
export const ContentVersion = z.object({
  id: z.string(),
  version: z.int(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
});
export type ContentVersion = z.infer<typeof ContentVersion>;

export const NOTHING_CHANGED = 'Nothing is changed';

export const replacedText = (version: number) =>
  `Version ${version} has replaced this one meanwhile. Open version ${version}, and edit its wording.`;
