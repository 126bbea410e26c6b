import * as z from 'zod/mini';
import { Sampled } from './simulation.ts';

export const FORECAST_DAYS = 30;

export const LOOKED_AT = {
  /** Null if everyone was read. */
  sampled: z.nullable(Sampled),
  /** Below 1 if there were too many members to find all of them within one call: the share of each day that was read. */
  counted_share: z.number(),
};

const Expected = z.object({ count: z.int(), skipped: z.int() });
export type Expected = z.infer<typeof Expected>;

export const AudienceCount = z.object({
  /** People who are subscribed to one of the lists: those who match, and all. */
  matching: z.int(),
  of: z.int(),
  /** Null if everyone was read. The margin is that of `matching`. */
  sampled: z.nullable(Sampled),
});
export type AudienceCount = z.infer<typeof AudienceCount>;

export const ForecastDay = z.extend(Expected, { date: z.iso.date() });
export type ForecastDay = z.infer<typeof ForecastDay>;

export const Upcoming = z.object({
  next_24_hours: Expected,
  next_7_days: Expected,
  /** As in a forecast. */
  next_at: z.nullable(z.iso.datetime()),
  /** What sends within the seven days, broadcasts too, and how many emails: what is next comes first. */
  automations: z.array(
    z.object({
      automation_id: z.string(),
      name: z.string(),
      next_at: z.nullable(z.iso.datetime()),
      count: z.int(),
    }),
  ),
  /** The margin applies to the seven days. */
  ...LOOKED_AT,
});
export type Upcoming = z.infer<typeof Upcoming>;

export const Forecast = z.object({
  /** UTC days. The first one is the rest of today. */
  days: z.array(ForecastDay),
  total_count: z.int(),
  /** When the first email is due that will be sent; null if there is none, or if not everyone was read. */
  next_at: z.nullable(z.iso.datetime()),
  ...LOOKED_AT,
});
export type Forecast = z.infer<typeof Forecast>;
