import * as z from 'zod/mini';

/** What every refused call answers: a sentence for the reader, and the fields at fault. */
export const Problem = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});
export type Problem = z.infer<typeof Problem>;
