import type { Environment } from './environment.ts';
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

/** A violated invariant, with the evidence. */
export type Violation = { invariant: string; found: string };

/** A run after all of its processes have ended. Faults and users have stopped at `until`. */
export type FinishedRun = {
  environment: Environment;
  model: Model;
  start: number;
  until: number;
  outages: Outage[];
  history: History;
  /** Whether the run had no outages, no faults and no revoked keys. */
  isCalm: boolean;
};

type Check = (run: FinishedRun) => string[];

const noProcessFailsByItsOwnMistake: Check = ({ environment: { scheduler } }) => scheduler.mistakes;

/** What must hold when nothing happens any more, whatever has happened before. */
const INVARIANTS: Check[] = [
  noProcessFailsByItsOwnMistake,
  ...[table, mails, provider, claims, batches, marks, occurrences, values].flatMap(of =>
    Object.values<Check>(of),
  ),
];

/** The name as a sentence, such as `theWatermarkNeverMovesBack`. */
const sentence = ({ name }: Check) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

export const finishedRun = (run: Omit<FinishedRun, 'history'>): FinishedRun => ({
  ...run,
  history: new History(run.environment),
});

export function violations(run: FinishedRun): Violation[] {
  return INVARIANTS.flatMap(check => check(run).map(found => ({ invariant: sentence(check), found })));
}
