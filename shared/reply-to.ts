import * as z from 'zod/mini';

// Stands in a header as it is, so it has the forms that providers take. Apart from what normalizes addresses, which forms need not load.
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`);
const LONGEST = 254;
const INVALID = 'Enter a valid email address';

/** Where the answers to an email go. Without it, to the sender. */
export const ReplyTo = z.nullable(
  z.pipe(
    z.pipe(
      z.string({ error: INVALID }),
      z.transform(text => text.trim().toLowerCase() || null),
    ),
    z.nullable(z.string().check(z.maxLength(LONGEST, INVALID), z.regex(ADDRESS, INVALID))),
  ),
);
