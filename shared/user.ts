import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  terms_accepted: z.boolean(),
});
export type User = z.infer<typeof User>;

export const ActiveSession = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  current: z.boolean(),
});
export type ActiveSession = z.infer<typeof ActiveSession>;

export const ActiveSessions = z.object({ sessions: z.array(ActiveSession) });

// biome-ignore format: a table of routes
export const userRoutes = {
  'GET /api/user': { id: 'getUser', permission: 'session', beforeTerms: true, answer: User,
    summary: 'The user who is signed in' },
  'POST /api/user/accept-terms': { id: 'acceptTerms', permission: 'session', beforeTerms: true, answer: User,
    summary: 'Accept the terms and conditions and the privacy policy' },
  'GET /api/user/sessions': { id: 'listSessions', permission: 'session', beforeTerms: true, answer: ActiveSessions,
    summary: 'Where the user is signed in, this session first' },
  'DELETE /api/user/sessions': { id: 'endOtherSessions', permission: 'session',
    summary: 'Sign out everywhere else' },
  'DELETE /api/user/sessions/{id}': { id: 'endSession', permission: 'session',
    summary: 'Sign out in one other place' },
} as const satisfies RouteTable;
