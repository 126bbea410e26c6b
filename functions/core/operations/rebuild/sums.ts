import type { Counter } from '#core/storage/projection.ts';
import { type Item, type Key, textOf } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';

/** Counters that are counted anew together. */
export type Part = {
  name: string;
  /** Reads what is stored of them, and counts what it should be. With `among`, at least for these items. */
  read: (among?: Key[]) => Promise<{ stored: Sums; counted: Sums }>;
  /** Further conditions of the write that corrects a counter. */
  guardOf: (key: Key) => Write[];
};
/** Items with numbers, by their keys. */
export type Sums = Map<string, Numbers>;

/** Numbers of one item. */
type Numbers = { key: Key; exists: boolean; numbers: Record<string, number> };

export function add(sums: Sums, counters: Counter[]): void {
  for (const { key, add } of counters) {
    const { numbers } = sums.get(textOf(key)) ?? set(sums, key, {}, false);
    for (const [name, value] of Object.entries(add)) numbers[name] = (numbers[name] ?? 0) + value;
  }
}

function set(sums: Sums, key: Key, numbers: Record<string, number>, exists: boolean): Numbers {
  const one = { key, exists, numbers };
  sums.set(textOf(key), one);
  return one;
}

/** The counted numbers of some items. */
export function sumsIn(items: Item[], isCounted: (name: string) => boolean): Sums {
  const sums: Sums = new Map();
  for (const { PK, SK, ...fields } of items) {
    const numbers = Object.entries(fields)
      .filter(([name]) => isCounted(name))
      .map(([name, value]): [string, number] => [name, Number(value)]);
    set(sums, { PK: String(PK), SK: String(SK) }, Object.fromEntries(numbers), true);
  }
  return sums;
}

/** A stored number that differs from what was counted. */
export type Difference = {
  key: Key;
  /** Whether there is such an item. */
  exists: boolean;
  name: string;
  /** Undefined if the item has no such number. */
  stored: number | undefined;
  counted: number;
};

export function differences(stored: Sums, counted: Sums): Difference[] {
  return [...new Set([...stored.keys(), ...counted.keys()])].flatMap(text => {
    const [is, should] = [stored.get(text), counted.get(text)];
    const key = (is ?? should)?.key as Key;
    const names = [is, should].flatMap(one => Object.keys(one?.numbers ?? {}));
    return [...new Set(names)].sort().flatMap((name): Difference[] => {
      const [was, now = 0] = [is?.numbers[name], should?.numbers[name]];
      return (was ?? 0) === now ? [] : [{ key, exists: is !== undefined, name, stored: was, counted: now }];
    });
  });
}

export const differenceId = ({ key, name }: Pick<Difference, 'key' | 'name'>) => `${textOf(key)}\n${name}`;

export const isSame = (a: Difference | undefined, b: Difference) =>
  a?.exists === b.exists && a.stored === b.stored && a.counted === b.counted;

const REPORTED_EVERY = 50_000;

/** Counts what was read, and reports it after each 50,000: `wording` makes a line of the number. */
export function progressTicker(report: (line: string) => void, wording: (count: string) => string) {
  let count = 0;
  return (more: number): void => {
    const reported = Math.floor(count / REPORTED_EVERY);
    count += more;
    if (Math.floor(count / REPORTED_EVERY) > reported) report(wording(count.toLocaleString('en-US')));
  };
}
