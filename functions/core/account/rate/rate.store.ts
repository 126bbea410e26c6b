import { epochSeconds, type Table } from '../../storage/table.store.ts';
import { updateItem } from '../../storage/write.store.ts';

const KEPT = 60 * 60;

/** Counts a call in this window; false where the window has `most` calls already. */
export async function count(
  table: Table,
  organization: number,
  { start, name }: { start: Date; name?: string | undefined },
  most: number,
): Promise<boolean> {
  const counted = await updateItem(
    table,
    { PK: ['RATE', organization, ...(name ? [name] : [])].join('#'), SK: start.toISOString() },
    { add: { calls: 1 }, set: { ttl: epochSeconds(start) + KEPT } },
    { condition: 'attribute_not_exists(calls) OR calls < :most', values: { ':most': most } },
  );
  return counted !== undefined;
}
