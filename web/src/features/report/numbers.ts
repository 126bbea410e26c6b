import { precision } from '#shared/report/precision.ts';

const VALUE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SHARE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 4, maximumFractionDigits: 4 });

export const formatAmount = (value: number) => VALUE.format(value);
/** A value per email or per click. */
export const formatShare = (value: number) => SHARE.format(value);

/** The confidence interval of a rate, at 95%; undefined if nothing was sent. */
export function intervalOf(count: number, sent: number): string | undefined {
  if (sent === 0) return undefined;
  // A click may be counted before its email.
  const { low, high } = precision(Math.min(count, sent), sent);
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}%`;
}
