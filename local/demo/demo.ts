import { DAY, HOUR } from '#shared/time.ts';
import type { Driver } from './driver.ts';
import { people } from './people.ts';
import { type Played, play } from './play.ts';
import { setUp } from './setup.ts';

/** The days of the demo history, and the number of members of its two lists. */
export type Size = { days: number; members: number };
export const FULL: Size = { days: 60, members: 500 };

/** The progress of the history: the present day of all days. */
export type Progress = { day: number; days: number };

/** The start of the history: in the morning, that many days ago. */
export const startOf = ({ days }: Size, now: number) => Math.floor(now / DAY - days) * DAY + 7 * HOUR;

/** Fills a stack whose clock is at the start of the history. Returns when the clock has reached the present. */
export async function fill(
  driver: Driver,
  session: string,
  { days, members }: Size,
  report: (progress: Progress) => void,
): Promise<Played> {
  const from = driver.now();
  const all = people(members, { from, to: Date.now() });
  const company = await setUp(
    driver,
    session,
    all.filter(({ joins }) => joins === undefined),
    Date.now(),
  );
  report({ day: 1, days });
  return play(driver, company, all, {
    from,
    to: Date.now,
    reached: instant => report({ day: Math.min(days, 1 + Math.floor((instant - from) / DAY)), days }),
  });
}
