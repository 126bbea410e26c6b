/** Units of time, in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const MINUTES_OF_DAY = 24 * 60;

export const startOfMinute = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;
/** In UTC. */
export const startOfDay = (instant: number) => Math.floor(instant / DAY) * DAY;

/** The whole minutes of an instant after midnight in UTC, also before 1970. */
export function minuteOfDay(instant: number): number {
  const minute = Math.floor(instant / MINUTE) % MINUTES_OF_DAY;
  return minute < 0 ? minute + MINUTES_OF_DAY : minute;
}
