import * as z from 'zod/mini';
import { readTimeZone } from './time-zone.ts';

export const UNKNOWN_ZONE = 'Choose a time zone such as Europe/Berlin';

export const TimeZone = z.pipe(
  z.string({ error: UNKNOWN_ZONE }),
  z.transform((text, context) => {
    const zone = readTimeZone(text);
    if (zone !== undefined) return zone;
    context.issues.push({ code: 'custom', input: text, message: UNKNOWN_ZONE });
    return z.NEVER;
  }),
);

/** That of the browser, for a new organization: nothing fails because one is not known. */
export const ZoneOfBrowser = z.catch(z.optional(TimeZone), undefined);

export const timeOfDay = (error: string) =>
  z.string({ error }).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, error));
