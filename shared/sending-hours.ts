import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';
import { TimeZone, timeOfDay } from './time-fields.ts';
import { minutesOf, UTC } from './time-zone.ts';

const MINUTES = 24 * 60;
export const MOST_QUIET_HOURS = 5;

const TIME = 'Enter a time of day from 00:00 to 23:59';
/** From one time of day until before another, which may be that of the next day. */
const QuietHours = z.object({ from: timeOfDay(TIME), until: timeOfDay(TIME) }).check(
  z.refine(({ from, until }) => from !== until, {
    error: 'Quiet hours must begin and end at different times',
    path: ['until'],
  }),
);
export type QuietHours = z.infer<typeof QuietHours>;

/** For each minute of a day whether it is quiet. */
export function quietMinutes(hours: QuietHours[]): boolean[] {
  const quiet = new Array<boolean>(MINUTES).fill(false);
  for (const { from, until } of hours) {
    const length = (minutesOf(until) - minutesOf(from) + MINUTES) % MINUTES;
    for (let minute = 0; minute < length; minute++) quiet[(minutesOf(from) + minute) % MINUTES] = true;
  }
  return quiet;
}

export const NO_TIME_LEFT = 'These quiet hours leave no minute of the day in which emails go';

export const SendingHours = z.object({
  time_zone: z.string(),
  /** What falls due within them waits until they end. */
  quiet_hours: z.array(QuietHours),
});
export type SendingHours = z.infer<typeof SendingHours>;

/** Of a new organization. */
export const INITIAL_SENDING_HOURS: SendingHours = { time_zone: UTC, quiet_hours: [] };

const HOURS = 'Quiet hours must each have a beginning and an end';

/** The form, or a part of it. */
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
  'GET /api/sending-hours': { id: 'getSendingHours', permission: 'safeguards:read', answer: SendingHours,
    summary: 'The time zone of the active organization, and the hours in which nothing is sent' },
  'PUT /api/sending-hours': { id: 'updateSendingHours', permission: 'safeguards:edit',
    body: SendingHoursChange, answer: SendingHours,
    summary: 'Change the time zone of the organization, or the hours in which nothing is sent' },
} as const satisfies RouteTable;
