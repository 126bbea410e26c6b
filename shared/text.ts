import * as z from 'zod/mini';

/** Each row of a call is validated by itself, so that an invalid one does not prevent others from being stored. */
export const rowsOf = (noun: string, most: number) =>
  z
    .array(z.unknown(), { error: `${noun}s must be a list of ${noun}s` })
    .check(
      z.minLength(1, `Send at least one ${noun}`),
      z.maxLength(most, `At most ${most} ${noun}s can be sent per call`),
    );

// Line breaks, other control characters, and characters that change the direction of text.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
// Format characters, fillers and blanks. Joiners and variation selectors are kept: emoji and several scripts need them.
const INVISIBLE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u2800\u{1d159}]/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether mail programs would turn a part of a text into a link, including look-alike characters. */
export const hasLink = (text: string) => /:\/\/|www\./i.test(text.normalize('NFKC'));

/** One line of visible text: trimmed, not empty, without control or invisible characters and without links. */
export const line = (required: string, called: string, longest: number) =>
  z.pipe(
    z.pipe(
      z.string({ error: required }),
      z.transform(text => text.trim()),
    ),
    shownLine(required, called, longest),
  );

/** The same, but optional: an empty text is read as null. */
export const optionalLine = (called: string, longest: number) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string({ error: `${called} must be text` })),
      z.transform(text => text?.trim() || null),
    ),
    z.nullable(shownLine(`${called} must contain a letter or a digit`, called, longest)),
  );

const shownLine = (required: string, called: string, longest: number) => {
  const faultOf = (text: string) => {
    const shown = text.replaceAll(INVISIBLE, '');
    if (CONTROL.test(text)) return `${called} must not contain control characters`;
    if (!VISIBLE.test(shown)) return required;
    if (text.length > longest) return `${called} must be at most ${longest} characters`;
    if (shown !== text) return `${called} must not contain invisible characters`;
    return hasLink(text) ? `${called} must not contain a link` : undefined;
  };
  return z.string().check(
    z.check(({ value, issues }) => {
      const message = faultOf(value);
      // Validation continues, so that the form also reports its other errors.
      if (message) issues.push({ code: 'custom', input: value, message, continue: true });
    }),
  );
};
