import * as z from 'zod/mini';

/** A number in a query. It must have digits only: JavaScript would read 0x10 and 1e3 as numbers too. */
export const whole = (called: string, most: number) => {
  const error = `${called} must be a whole number from 1 to ${most}`;
  const number = z.int({ error }).check(z.gte(1, error), z.lte(most, error));
  const digits = z.string().check(z.regex(/^\d{1,15}$/, error));
  return z.pipe(z.union([number, digits], { error }), z.pipe(z.transform(Number), number));
};
