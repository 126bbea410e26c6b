import * as z from 'zod/mini';

// Stands in a header as it is. Apart from what normalizes addresses, which forms need not load.
const ADDRESS = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;
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
