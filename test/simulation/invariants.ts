import type { Item } from '#core/storage/table.store.ts';
import type { Environment } from './environment.ts';
import { History } from './history.ts';
import * as batches from './invariants/batches.ts';
import * as broadcasts from './invariants/broadcasts.ts';
import * as claims from './invariants/claims.ts';
import * as existing from './invariants/existing.ts';
import * as mails from './invariants/mails.ts';
import * as marks from './invariants/marks.ts';
import * as occurrences from './invariants/occurrences.ts';
import * as provider from './invariants/provider.ts';
import * as sequences from './invariants/sequences.ts';
import * as table from './invariants/table.ts';
import * as values from './invariants/values.ts';
import * as warmUps from './invariants/warm-ups.ts';
import type { Model } from './organizations.ts';
import type { Outage } from './sending.ts';

/** A violated invariant, with the evidence. */
export type Violation = { invariant: string; found: string };

type Run = {
  environment: Environment;
  model: Model;
  start: number;
  until: number;
  outages: Outage[];
  /** The run had no outages, no faults and no revoked keys. */
  isCalm: boolean;
};

/** All processes of the run have ended. Faults and users have stopped at `until`. */
export type FinishedRun = Run &
  Pick<Environment, 'faults' | 'provider' | 'store'> & { history: History; items: Item[] };

type Check = (run: FinishedRun) => string[];

const noProcessFailsByItsOwnMistake: Check = ({ environment: { scheduler } }) => scheduler.mistakes;

/** What must hold when nothing happens any more, whatever has happened before. */
const INVARIANTS: Check[] = [
  noProcessFailsByItsOwnMistake,
  ...[
    table,
    mails,
    provider,
    claims,
    batches,
    marks,
    occurrences,
    existing,
    broadcasts,
    sequences,
    values,
    warmUps.CHECKS,
  ].flatMap(checks => Object.values<Check>(checks)),
];

/** The name as a sentence, such as `theWatermarkNeverMovesBack`. */
const sentence = ({ name }: Check) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

export function finishedRun(run: Run): FinishedRun {
  const { faults, provider, store } = run.environment;
  return { ...run, faults, provider, store, items: [...store.all()], history: new History(run.environment) };
}

export function violations(run: FinishedRun): Violation[] {
  return INVARIANTS.flatMap(check => check(run).map(found => ({ invariant: sentence(check), found })));
}
