import { inParallel } from '../../parallel.ts';
import { deletePage, queryPartition, type Table } from '../../storage/table.store.ts';
import { PRESENT, updateItem } from '../../storage/write.store.ts';
import { CLICKS } from './click.store.ts';
import { JOURNAL } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

const MOST_AT_ONCE = 20;

/**
 * Deletes what emails have left of somebody that may name them: where their clicks led, what the provider said of
 * their address, and what their emails said. The claims are marked first, after which no click is stored any more.
 */
export async function eraseTraces(table: Table, key: RecipientKey): Promise<void> {
  const entries = await queryPartition(table, partitionOf(key), JOURNAL);
  const claims = entries.filter(({ type, erased }) => type === 'send' && !erased);
  await inParallel(claims, MOST_AT_ONCE, ({ PK, SK }) =>
    updateItem(
      table,
      { PK: String(PK), SK: String(SK) },
      { set: { erased: true }, drop: ['bounce_reason', 'values', 'trigger'] },
      PRESENT,
    ),
  );
  while (await deletePage(table, partitionOf(key), CLICKS));
}
