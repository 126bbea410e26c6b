import type { Backups } from '#core/operations/restore.ts';
import { batchWrite, deleteAll, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import { allItems } from './scan.ts';

export async function fill(table: Table, items: (Item & Key)[]): Promise<void> {
  await deleteAll(table, await allItems(table));
  await batchWrite(table, { puts: items });
}

/** Replaces the backups of AWS: a restore fills an existing table with items that were read before. */
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
