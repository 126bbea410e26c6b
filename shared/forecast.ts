import * as z from 'zod/mini';
import { Sampled } from './simulation.ts';

export const FORECAST_DAYS = 30;

export const ForecastDay = z.object({
  date: z.iso.date(),
  count: z.int(),
  /** Emails that fall due and will not be sent. */
  skipped: z.int(),
});
export type ForecastDay = z.infer<typeof ForecastDay>;

export const Forecast = z.object({
  /** In UTC; the first is what is left of today. */
  days: z.array(ForecastDay),
  total_count: z.int(),
  /** Null where everybody was looked at. */
  sampled: z.nullable(Sampled),
  /** Below 1 where there were too many members to find all of them within one call. */
  counted_share: z.number(),
});
export type Forecast = z.infer<typeof Forecast>;
