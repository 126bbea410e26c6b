import type { Forecast } from '#shared/forecast.ts';
import { plural } from '#web/lib/format.ts';

const MOST_NEXT = 3;
const WEEK = 7;
const NEXT = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** "Next: today 3 emails, Tue, Nov 24 12 emails. 40 emails in 7 days." Undefined if nothing is sent. */
export function nextText(days: Forecast['days']): string | undefined {
  const next = days
    .map(({ date, count }, at) => ({ day: at === 0 ? 'today' : NEXT.format(new Date(date)), count }))
    .filter(({ count }) => count > 0)
    .slice(0, MOST_NEXT);
  if (next.length === 0) return undefined;
  const week = days.slice(0, WEEK).reduce((sum, { count }) => sum + count, 0);
  return `Next: ${next.map(({ day, count }) => `${day}: ${plural(count, 'email')}`).join('; ')}. In the next 7 days: ${plural(week, 'email')}.`;
}
