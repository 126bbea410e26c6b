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

const TEXT = 'audience must be JSON: {"all": [rules]} or {"any": [rules]}';

/** In a query. */
export const AudienceText = z.pipe(
  z.pipe(
    z.string({ error: TEXT }),
    z.transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.issues.push({ code: 'custom', input: text, message: TEXT });
        return z.NEVER;
      }
    }),
  ),
  Audience,
);
