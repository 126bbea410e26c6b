import * as rollup from '#core/counters/rollup.store.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';

export type DayCounts = { day: string; sent: number; clicked: number };
/** By the hash of an automation, by combination, by day. */
type CountsByAutomation = Map<string, Map<string, Map<string, DayCounts>>>;

type Needs = { table: Table; hasTime: () => boolean };

// Of 5,000 combinations, so many days are some 6 MB. A query returns 1 MB at a time.
const DAYS_OF_PART = 12;

/** The sent and the clicked emails of each automation, by combination and day. */
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
  const ofAutomation = getOrAdd(counts, automation, () => new Map());
  const ofCombination = getOrAdd(ofAutomation, combination, () => new Map());
  getOrAdd(ofCombination, day, () => ({ day, sent: 0, clicked: 0 }))[counted] += count;
}

function getOrAdd<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

/** Refused, since a comparison of the days that were read in time would have another result each time. */
export const tooMuch = () =>
  new Refusal('invalid', 'Too much was sent in this quarter to be compared at once. Please try again.');
