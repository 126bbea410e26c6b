import * as z from 'zod/mini';
import { PART_NAMES, type Part } from './email/content.ts';

/** A text for each part of an email; null if there is none. */
export const PartTexts = z.object(
  Object.fromEntries(PART_NAMES.map(part => [part, z.nullable(z.string())])) as Record<
    Part,
    z.ZodMiniNullable<z.ZodMiniString>
  >,
);
export type PartTexts = z.infer<typeof PartTexts>;
