import { type QuietHours, quietMinutes } from '#shared/sending-hours.ts';
import { minutesOf } from '#shared/time-zone.ts';

const DAY = 24 * 60;

/** When an email is sent that falls due within quiet hours; undefined if a time is not within them. */
export function endOfQuiet(
  time: string,
  hours: QuietHours[],
): { time: string; nextDay: boolean } | undefined {
  const quiet = quietMinutes(hours);
  const start = minutesOf(time);
  if (Number.isNaN(start)) return undefined;
  let end = start;
  while (quiet[end % DAY] && end < start + DAY) end++;
  return end === start || end === start + DAY ? undefined : { time: timeOf(end % DAY), nextDay: end >= DAY };
}

const two = (number: number) => String(number).padStart(2, '0');
const timeOf = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
