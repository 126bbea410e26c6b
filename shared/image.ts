import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { NOT_AN_EMAIL_IMAGE } from './image-limits.ts';
import { MOST_LOGO_REQUEST_BYTES, type RouteTable } from './route.ts';

/** As a data URL. */
const NewImage = z.object({ image: z.string({ error: NOT_AN_EMAIL_IMAGE }) });

export const StoredImage = z.object({
  /** For the Markdown of content. Emails have it with the address of the stage. */
  url: z.string(),
  width: z.number(),
  height: z.number(),
  bytes: z.number(),
});
export type StoredImage = z.infer<typeof StoredImage>;

// biome-ignore format: a table of routes
export const imageRoutes = {
  'POST /api/images': { id: 'uploadImage', v1: true, permission: 'content:edit', budget: BUDGETS.images,
    body: NewImage, mostBytes: MOST_LOGO_REQUEST_BYTES, status: 201, answer: StoredImage,
    summary: 'Upload an image for the content of emails' },
} as const satisfies RouteTable;
