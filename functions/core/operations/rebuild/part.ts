import type { Key } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import type { Sums } from './sums.ts';

/** Counters that are counted anew together. */
export type Part = {
  name: string;
  /** Reads what is stored of them, and counts what it should be. With `among`, at least for these items. */
  read: (among?: Key[]) => Promise<{ stored: Sums; counted: Sums }>;
  /** Further conditions of the write that corrects a counter. */
  guardOf: (key: Key) => Write[];
};
