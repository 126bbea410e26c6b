import { History } from './history.ts';
import * as batches from './invariants/batches.ts';
import * as claims from './invariants/claims.ts';
import * as mails from './invariants/mails.ts';
import * as marks from './invariants/marks.ts';
import * as occurrences from './invariants/occurrences.ts';
import * as provider from './invariants/provider.ts';
import * as table from './invariants/table.ts';
import * as values from './invariants/values.ts';
import type { Model } from './organizations.ts';
import type { Outage } from './sending.ts';
import type { World } from './world.ts';

/** What must never be, and where it was found. */
export type Violation = { invariant: string; found: string };

/** A run that has come to rest. Faults and users stopped at `until`. */
export type Rest = {
  world: World;
  model: Model;
  start: number;
  until: number;
  outages: Outage[];
  history: History;
  isCalm: boolean;
};

type Check = (rest: Rest) => string[];

const noProcessFailsByItsOwnMistake: Check = ({ world: { scheduler } }) => scheduler.mistakes;

/** What holds when everything has come to rest, whatever happened before. */
const INVARIANTS: Check[] = [
  noProcessFailsByItsOwnMistake,
  ...[table, mails, provider, claims, batches, marks, occurrences, values].flatMap(of =>
    Object.values<Check>(of),
  ),
];

/** `theWatermarkNeverMovesBack` as a sentence. */
const sentence = ({ name }: Check) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

export const restOf = (run: Omit<Rest, 'history'>): Rest => ({ ...run, history: new History(run.world) });

export function violations(rest: Rest): Violation[] {
  return INVARIANTS.flatMap(check => check(rest).map(found => ({ invariant: sentence(check), found })));
}
