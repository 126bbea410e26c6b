import type { DatabaseSync } from 'node:sqlite';
import type { SavedWindow } from './windows.ts';

/** How far a reader of a stream has come: its last sequence number, and its present window. */
export type Position = { sequence: string | undefined; window: SavedWindow | undefined };

/** The positions of all readers. They survive restarts. */
export type Positions = {
  read: (reader: string) => Position | undefined;
  /** Without a sequence number, the stored one is kept. */
  write: (reader: string, position: Position) => void;
};

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream_positions (reader TEXT PRIMARY KEY, sequence TEXT, window TEXT)`;

export function createPositions(database: DatabaseSync): Positions {
  database.exec(SCHEMA);
  const select = database.prepare('SELECT sequence, window FROM stream_positions WHERE reader = ?');
  const upsert = database.prepare(
    `INSERT INTO stream_positions (reader, sequence, window) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
     SET sequence = coalesce(excluded.sequence, sequence), window = excluded.window`,
  );
  return {
    read(reader) {
      const row = select.get(reader) as { sequence: string | null; window: string | null } | undefined;
      return (
        row && { sequence: row.sequence ?? undefined, window: JSON.parse(row.window ?? 'null') ?? undefined }
      );
    },
    write: (reader, { sequence, window }) =>
      void upsert.run(reader, sequence ?? null, window ? JSON.stringify(window) : null),
  };
}
