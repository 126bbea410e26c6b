import * as table from './invariants/table.ts';
import type { Model } from './organizations.ts';
import type { World } from './world.ts';

/** What must never be, and where it was found. */
export type Violation = { invariant: string; found: string };

/** A run that has come to rest. Faults and users stopped at `until`. */
export type Rest = { world: World; model: Model; start: number; until: number };

type Check = (rest: Rest) => string[];

const noProcessFailsByItsOwnMistake: Check = ({ world: { scheduler } }) => scheduler.mistakes;

/** What holds when everything has come to rest, whatever happened before. */
const INVARIANTS: Check[] = [noProcessFailsByItsOwnMistake, ...Object.values(table)];

/** `theWatermarkNeverMovesBack` as a sentence. */
const sentence = ({ name }: Check) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

export const violations = (rest: Rest): Violation[] =>
  INVARIANTS.flatMap(check => check(rest).map(found => ({ invariant: sentence(check), found })));
