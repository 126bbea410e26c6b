import * as z from 'zod/mini';
import { isDay } from './metadata.ts';
import { MOST_DATES_OFF, WEEKDAYS, ZONES_OF } from './schedule.ts';
import { timeOfDay } from './time-fields.ts';

const DAYS_OFF = 'Days off must be days of the week: sunday, monday …';
const DATES_OFF = 'Dates off must be dates such as 2030-12-24';
const NO_DAY_LEFT = 'Leave at least one day of the week on which emails go';

export const sendTimes = {
  send_at: z.nullable(timeOfDay('Enter a time of day from 00:00 to 23:59')),
  time_zone_of: z.enum(ZONES_OF, {
    error: 'The time zone must be that of the organization, the list or the member',
  }),
  days_off: z.pipe(
    z
      .array(z.enum(WEEKDAYS, { error: DAYS_OFF }), { error: DAYS_OFF })
      .check(z.refine(days => new Set(days).size < WEEKDAYS.length, NO_DAY_LEFT)),
    z.transform(days => WEEKDAYS.filter(day => days.includes(day))),
  ),
  dates_off: z.pipe(
    z
      .array(z.string({ error: DATES_OFF }).check(z.refine(isDay, DATES_OFF)), { error: DATES_OFF })
      .check(z.maxLength(MOST_DATES_OFF, `At most ${MOST_DATES_OFF} dates can be days off`)),
    z.transform(dates => [...new Set(dates)].sort()),
  ),
};
