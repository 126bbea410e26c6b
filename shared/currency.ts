import * as z from 'zod/mini';

const CURRENCY = 'currency must be a code of ISO 4217 in capital letters, such as EUR';
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
export const Currency = z.string({ error: CURRENCY }).check(z.refine(code => CURRENCIES.has(code), CURRENCY));
