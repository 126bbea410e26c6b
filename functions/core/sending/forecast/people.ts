import * as caps from '#core/organization/caps.ts';
import { inParallel } from '#core/parallel.ts';
import * as recipient from '#core/recipient/claim.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Sampled } from '#shared/simulation.ts';
import type { Plan } from './plan.ts';

/** So many people are read at most; of more, a sample. */
export const MOST_PEOPLE = 10_000;
const MOST_AT_ONCE = 32;

type Needs = {
  table: Table;
  now: Date;
  hasTime: () => boolean;
  /** The size of the sample, if there are more. */
  mostPeople?: number;
};

/**
 * Reads people as a sender does, for as long as there is time. If there are too many, those with the lowest hashes are read:
 * hashes are random, so this is a sample. Returns how many were read.
 */
export async function readPeople(
  { table, now, hasTime, mostPeople = MOST_PEOPLE }: Needs,
  plans: Plan[],
  hashes: ReadonlySet<string>,
  work: (hash: string, person: recipient.Person) => void,
): Promise<number> {
  const organization = plans.find(plan => plan.organization)?.organization?.id;
  if (organization === undefined) return 0;
  const reach = {
    since: new Date(now.getTime() - caps.LONGEST_WINDOW),
    enough: Math.max(
      ...plans.map(({ safeguards: limits }) =>
        limits.enabled ? limits.max_emails_1_week : Number.POSITIVE_INFINITY,
      ),
    ),
    consistent: false,
  };
  let read = 0;
  await inParallel(lowest(hashes, mostPeople), MOST_AT_ONCE, async hash => {
    if (!hasTime()) return;
    work(hash, await recipient.readPerson(table, { organization, hash }, reach));
    read++;
  });
  return read;
}

/** Sorts at most twice as many as it returns, instead of a million. */
function lowest(hashes: ReadonlySet<string>, most: number): string[] {
  let found: string[] = [];
  let highest = '';
  for (const hash of hashes) {
    if (found.length >= most && hash > highest) continue;
    found.push(hash);
    if (found.length < 2 * most) continue;
    found = found.sort().slice(0, most);
    highest = found.at(-1) ?? '';
  }
  return found.sort().slice(0, most);
}

/** Sums up a number for each person, and estimates the error if they are a sample. */
export class Estimate {
  #sum = 0;
  #squares = 0;

  add(count: number): void {
    this.#sum += count;
    this.#squares += count * count;
  }

  /** The margin of error of the sum for all people, at 95 percent; null if all of them were read. */
  sampled(people: number, of: number): Sampled | null {
    if (people >= of) return null;
    if (people === 0) return { people, of, margin: 0 };
    const mean = this.#sum / people;
    const variance = Math.max(0, this.#squares / people - mean * mean);
    const error = of * Math.sqrt((variance / people) * (1 - people / of));
    return { people, of, margin: Math.ceil(1.96 * error) };
  }
}
