import * as z from 'zod/mini';

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  terms_accepted: z.boolean(),
});
export type User = z.infer<typeof User>;

/** A browser in which the user is signed in. */
export const ActiveSession = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  current: z.boolean(),
});
export type ActiveSession = z.infer<typeof ActiveSession>;

export const ActiveSessions = z.object({ sessions: z.array(ActiveSession) });
