import * as z from 'zod/mini';
import { Address } from './address.ts';
import { Currency } from './currency.ts';
import { amountOf, unitsOf, VALUE_DECIMALS } from './report/figures.ts';

const MOST_VALUE = 1_000_000_000;
const LONGEST_EVENT_ID = 200;
const LONGEST_SEND_ID = 100;

export const UNKNOWN_PERSON = 'Nobody with this address is on a list';
export const UNKNOWN_SEND = 'There is no email with this send_id, or its person was erased';

const required = (called: string) => ({ error: `${called} is required` });
const text = (called: string) =>
  z
    .string({
      error: ({ input }) => (input === undefined ? required(called).error : `${called} must be a text`),
    })
    .check(z.refine(typed => typed.trim() !== '', { ...required(called), abort: true }));

/** Apart from what sums of binary fractions leave: 164.14999999999998 is 164.15. */
function hasFewDecimals(value: number): boolean {
  const noise = Math.min(Math.abs(value) * 1e-9, 1e-6);
  return Math.abs(amountOf(unitsOf(value)) - value) <= noise;
}

const value = z
  .number({ error: ({ input }) => (input === undefined ? 'value is required' : 'value must be a number') })
  .check(
    z.gte(0, 'value must be at least 0'),
    z.lte(MOST_VALUE, `value must be at most ${MOST_VALUE.toLocaleString('en')}`),
    z.refine(hasFewDecimals, `value must have at most ${VALUE_DECIMALS} decimals`),
  );

export const NO_CURRENCY =
  'Your organization has no currency yet: its owner sets one on the page Organizations. Until then, send value without currency';
export const otherCurrency = (currency: string) =>
  `Your organization reports values in ${currency}: convert value, or send it without currency if it is in ${currency}`;

const Fields = z.object({
  emailTemplateCombinationId: z.optional(text('emailTemplateCombinationId')),
  /** Of the person. Without the combination, the value counts for what holdouts show alone. */
  email: z.optional(Address),
  /** Of the email that led to it: it names the person and the combination. */
  send_id: z.optional(text('send_id').check(z.maxLength(LONGEST_SEND_ID, UNKNOWN_SEND))),
  /** Chosen by the caller: an organization counts each eventId once. */
  eventId: text('eventId').check(
    z.maxLength(LONGEST_EVENT_ID, `eventId must be at most ${LONGEST_EVENT_ID} characters`),
    z.refine(id => !/\p{Cc}/u.test(id), 'eventId must not contain control characters'),
  ),
  value,
  /** Compared with that of the organization, so that amounts of two currencies are not added. */
  currency: z.optional(Currency),
});
export const NewValue = Fields.check(
  z.refine(
    ({ emailTemplateCombinationId, email, send_id }) =>
      (emailTemplateCombinationId ?? email ?? send_id) !== undefined,
    { ...required('emailTemplateCombinationId'), path: ['emailTemplateCombinationId'] },
  ),
  z.refine(
    ({ emailTemplateCombinationId, email, send_id }) =>
      send_id === undefined || (emailTemplateCombinationId ?? email) === undefined,
    {
      error: 'send_id names the combination and the person: leave out emailTemplateCombinationId and email',
      path: ['send_id'],
    },
  ),
);
export type NewValue = z.infer<typeof NewValue>;

export const CountedValue = z.object({
  /** Empty where the call named none. */
  emailTemplateCombinationId: z.string(),
  eventId: z.string(),
  value: z.number(),
  posted_at: z.iso.datetime(),
  is_repeated: z.boolean(),
});
export type CountedValue = z.infer<typeof CountedValue>;
