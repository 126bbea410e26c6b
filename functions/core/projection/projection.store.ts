import { ABSENT, epochSeconds, get, put, type Table, type Write } from '../table.store.ts';

/** How far a shard of the stream is counted: its last record, and how many parts of the record behind it. */
export type Position = { sequence: string; parts: number };

export const BEGINNING: Position = { sequence: '0', parts: 0 };

// A shard is readable for a day. What is kept of it longer is for nobody.
const KEPT = 7 * 24 * 60 * 60;

const key = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

export async function read(table: Table, shard: string): Promise<Position> {
  const item = await get(table, key(shard));
  return item ? { sequence: String(item.sequence), parts: Number(item.parts) } : BEGINNING;
}

/** Fails where somebody else has counted on from the same position. */
export const moved = (table: Table, shard: string, from: Position, to: Position, now: Date): Write =>
  put(
    table,
    { ...key(shard), ...to, ttl: epochSeconds(now) + KEPT },
    from === BEGINNING
      ? ABSENT
      : {
          condition: '#sequence = :sequence AND parts = :parts',
          values: { ':sequence': from.sequence, ':parts': from.parts },
          names: { '#sequence': 'sequence' },
        },
  );
