import type { Sampled } from '../../../../shared/simulation.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import { inParallel } from '../../parallel.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Plan } from './plan.ts';

/** So many people are looked at one by one; of more, a part of them stands for all. */
export const MOST_PEOPLE = 10_000;
const MOST_AT_ONCE = 32;

type Needs = {
  table: Table;
  now: Date;
  hasTime: () => boolean;
  /** Of more people, a part of so many. */
  mostPeople?: number;
};

/**
 * Reads people as a sender does, for as long as there is time. Of more than can be looked at, those with the lowest hashes
 * are: a hash is random, so they are a sample. Answers how many were read.
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
    since: new Date(now.getTime() - safeguards.LONGEST_WINDOW),
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

/** Sorted, but not all of a million. */
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

/** Adds numbers of people up, some of whom may stand for all. */
export class Estimate {
  #sum = 0;
  #squares = 0;

  /** What one person adds. */
  add(count: number): void {
    this.#sum += count;
    this.#squares += count * count;
  }

  /** By how much what all people add up to may differ from what these do, in 19 of 20 samples. */
  sampled(people: number, of: number): Sampled | null {
    if (people >= of) return null;
    if (people === 0) return { people, of, margin: 0 };
    const mean = this.#sum / people;
    const variance = Math.max(0, this.#squares / people - mean * mean);
    const error = of * Math.sqrt((variance / people) * (1 - people / of));
    return { people, of, margin: Math.ceil(1.96 * error) };
  }
}
