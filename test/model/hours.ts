/** When an email may go, by switches, the days off of its automation, and the quiet hours of the organization. */
import { WEEKDAYS } from '#shared/schedule.ts';
import type { Skipped } from '#shared/send-status.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import { dayText, instantOf, localTime, minuteOf, startOfDay, timeOf } from './clocks.ts';
import type { Automation, Email, Switches, World } from './model.ts';

export type Start = { start: number; time?: number | undefined };

/** An email of a day off goes at the same time of the next day that is not off; one of quiet hours when they end. */
export function whenAllowed({ start, time }: Start, automation: Automation, zone: string, world: World) {
  let [at, local] = [start, localTime(start, zone)];
  let day = dayText(local);
  for (let isFirst = true; ; isFirst = false) {
    if (isDayOff(local, automation)) {
      if (isFirst && time !== undefined) local = startOfDay(local) + time;
      while (isDayOff(local, automation)) local += DAY;
      at = instantOf(local, zone);
      // It counts for the day on which it would go without quiet hours.
      if (isFirst) day = dayText(local);
    }
    const end = endOfQuiet(at, world);
    if (at === end) return { at, day };
    [at, local] = [end, localTime(end, zone)];
  }
}

function isDayOff(local: number, { days_off, dates_off }: Automation): boolean {
  const weekday = WEEKDAYS[new Date(local).getUTCDay()];
  return days_off.some(day => day === weekday) || dates_off.includes(dayText(local));
}

export function endOfQuiet(instant: number, world: World): number {
  const local = localTime(instant, world.zone);
  // Both as times after they begin, since they may end on the next day.
  const lefts = world.quiet.map(
    ({ from, until }) => ((timeOf(until) - timeOf(from) + DAY) % DAY) - ((local - timeOf(from)) % DAY),
  );
  const left = Math.max(0, ...lefts);
  if (left === 0) return instant;
  // Clocks may change meanwhile.
  const isSteady = localTime(instant + left, world.zone) === local + left;
  return endOfQuiet(instant + (isSteady ? left : MINUTE), world);
}

const lastSwitch = (switches: Switches, now: number) => switches.findLast(({ at }) => Date.parse(at) <= now);

/** On since the minute in which the email was due: what falls due while something is off is not sent later. */
export function wasOn(switches: Switches, minute: number, now = minute + MINUTE): boolean {
  const last = lastSwitch(switches, now);
  return last?.on === true && minuteOf(Date.parse(last.at)) <= minute;
}

const isOn = (switches: Switches, minute: number) => lastSwitch(switches, minute + MINUTE)?.on === true;

/** Something of a broadcast is off, or has no key, when an email of it is due. */
export const isStopping = ({ automation: { lists, broadcast }, due }: Email, world: World) =>
  broadcast !== undefined &&
  (!isOn(world.switches, due) ||
    world.lists.some(list => lists.includes(list.id) && !(list.hasKey && isOn(list.switches, due))));

/** Whether something was off. Of a broadcast `isStopping` asks it: whether it is on now, not whether it was. */
export function offFor(
  { automation, list, due, late, existing, isShared }: Email,
  world: World,
): Skipped | undefined {
  const { switches } = automation;
  if (!wasOn(world.switches, due, late)) return 'organization_off';
  const last = lastSwitch(switches, late ?? due + MINUTE);
  if (last?.on !== true) return last?.byGuard ? 'guard_off' : 'automation_off';
  if (!wasOn(list.switches, due, late)) return 'list_off';
  const isOff = existing ? last.at > existing.pass : !wasOn(switches, due, late);
  if (!list.hasKey && !(isShared && isOff)) return 'no_key';
  return isOff ? 'automation_off' : undefined;
}

/** How often its automation had been switched on after a pause of the guard. */
export const resumesOf = ({ automation: { switches }, due, late = due + MINUTE }: Email) =>
  switches.filter(({ at }, place) => switches[place - 1]?.byGuard && Date.parse(at) <= late).length;
