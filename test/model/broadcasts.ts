/** Whether a broadcast goes on, as `model.ts` counts it. */
import { ANY_TIME, type MultipleSends } from '#shared/schedule.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import { startOfDay } from './clocks.ts';
import { isStopping } from './hours.ts';
import type { Broadcast, Email, Sender, World } from './model.ts';
import type { warmUpsOf } from './warm-ups.ts';

/**
 * It goes until it is stopped; where it is sent to the rest within two days, then to all once more. It skips nobody
 * for a warm-up: where little is left of a day of its list, it waits there until the same time of the next day.
 */
export function broadcastsOf(world: World, warmUps: ReturnType<typeof warmUpsOf>) {
  const [stops, waits, begun] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()];
  const runOf = ({ automation, isRest }: Email) => `${automation.id} ${isRest}`;
  const placeOf = (email: Email) => `${runOf(email)} ${email.list.id}`;
  const isNext = (email: Email) => (email.days ?? 0) === (waits.get(placeOf(email)) ?? 0);

  /** Before anything of a pack is decided. */
  function look(pack: Email[]): void {
    for (const email of pack.filter(isNext)) {
      const run = runOf(email);
      if (isStopping(email, world) && !stops.has(run)) stops.set(run, email.due + MINUTE);
    }
  }

  function isGoing(email: Email): boolean {
    const { days = 0, automation, list, due, first = due, isRest } = email;
    if (!automation.broadcast) return true;
    const { id, rest, hasContent } = automation.broadcast;
    const now = due + MINUTE;
    if (stops.has(runOf(email)) || !isNext(email)) return false;
    const waited = Date.parse(rest ?? '') - (stops.get(`${id} undefined`) ?? Number.NaN);
    if (isRest && !(hasContent && waited >= 0 && waited <= 2 * DAY)) return false;
    const page = `${placeOf(email)} ${due}`;
    if (warmUps.isWorthwhile(list.id, now, begun.has(page))) {
      begun.add(page);
      return true;
    }
    const next = [1, 2, 3, 4].find(more => first + more * DAY + MINUTE >= startOfDay(now) + DAY) ?? 0;
    waits.set(placeOf(email), days + next);
    return false;
  }

  return { look, isGoing };
}

export const senderOf = (broadcast: Broadcast): Sender => ({
  ...ONCE,
  ...broadcast,
  time_zone_of: broadcast.local_at === null ? 'organization' : 'member',
  broadcast,
});
const DELAYS = { every_x_days: 1, delay_days: 0, delay_minutes: 0, stop_after_days: null };
const SOURCES = { column: null, switches: [], passes: [], found: [], holdout: 0 };
const ONCE = { repeat: 'once' as const, ...DELAYS, ...ANY_TIME, ...SOURCES, ...({} as MultipleSends) };
