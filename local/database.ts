import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// The previous process may still have the file open while it ends.
const WAIT_MS = 10_000;

export const IN_MEMORY = ':memory:';

/**
 * Opens a database. Committed writes survive the end of the process at any moment, kill -9 included. A power failure may lose
 * the latest commits, but leaves the others intact.
 */
export function openDatabase(file: string): DatabaseSync {
  // SQLite gives the mode of this file to its other files.
  if (file !== IN_MEMORY) closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return database;
}

export function transaction(database: DatabaseSync, write: () => void): void {
  database.exec('BEGIN');
  try {
    write();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** A value for `LIMIT`, in which a negative number means all. */
export const limitOf = (most: number) => (Number.isFinite(most) ? most : -1);
