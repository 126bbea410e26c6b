import * as z from 'zod/mini';
import { Address } from './address.ts';
import { CODE_LENGTH, WRONG_CODE } from './login-code.ts';
import type { RouteTable } from './route.ts';
import { ZoneOfBrowser } from './time-fields.ts';
import { User } from './user.ts';

/** A code as it was typed or pasted. Spaces and case are ignored. */
const Code = z.pipe(
  z.pipe(
    z.string({ error: 'Code is required' }),
    z.transform(typed => typed.replace(/\s/g, '').toUpperCase()),
  ),
  z.string().check(z.minLength(1, 'Code is required'), z.maxLength(CODE_LENGTH, WRONG_CODE)),
);

const CodeRequest = z.object({ email: Address });
/** `mailed` is false in a stage that sends no emails: codes come from the operator there. */
const CodeSent = z.object({ message: z.string(), mailed: z.boolean() });
const CodeAttempt = z.object({ email: Address, code: Code, time_zone: ZoneOfBrowser });
export const SignedIn = z.object({ token: z.string(), user: User });

// biome-ignore format: a table of routes
export const loginRoutes = {
  'POST /api/login/request': { id: 'requestLoginCode', permission: 'public', body: CodeRequest, answer: CodeSent,
    summary: 'Mail a one-time code to an address' },
  'POST /api/login/verify': { id: 'verifyLoginCode', permission: 'public', body: CodeAttempt, answer: SignedIn,
    summary: 'Exchange a code for a session' },
  'POST /api/logout': { id: 'logout', permission: 'session', beforeTerms: true,
    summary: 'End this session' },
} as const satisfies RouteTable;
