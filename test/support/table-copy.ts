import type { Backups } from '../../functions/core/storage/restore/restore.ts';
import {
  batchWrite,
  deleteAll,
  type Item,
  type Key,
  type Table,
} from '../../functions/core/storage/table.store.ts';
import { allItems } from './scan.ts';

/** Makes a table what another one was when its items were read. */
export async function fill(table: Table, items: (Item & Key)[]): Promise<void> {
  await deleteAll(table, await allItems(table));
  await batchWrite(table, { puts: items });
}

/** In the place of AWS: a copy is made of items that were read before, in a table that is there. */
export const backupsTo = (copy: Table, items: () => (Item & Key)[]): Backups => {
  let isFilled = false;
  return {
    begin: async () => {
      if (!isFilled) await fill(copy, items());
      isFilled = true;
    },
    isReady: async () => isFilled,
    open: () => copy,
    complete: async () => ({ stream: 'a stream' }),
  };
};
