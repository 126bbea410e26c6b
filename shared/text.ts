import * as z from 'zod/mini';

// No control characters, no line breaks, and none that reverses the direction of the text after it.
const UNCONTROLLED = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;
const VISIBLE = /[^\s\p{Cf}]|^$/u;

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
        z.regex(UNCONTROLLED, `${called} must not contain control characters`),
        z.regex(VISIBLE, required),
      ),
  );
