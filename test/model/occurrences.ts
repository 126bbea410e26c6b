/** The emails of an automation by a date, as `model.ts` counts them, before any time is forbidden. */
import { OCCURRENCES } from '#shared/schedule.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import {
  anniversaryOf,
  dayText,
  instantOf,
  localTime,
  minuteOf,
  nextAt,
  readDate,
  startOfDay,
  timeOf,
  zoneIn,
} from './clocks.ts';
import type { Start } from './hours.ts';
import type { Automation, List, Membership, World } from './model.ts';

export function copiesOf(automation: Automation, index: number): number {
  const nth = OCCURRENCES[index];
  if (nth && automation[`triple_send_${nth}`]) return 3;
  return nth && automation[`double_send_${nth}`] ? 2 : 1;
}

export const dateOf = ({ column }: Automation, { added, metadata }: Membership) =>
  readDate(column === null ? added : metadata[column]);

/** The occurrences until an instant: when the first email of each would go if no time were forbidden, and its UTC day. */
export function occurrencesOf(
  automation: Automation,
  trigger: ReturnType<typeof dateOf>,
  zone: string,
  until: number,
) {
  const occurrences: (Start & { index: number; day: string; began: number })[] = [];
  const { repeat, delay_days, every_x_days, stop_after_days, delay_minutes, send_at } = automation;
  if (trigger === undefined) return occurrences;
  const time = send_at === null ? undefined : timeOf(send_at);
  // With a time of day, anniversaries are days of the zone. As everywhere here, a local time is written as if it were UTC.
  const isLocal = time !== undefined && repeat === 'yearly';
  const localDay = startOfDay(localTime(trigger.instant, zone));
  const date = isLocal && !trigger.isDay ? localDay : trigger.instant;
  // An email before the anniversaries goes before the date itself too.
  const k0 = repeat === 'yearly' && delay_days >= 0 ? 1 : 0;
  for (let k = k0; repeat !== 'once' || k === 0; k++) {
    const days = delay_days + (repeat === 'days' ? k * every_x_days : 0);
    if (repeat === 'days' && stop_after_days !== null && days > stop_after_days) break;
    const anniversary = repeat === 'yearly' ? anniversaryOf(date, k) : date;
    const moved = anniversary + days * DAY;
    let start = minuteOf(moved) + delay_minutes * MINUTE;
    // A date without a time is that day, wherever the member is.
    if (time !== undefined && (trigger.isDay || isLocal)) start = instantOf(moved + time, zone);
    else if (time !== undefined) start = nextAt(time, minuteOf(moved), zone);
    if (repeat !== 'once' && start >= until) break;
    const began = isLocal ? instantOf(anniversary, zone) : anniversary;
    occurrences.push({ start, time, index: k - k0, day: dayText(moved), began });
  }
  return occurrences;
}

export const hasLocalDays = ({ send_at, days_off, dates_off }: Automation) =>
  send_at !== null || days_off.length + dates_off.length > 0;

/** The zone in which times and days of an automation count for a member. */
export function zoneOf(automation: Automation, list: List, member: Membership, world: World): string {
  const ofList = list.zone ?? world.zone;
  if (automation.time_zone_of === 'organization') return world.zone;
  return automation.time_zone_of === 'list' ? ofList : (zoneIn(member.metadata) ?? ofList);
}
