import { precision } from '../../../../shared/report/precision.ts';

const VALUE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SHARE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 4, maximumFractionDigits: 4 });

export const formatAmount = (value: number) => VALUE.format(value);
/** Of one email, or of one click. */
export const formatShare = (value: number) => SHARE.format(value);

/** Between which percentages the rate is, with a confidence of 95%; undefined where nothing was sent. */
export function intervalOf(count: number, sent: number): string | undefined {
  if (sent === 0) return undefined;
  // A click may be counted before the email is.
  const { low, high } = precision(Math.min(count, sent), sent);
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}%`;
}
