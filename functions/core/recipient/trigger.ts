import { datetimesOf, type Metadata } from '../../../shared/metadata.ts';
import type { Key } from '../table.store.ts';

export const triggerPartition = (list: string, column: string) => `TRG#${list}#${column}`;

const two = (part: number) => String(part).padStart(2, '0');

/**
 * Where the sweep finds a list member: one row for each of their dates, by minute of the day, then by day. A row is
 * nothing but its key.
 */
export const triggerRows = (list: string, hash: string, metadata: Metadata): Key[] =>
  datetimesOf(metadata).map(([column, instant]) => {
    const minute = instant.getUTCHours() * 60 + instant.getUTCMinutes();
    const day = `${instant.getUTCFullYear()}-${two(instant.getUTCMonth() + 1)}-${two(instant.getUTCDate())}`;
    return { PK: triggerPartition(list, column), SK: `${String(minute).padStart(4, '0')}#${day}#${hash}` };
  });

const sameKey = (a: Key) => (b: Key) => a.PK === b.PK && a.SK === b.SK;

/** Those of the first that are none of the second. */
export const without = (rows: Key[], others: Key[]) => rows.filter(row => !others.some(sameKey(row)));
