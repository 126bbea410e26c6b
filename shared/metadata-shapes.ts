import * as z from 'zod/mini';
import {
  type MetadataChange as Change,
  changed,
  faultOf,
  faultOfSize,
  METADATA_TYPES,
  wholeFaultOf,
} from './metadata.ts';

// Apart from metadata.ts, so that functions without validation do not load zod.

export const MetadataEntry = z.object({
  key: z.string(),
  type: z.enum(METADATA_TYPES),
  value: z.union([z.string(), z.number(), z.boolean()]),
});

export const MetadataChange = z.pipe(
  z.custom<Record<string, unknown>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Metadata must be an object of keys and values',
  ),
  z.transform((raw, context): Change => {
    const size = faultOfSize(raw);
    if (size) {
      context.issues.push({ code: 'custom', input: raw, message: size });
      return z.NEVER;
    }
    for (const [key, value] of Object.entries(raw)) {
      const message = faultOf(key, value);
      if (message) context.issues.push({ code: 'custom', input: value, path: [key], message });
    }
    const change = Object.fromEntries(Object.entries(raw)) as Change;
    const whole = context.issues.length === 0 && wholeFaultOf(changed({}, change));
    if (whole) context.issues.push({ code: 'custom', input: raw, message: whole });
    return change;
  }),
);
