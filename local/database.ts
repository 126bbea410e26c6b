import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// The process that had the file open may still be ending.
const WAIT_MS = 10_000;

export const IN_MEMORY = ':memory:';

/**
 * Opens a database. What was committed survives the end of the process at any moment, kill -9 included; a power failure
 * may lose the latest commits, but no others.
 */
export function openDatabase(file: string): DatabaseSync {
  // SQLite gives its other files the mode of this one.
  if (file !== IN_MEMORY) closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return database;
}

/** All of the writes, or none of them. */
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

/** For `LIMIT`, where a negative number means all. */
export const limitOf = (most: number) => (Number.isFinite(most) ? most : -1);
