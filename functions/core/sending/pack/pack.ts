import { createHash } from 'node:crypto';

/** An automation that is due for some members of a list, and the column in which they were found. */
export type PackSource = { list: string; column: string; automation: string };

/** One source by its place in the pack, and the minute of the trigger row that the member was found by. */
export type Due = [source: number, trigger: string];

/**
 * What is due in one minute for up to a thousand recipients of an organization: one message of the queue. All that is
 * due for one person is in one pack.
 */
export type Pack = {
  id: string;
  organization: number;
  /** In which it is due: `2030-01-01T09:30`. */
  minute: string;
  sources: PackSource[];
  people: [hash: string, due: Due[]][];
  /** All that is sent by it is claimed already. */
  isClaimed?: true;
  /** How often it was put off. */
  attempt?: number;
};

const MOST_PEOPLE = 1_000;
/** A message of SQS holds 256 KB. */
const MOST_DUE = 5_000;

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** A message of the queue. What only this system writes is looked at as far as another message may be mistaken for it. */
export function readPack(body: string): Pack {
  const pack: Partial<Pack> = JSON.parse(body);
  const isPack =
    typeof pack.id === 'string' &&
    Number.isInteger(pack.organization) &&
    MINUTE.test(pack.minute ?? '') &&
    Array.isArray(pack.sources) &&
    Array.isArray(pack.people);
  if (!isPack) throw new Error('This message is no pack');
  return pack as Pack;
}

/** Something due for one person. */
export type Found = PackSource & { hash: string; trigger: string };

export const minuteOf = (instant: Date) => instant.toISOString().slice(0, 16);
export const instantOf = (minute: string) => new Date(`${minute}:00.000Z`);

/** What is due in one minute, in packs of a bounded number of people. */
export function packsOf(
  { organization, minute, newId }: { organization: number; minute: string; newId: () => string },
  found: Found[],
): Pack[] {
  const byHash = Map.groupBy(found, ({ hash }) => hash);
  return bounded(byHash).map(some => {
    const sources: PackSource[] = [];
    const places = new Map<string, number>();
    const place = ({ list, column, automation }: PackSource) => {
      const key = `${list}#${column}#${automation}`;
      const known = places.get(key) ?? sources.push({ list, column, automation }) - 1;
      places.set(key, known);
      return known;
    };
    const people = some.map((hash): Pack['people'][number] => [
      hash,
      (byHash.get(hash) ?? []).map((one): Due => [place(one), one.trigger]),
    ]);
    return { id: newId(), organization, minute, sources, people };
  });
}

/** The people in parts, none of which holds too many or too much that is due. */
function bounded(byHash: Map<string, Found[]>): string[][] {
  const parts: string[][] = [];
  let [people, due]: [string[], number] = [[], 0];
  for (const hash of [...byHash.keys()].sort()) {
    const more = byHash.get(hash)?.length ?? 0;
    if (people.length === MOST_PEOPLE || (people.length > 0 && due + more > MOST_DUE)) {
      parts.push(people);
      [people, due] = [[], 0];
    }
    people.push(hash);
    due += more;
  }
  return people.length > 0 ? [...parts, people] : parts;
}

// SQS delays a message by at most this many seconds.
const LONGEST_DELAY = 900;
const FIRST_DELAY = 30;

/**
 * Longer with each attempt, never less than the provider asked for, and up to half as long again: packs that were put off
 * together come back one by one.
 */
export function delayOf({ id, attempt = 1 }: Pack, least = 0): number {
  const delay = Math.max(least, FIRST_DELAY * 2 ** (attempt - 1));
  return Math.min(LONGEST_DELAY, Math.ceil(delay * (1 + shareOf(id) / 2)));
}

/** From 0 to 1, the same for the same text. */
const shareOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/**
 * Some people of a pack again, in a pack of its own. Its id follows from what it repeats: whoever queues it twice queues
 * the same pack twice, which is sent once.
 */
export const followUp = (pack: Pack, of: string, people: Pack['people']): Pack => ({
  ...pack,
  id: createHash('sha256').update(`${pack.id}#${of}`).digest('hex').slice(0, 12),
  people,
  attempt: (pack.attempt ?? 0) + 1,
});
