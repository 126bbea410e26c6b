import type { Key } from '../../storage/table.store.ts';
import type { Write } from '../../storage/write.store.ts';
import type { Sums } from './sums.ts';

/** Counters that are counted together. */
export type Part = {
  name: string;
  /** What is stored of them and what it should be; of these items at least, where some are named. */
  read: (among?: Key[]) => Promise<{ stored: Sums; counted: Sums }>;
  /** Further conditions on which a counter may be changed. */
  guardOf: (key: Key) => Write[];
};
