import * as z from 'zod/mini';

/** One line of text that people see: trimmed, not empty, without control characters. */
export const line = (required: string, called: string, longest: number) =>
  z.pipe(
    z.pipe(
      z.string({ error: required }),
      z.transform(text => text.trim()),
    ),
    z
      .string()
      .check(
        z.minLength(1, required),
        z.maxLength(longest, `${called} must be at most ${longest} characters`),
        z.regex(/^\P{Cc}*$/u, `${called} must not contain control characters`),
      ),
  );
