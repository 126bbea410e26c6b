import { inParallel } from '../../parallel.ts';
import { deletePage, type Item, prefixPages, type Table } from '../../storage/table.store.ts';
import { PRESENT, updateItem } from '../../storage/write.store.ts';
import { CLICKS } from './click.store.ts';
import { JOURNAL } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

const MOST_AT_ONCE = 20;

/**
 * Deletes what emails have left of somebody that may name them: where their clicks led, what the provider said of
 * their address, and what their emails said. The claims are marked first, after which nothing of this is stored any more.
 * False where there was no time for all of it.
 */
export async function eraseTraces(table: Table, key: RecipientKey, hasTime: () => boolean): Promise<boolean> {
  for await (const entries of prefixPages(table, partitionOf(key), JOURNAL)) {
    const claims = entries.filter(({ type, erased }) => type === 'send' && !erased);
    await inParallel(claims, MOST_AT_ONCE, claim => eraseClaim(table, claim));
    if (!hasTime()) return false;
  }
  while (await deletePage(table, partitionOf(key), CLICKS)) if (!hasTime()) return false;
  return true;
}

const eraseClaim = (table: Table, { PK, SK }: Item) =>
  updateItem(
    table,
    { PK: String(PK), SK: String(SK) },
    { set: { erased: true }, drop: ['bounce_reason', 'values', 'trigger'] },
    PRESENT,
  );
