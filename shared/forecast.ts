import * as z from 'zod/mini';
import { Sampled } from './simulation.ts';

export const FORECAST_DAYS = 30;

/** How much of what would be sent a forecast has looked at. */
export const LOOKED_AT = {
  /** Null where everybody was looked at. */
  sampled: z.nullable(Sampled),
  /** Below 1 where there were too many members to find all of them within one call: the share of each day that was looked at. */
  counted_share: z.number(),
};

const Expected = z.object({
  count: z.int(),
  /** Emails that fall due and will not be sent. */
  skipped: z.int(),
});
export type Expected = z.infer<typeof Expected>;

export const ForecastDay = z.extend(Expected, { date: z.iso.date() });
export type ForecastDay = z.infer<typeof ForecastDay>;

/** What all active automations send from now on. */
export const Upcoming = z.object({
  next_24_hours: Expected,
  next_7_days: Expected,
  /** When the first email is due that will be sent; null where there is none, or not everybody was looked at. */
  next_at: z.nullable(z.iso.datetime()),
  /** The margin is that of seven days. */
  ...LOOKED_AT,
});
export type Upcoming = z.infer<typeof Upcoming>;

export const Forecast = z.object({
  /** In UTC; the first is what is left of today. */
  days: z.array(ForecastDay),
  total_count: z.int(),
  ...LOOKED_AT,
});
export type Forecast = z.infer<typeof Forecast>;
