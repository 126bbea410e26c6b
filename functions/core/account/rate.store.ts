import { epochSeconds, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';

const KEPT = 60 * 60;

const partition = (organization: number, route: string | undefined) =>
  route === undefined ? `RATE#${organization}` : `RATE#${organization}#${route}`;

/** Counts calls in this window. Returns false if fewer than these are left of `most`. */
export async function count(
  table: Table,
  organization: number,
  { start, name }: { start: Date; name?: string | undefined },
  { most, calls }: { most: number; calls: number },
): Promise<boolean> {
  const counted = await updateItem(
    table,
    { PK: partition(organization, name), SK: start.toISOString() },
    { add: { calls }, set: { ttl: epochSeconds(start) + KEPT } },
    { condition: 'attribute_not_exists(calls) OR calls < :most', values: { ':most': most - calls + 1 } },
  );
  return counted !== undefined;
}
