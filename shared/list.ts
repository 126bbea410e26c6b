import * as z from 'zod/mini';

export const EmailList = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  active: z.boolean(),
});
export type EmailList = z.infer<typeof EmailList>;
