import * as z from 'zod/mini';
import { audienceFault, type Audience as Conditions, cleanAudience } from './audience.ts';

/** Null is everybody. */
export const Audience = z.pipe(
  z.unknown(),
  z.transform((raw, context): Conditions | null => {
    if (raw === null) return null;
    const message = audienceFault(raw);
    if (message === undefined) return cleanAudience(raw as Conditions);
    context.issues.push({ code: 'custom', input: raw, message });
    return z.NEVER;
  }),
);
