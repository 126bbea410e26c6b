import * as z from 'zod/mini';

export const FORECAST_DAYS = 30;

export const ForecastDay = z.object({
  date: z.iso.date(),
  count: z.int(),
  /** Emails that the safeguards would skip; none in the forecast of one automation, which leaves them aside. */
  skipped: z.int(),
});
export type ForecastDay = z.infer<typeof ForecastDay>;

export const Forecast = z.object({
  /** In UTC; the first is what is left of today. */
  days: z.array(ForecastDay),
  total_count: z.int(),
  /** Whether the numbers are estimated from a part of the members. */
  estimated: z.boolean(),
  /** Below 1 where there were too many members to look at all of them within one call. */
  counted_share: z.number(),
});
export type Forecast = z.infer<typeof Forecast>;
