import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import * as rollup from '../rollup/rollup.ts';

export type DayCounts = { day: string; sent: number; clicked: number };
/** By the hash of an automation, by combination, by day. */
type CountsByAutomation = Map<string, Map<string, Map<string, DayCounts>>>;

type Needs = { table: Table; hasTime: () => boolean };

// 5,000 combinations are some six megabytes, of which a query answers one at a time.
const DAYS_OF_PART = 12;

/** What each automation has sent of each combination on each of the days, and what was clicked of it. */
export async function readByAutomation(
  { table, hasTime }: Needs,
  organization: number,
  days: rollup.Days,
): Promise<CountsByAutomation> {
  const counts: CountsByAutomation = new Map();
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    for (const item of items) for (const one of rollup.countsByAutomation(item)) add(counts, one);
    if (!hasTime()) throw tooMuch();
  });
  return counts;
}

function add(
  counts: CountsByAutomation,
  { automation, combination, day, counted, count }: rollup.CountsOfAutomation,
): void {
  const ofAutomation = within(counts, automation, () => new Map());
  const ofCombination = within(ofAutomation, combination, () => new Map());
  within(ofCombination, day, () => ({ day, sent: 0, clicked: 0 }))[counted] += count;
}

function within<V>(map: Map<string, V>, key: string, made: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = made();
    map.set(key, value);
  }
  return value;
}

/** Who makes a comparison of a part of the days would get another answer each time. */
export const tooMuch = () =>
  new Refusal('invalid', 'Too much was sent in this quarter to be compared at once. Please try again.');
