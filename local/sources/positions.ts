import type { DatabaseSync } from 'node:sqlite';
import type { SavedWindow } from './windows.ts';

/** How far a reader of a stream has come: its last sequence number, and its present window. */
export type Position = { sequence: string | undefined; window: SavedWindow | undefined };

export type Positions = ReturnType<typeof createPositions>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream_positions (reader TEXT PRIMARY KEY, sequence TEXT, window TEXT)`;

/** The positions of all readers. They survive restarts. */
export function createPositions(database: DatabaseSync) {
  database.exec(SCHEMA);
  const select = database.prepare('SELECT sequence, window FROM stream_positions WHERE reader = ?');
  const upsert = database.prepare(
    `INSERT INTO stream_positions (reader, sequence, window) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
     SET sequence = coalesce(excluded.sequence, sequence), window = excluded.window`,
  );
  return {
    read(reader: string): Position | undefined {
      const row = select.get(reader) as { sequence: string | null; window: string | null } | undefined;
      return (
        row && { sequence: row.sequence ?? undefined, window: JSON.parse(row.window ?? 'null') ?? undefined }
      );
    },
    /** Without a sequence number, the stored one is kept. */
    write: (reader: string, { sequence, window }: Position) =>
      void upsert.run(reader, sequence ?? null, window ? JSON.stringify(window) : null),
  };
}
