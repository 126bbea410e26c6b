/** How many emails a list in warm-up may still send, as `model.ts` counts them, by docs/sending.md alone. */
import { dayText, isoOf } from './clocks.ts';
import type { World } from './model.ts';

/** What is known of the last UTC day on which a list has sent: how many emails on each step, on which it was, and how many it sent. */
export type WarmUp = { steps: number[]; day: string; step: number; sent: number };

/** On the days of each step; after these a list has no limit. */
export const STEPS = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

export function warmUpsOf({ lists, automations }: World) {
  const known = new Map(lists.map(({ id, warmUp }) => [id, warmUp]));

  /** The first pack of a day begins it, on the next step if half of the last one was sent and the guard has found nothing since. */
  function onDay(list: string, instant: number) {
    const [last, day] = [known.get(list), dayText(instant)];
    if (last && day !== last.day) {
      const isUsed = last.sent * 2 >= allowedOf(last);
      const isNext = isUsed && !hasFound(list, last.day, isoOf(instant));
      known.set(list, { ...last, day, step: last.step + (isNext ? 1 : 0), sent: 0 });
    }
    const today = known.get(list);
    return { today, allowed: today ? allowedOf(today) : Number.POSITIVE_INFINITY, sent: today?.sent ?? 0 };
  }

  const hasFound = (list: string, since: string, until: string) =>
    automations.some(
      ({ lists, found }) => lists.includes(list) && found.some(at => at >= since && at <= until),
    );

  return {
    onDay,
    /** A broadcast leaves the last twentieth of a day to automations, except to the rest of people whom it has begun to mail. */
    isWorthwhile(list: string, instant: number, hasBegun: boolean): boolean {
      const { allowed, sent } = onDay(list, instant);
      return (
        sent < allowed && (hasBegun || allowed === Number.POSITIVE_INFINITY || allowed - sent >= allowed / 20)
      );
    },
    takeShare(list: string, instant: number): boolean {
      const { today, allowed, sent } = onDay(list, instant);
      if (sent >= allowed) return false;
      if (today) known.set(list, { ...today, sent: sent + 1 });
      return true;
    },
  };
}

const allowedOf = ({ steps, step }: WarmUp) => steps[step] ?? Number.POSITIVE_INFINITY;
