import { Cron } from 'croner';
import { Mistake } from '../mistake.ts';

/** Whether a schedule is due in the minute that begins at an instant. */
export type Due = (minute: Date) => boolean;

const MINUTES: Record<string, number> = { minute: 1, hour: 60, day: 1440 };

// https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
export function dueOf(expression: string, timezone = 'UTC'): Due {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) {
    const every = Number(rate[1]) * (MINUTES[rate[2] ?? ''] ?? 1);
    return minute => (minute.getTime() / 60_000) % every === 0;
  }
  const fields = /^cron\((.+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6)
    throw new Mistake(`The local stack does not understand the schedule ${expression}`);
  const pattern = ['0', ...fields.map(field => field.replace('?', '*'))].join(' ');
  // Days of the week count from Sunday = 1 at AWS.
  const cron = new Cron(pattern, { timezone, paused: true, alternativeWeekdays: true });
  return minute => cron.match(minute);
}
