import type { Counter } from '#core/storage/projection.ts';
import { type Item, type Key, textOf } from '#core/storage/table.store.ts';

/** Numbers of one item. */
export type Numbers = { key: Key; exists: boolean; numbers: Record<string, number> };
/** Items with numbers, by their keys. */
export type Sums = Map<string, Numbers>;

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
