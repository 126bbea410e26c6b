import { SECOND } from '#shared/time.ts';
import { epochSeconds, get, type Table } from './table.store.ts';
import { putItem } from './write.store.ts';

/** A change that is older when it is delivered is late. */
const LATE = 60 * SECOND;
/** How long a note is valid. A failed batch of records is delivered again within this time, and noted again. */
const VALID = 3 * 60 * SECOND;
const KEPT = 24 * 60 * 60;

const KEY = { PK: 'LAG', SK: '-' };

type Needs = { table: Table; now: Date };

/**
 * Notes how far the projector is behind, if a batch of records from a shard of the stream begins with a late change. Of
 * several shards the one that is furthest behind is kept. Nothing is written if no change is late.
 */
export async function storeLag({ table, now }: Needs, shard: string, oldest: Date): Promise<void> {
  if (now.getTime() - oldest.getTime() < LATE) return;
  const note = { shard, counted_until: oldest.toISOString(), noted_at: now.toISOString() };
  await putItem(
    table,
    { ...KEY, ...note, ttl: epochSeconds(now) + KEPT },
    {
      condition: 'attribute_not_exists(PK) OR #shard = :shard OR noted_at < :valid OR counted_until > :until',
      names: { '#shard': 'shard' },
      values: {
        ':shard': shard,
        ':valid': new Date(now.getTime() - VALID).toISOString(),
        ':until': note.counted_until,
      },
    },
  );
}

/** The instant up to which all changes are counted. Returns null if the projector is not known to be behind. */
export async function countedUntil({ table, now }: Needs): Promise<string | null> {
  const note = await get(table, KEY, { consistent: false });
  const isValid = note && Date.parse(String(note.noted_at)) + VALID >= now.getTime();
  return isValid ? String(note.counted_until) : null;
}
