import { inParallel } from '#core/parallel.ts';
import { deletePage, type Item, prefixPages, type Table } from '#core/storage/table.store.ts';
import { PRESENT, updateItem } from '#core/storage/write.store.ts';
import { CLICKS } from './click.store.ts';
import { JOURNAL } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

const MOST_AT_ONCE = 20;

/**
 * Deletes what is stored with the emails of a person and may name them: the values of the emails, bounce reasons, and the
 * URLs of clicks. The claims are marked as erased first, after which nothing of this is stored any more. Returns false if
 * the time ran out.
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
