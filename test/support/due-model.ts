import type { DueRule } from '#core/automation/due/occurrences.ts';
import { OCCURRENCES } from '#shared/schedule.ts';

// A second implementation of what is due, as simple as possible.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type ModelEmail = { key: string; k: number; copy: 1 | 2 | 3; at: Date };

const minuteOfDay = (instant: Date) => instant.getUTCHours() * 60 + instant.getUTCMinutes();
const dayNumber = (instant: Date) =>
  Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()) / DAY;

/** The occurrence that falls due in this minute, if any. */
function occurrenceAt(trigger: Date, automation: DueRule, minute: Date): number | undefined {
  if (minuteOfDay(trigger) !== minuteOfDay(minute)) return undefined;
  const days = dayNumber(minute) - dayNumber(trigger);
  const { repeat, delay_days: delay, every_x_days: every, stop_after_days: stop } = automation;
  if (repeat === 'once') return days === delay ? 0 : undefined;
  if (repeat === 'yearly') return anniversaryOn(trigger, new Date(minute.getTime() - delay * DAY), delay);
  if (days < delay || (days - delay) % every !== 0) return undefined;
  if (stop !== null && days > stop) return undefined;
  return (days - delay) / every;
}

function anniversaryOn(trigger: Date, day: Date, delay: number): number | undefined {
  const [year, date] = [day.getUTCFullYear(), day.toISOString().slice(5, 10)];
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const wanted = trigger.toISOString().slice(5, 10);
  if (date !== (wanted === '02-29' && !isLeap ? '02-28' : wanted)) return undefined;
  const years = year - trigger.getUTCFullYear();
  const k = delay < 0 ? years : years - 1;
  return k < 0 ? undefined : k;
}

function emailsOf(automation: DueRule, k: number): number {
  const nth = OCCURRENCES[k];
  if (nth === undefined) return 1;
  if (automation[`triple_send_${nth}`]) return 3;
  return automation[`double_send_${nth}`] ? 2 : 1;
}

function dueInMinute(trigger: Date, automation: DueRule, minute: Date): ModelEmail[] {
  const { active_since: since } = automation;
  // The minute in which it was switched on counts.
  if (since !== undefined && minute.getTime() + MINUTE <= Date.parse(since)) return [];
  return ([1, 2, 3] as const).flatMap(copy => {
    const shift = automation.delay_minutes ?? 0;
    const first = new Date(minute.getTime() - ((copy - 1) * 6 * 60 + shift) * MINUTE);
    const k = occurrenceAt(trigger, automation, first);
    if (k === undefined || copy > emailsOf(automation, k)) return [];
    return [{ key: `${automation.id}#${first.toISOString().slice(0, 10)}#${copy}`, k, copy, at: minute }];
  });
}

const SIX_HOURS = 6 * 60 * MINUTE;

/** Computes what is due in a month, by checking only minutes at multiples of six hours from the date. */
export function dueByQuickModel(trigger: Date, automation: DueRule, from: Date, until: Date): ModelEmail[] {
  const emails: ModelEmail[] = [];
  const first = Math.floor(trigger.getTime() / MINUTE + (automation.delay_minutes ?? 0)) * MINUTE;
  const steps = Math.ceil((from.getTime() - first) / SIX_HOURS);
  for (let at = first + steps * SIX_HOURS; at < until.getTime(); at += SIX_HOURS) {
    emails.push(...dueInMinute(trigger, automation, new Date(at)));
  }
  return emails;
}
