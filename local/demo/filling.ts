import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, storeOffset } from '../clock.ts';
import { has, mark, unmark } from '../marks.ts';
import { Mistake, messageOf } from '../mistake.ts';
import type { Timekeeper } from '../timekeeper.ts';
import { fill, type Progress, type Size, startOf } from './demo.ts';
import { type Needs, newDriver } from './driver.ts';
import type { Played } from './play.ts';
import { signIn } from './setup.ts';

/** What is to be created in a data directory. */
export type Demo = 'history' | 'user' | 'nothing';

/** Must be called before anything is stored, since the clock of a history begins in the past. */
export function prepareDemo(dataDir: string, size: Size | undefined): Demo {
  if (!size || has(dataDir, 'demo-data')) return 'nothing';
  // A history cannot be played if there is stored data already.
  if (existsSync(join(dataDir, 'dynamodb.sqlite')) || process.env.DYNAMODB_ENDPOINT) return 'user';
  mark(dataDir, 'incomplete');
  storeOffset(dataDir, startOf(size, Date.now()) - Date.now());
  return 'history';
}

export type Filling = {
  /** Undefined if nothing is being created. */
  progress: () => Progress | undefined;
  /** Settles when the demo data is complete, or the stack ends. */
  filled: Promise<Played | undefined>;
};

type Place = Needs & {
  dataDir: string;
  clock: Pick<Clock, 'now' | 'endPast'>;
  timekeeper: Pick<Timekeeper, 'play' | 'jump'>;
  reached: (progress: Progress) => void;
};

/** Resolves when the demo user can sign in. The rest of the demo data is created in the background. */
export async function beginFilling(demo: Demo, size: Size, place: Place): Promise<Filling> {
  if (demo === 'nothing') return { progress: () => undefined, filled: Promise.resolve(undefined) };
  const { dataDir, signal } = place;
  const driver = newDriver(place);
  const session = await signIn(driver);
  if (demo === 'user') {
    mark(dataDir, 'demo-data');
    return { progress: () => undefined, filled: Promise.resolve(undefined) };
  }
  // Otherwise the first code in the inbox would be one that is used already.
  await place.inbox.clear();
  let progress: Progress | undefined = { day: 1, days: size.days };

  async function playHistory(): Promise<Played> {
    let reached = 0;
    try {
      return await fill(driver, session, size, next => {
        if (next.day !== reached) place.reached(next);
        reached = next.day;
        progress = next;
      });
    } finally {
      if (!signal.aborted) await toPresent();
    }
  }

  /** Not retried if it fails: a user may have changed the data since. */
  async function toPresent(): Promise<void> {
    await place.timekeeper.jump(Date.now());
    place.clock.endPast();
    mark(dataDir, 'demo-data');
    unmark(dataDir, 'incomplete');
    progress = undefined;
  }

  const filled = playHistory().catch(error => {
    if (signal.aborted) return undefined;
    throw new Mistake(`The demo data is incomplete: ${messageOf(error)}\nStart with --fresh to start over.`);
  });
  // Callers may await it. If none does, a rejection must not end the process.
  filled.catch(() => {});
  return { progress: () => progress, filled };
}
