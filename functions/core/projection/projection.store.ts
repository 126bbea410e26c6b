import { ABSENT, epochSeconds, get, put, type Table, type Write } from '../table.store.ts';

/** How far a shard of the stream is counted: its last whole record, and how many parts of which one behind it. */
export type Position = { sequence: string; parts: number; of: string };

export const BEGINNING: Position = { sequence: '0', parts: 0, of: '' };

// A shard is readable for a day. What is kept of it longer is for nobody.
const KEPT = 7 * 24 * 60 * 60;

const key = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

export async function read(table: Table, shard: string): Promise<Position> {
  const item = await get(table, key(shard));
  return item
    ? { sequence: String(item.sequence), parts: Number(item.parts), of: String(item.of) }
    : BEGINNING;
}

/** Fails where somebody else has counted on from the same position. */
export const moved = (table: Table, shard: string, from: Position, to: Position, now: Date): Write =>
  put(
    table,
    { ...key(shard), ...to, ttl: epochSeconds(now) + KEPT },
    from === BEGINNING
      ? ABSENT
      : {
          condition: '#sequence = :sequence AND parts = :parts AND #of = :of',
          values: { ':sequence': from.sequence, ':parts': from.parts, ':of': from.of },
          names: { '#sequence': 'sequence', '#of': 'of' },
        },
  );
