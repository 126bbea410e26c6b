import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';
import { MINUTES_OF_DAY } from './time.ts';
import { TimeZone, timeOfDay } from './time-fields.ts';
import { minutesOf, UTC } from './time-zone.ts';

export const MOST_QUIET_HOURS = 5;

const HOURS = 'Quiet hours must each have a beginning and an end';
const TIME = 'Enter a time of day from 00:00 to 23:59';
/** From one time of day, inclusive, until another one, exclusive, which may be on the next day. */
const QuietHours = z
  .object({ from: timeOfDay(TIME), until: timeOfDay(TIME) }, { error: HOURS })
  .check(
    z.refine(({ from, until }) => from !== until, {
      error: 'Quiet hours must begin and end at different times',
      path: ['until'],
    }),
  );
export type QuietHours = z.infer<typeof QuietHours>;

export function quietMinutes(hours: QuietHours[]): boolean[] {
  const quiet = new Array<boolean>(MINUTES_OF_DAY).fill(false);
  for (const { from, until } of hours) {
    const length = (minutesOf(until) - minutesOf(from) + MINUTES_OF_DAY) % MINUTES_OF_DAY;
    for (let minute = 0; minute < length; minute++) quiet[(minutesOf(from) + minute) % MINUTES_OF_DAY] = true;
  }
  return quiet;
}

export const NO_TIME_LEFT = 'These quiet hours leave no minute of the day in which emails go';

export const SendingHours = z.object({ time_zone: z.string(), quiet_hours: z.array(QuietHours) });
export type SendingHours = z.infer<typeof SendingHours>;

export const INITIAL_SENDING_HOURS: SendingHours = { time_zone: UTC, quiet_hours: [] };

export const SendingHoursChange = z.object({
  time_zone: z.optional(TimeZone),
  quiet_hours: z.optional(
    z.array(QuietHours, { error: HOURS }).check(
      z.maxLength(MOST_QUIET_HOURS, `At most ${MOST_QUIET_HOURS} quiet hours can be set`),
      z.refine(hours => quietMinutes(hours).includes(false), NO_TIME_LEFT),
    ),
  ),
});
export type SendingHoursChange = z.infer<typeof SendingHoursChange>;

// biome-ignore format: a table of routes
export const sendingHoursRoutes = {
  'GET /api/sending-hours': { id: 'getSendingHours', v1: true, permission: 'safeguards:read', answer: SendingHours,
    summary: 'The time zone of the active organization, and the hours in which nothing is sent' },
  'PUT /api/sending-hours': { id: 'updateSendingHours', v1: true, permission: 'safeguards:edit',
    body: SendingHoursChange, answer: SendingHours,
    summary: 'Change the time zone of the organization, or the hours in which nothing is sent' },
} as const satisfies RouteTable;
