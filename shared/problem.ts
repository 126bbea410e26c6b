import * as z from 'zod/mini';

/** The body of every refusal: a sentence for the user, and messages by field. */
export const Problem = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});
export type Problem = z.infer<typeof Problem>;
