import { DAY, HOUR } from '../../shared/time.ts';
import type { Driver } from './driver.ts';
import { people } from './people.ts';
import { type Played, play } from './play.ts';
import { setUp } from './setup.ts';

/** How long the history of the demo data is, and how many members its two lists have. */
export type Size = { days: number; members: number };
export const FULL: Size = { days: 60, members: 500 };

/** How far it is: on which of its days. */
export type Progress = { day: number; days: number };

/** In the morning, so many days ago. */
export const startOf = ({ days }: Size, now: number) => Math.floor(now / DAY - days) * DAY + 7 * HOUR;

/** Fills a stack whose clock is at the start of the history, until its clock has reached the present. */
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
  );
  report({ day: 1, days });
  return play(driver, company, all, {
    from,
    to: Date.now,
    reached: instant => report({ day: Math.min(days, 1 + Math.floor((instant - from) / DAY)), days }),
  });
}
