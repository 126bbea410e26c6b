import { roundedAmount } from '#shared/report/figures.ts';
import { useOrganization } from '../lib/organization.ts';

type Digits = 2 | 4;

/** In a currency, if there is one. Amounts by email or by click have four decimals. */
export const amountText = (amount: number, digits: Digits = 2, currency?: string | null) =>
  new Intl.NumberFormat(undefined, {
    ...(currency && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(digits === 2 ? roundedAmount(amount) : amount);

/** Writes amounts in the currency of the organization. */
export function useAmountText() {
  const currency = useOrganization()?.currency;
  return (amount: number, digits?: Digits) => amountText(amount, digits, currency);
}

/** Where there is no room for it, the line breaks between the currency and the number. */
export function Amount({ of, digits }: { of: number; digits?: Digits }) {
  return useAmountText()(of, digits).replace('\u00a0', ' ');
}
