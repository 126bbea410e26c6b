const Z = 1.959963984540054;

/** The 95% confidence interval of a rate (Wilson). It does not show whether two rates differ: use `comparison` for that. */
export function precision(count: number, sent: number): { low: number; high: number } {
  if (sent === 0) return { low: 0, high: 1 };
  const rate = count / sent;
  const z2 = Z * Z;
  const middle = rate + z2 / (2 * sent);
  const half = Z * Math.sqrt((rate * (1 - rate) + z2 / (4 * sent)) / sent);
  const scale = 1 + z2 / sent;
  return {
    // Rounding would move the ends away from 0 and 1.
    low: count === 0 ? 0 : (middle - half) / scale,
    high: count === sent ? 1 : (middle + half) / scale,
  };
}
