import { inParallel } from '../../parallel.ts';
import { deletePage, queryPartition, type Table } from '../../storage/table.store.ts';
import { PRESENT, updateItem } from '../../storage/write.store.ts';
import { CLICKS } from './click.store.ts';
import { JOURNAL } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

const MOST_AT_ONCE = 20;

/**
 * Deletes what emails have left of somebody beside their journal, which may name them: where their clicks led, and what
 * the provider said of their address. The claims are marked first, after which no click is stored any more.
 */
export async function eraseTraces(table: Table, key: RecipientKey): Promise<void> {
  const entries = await queryPartition(table, partitionOf(key), JOURNAL);
  const claims = entries.filter(({ type, erased }) => type === 'send' && !erased);
  await inParallel(claims, MOST_AT_ONCE, ({ PK, SK }) =>
    updateItem(
      table,
      { PK: String(PK), SK: String(SK) },
      { set: { erased: true }, drop: ['bounce_reason'] },
      PRESENT,
    ),
  );
  while (await deletePage(table, partitionOf(key), CLICKS));
}
