import type { DatabaseSync } from 'node:sqlite';

/** An accepted asynchronous invocation. Its next attempt has the number `attempt` and is due at `at`. */
export type PendingCall = { id: number; name: string; event: unknown; attempt: number; at: number };

export type PendingCalls = ReturnType<typeof createPendingCalls>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pending_calls (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    event TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL
  )`;

/** Pending calls survive restarts. Each is kept until it succeeds or is given up. */
export function createPendingCalls(database: DatabaseSync) {
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO pending_calls (name, event, attempt, at) VALUES (?, ?, ?, ?)');
  const update = database.prepare('UPDATE pending_calls SET attempt = ?, at = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM pending_calls WHERE id = ?');
  const stored = database.prepare('SELECT * FROM pending_calls ORDER BY id').all() as PendingCall[];
  let waiting: PendingCall[] = stored.map(call => ({ ...call, event: JSON.parse(String(call.event)) }));

  return {
    /** Stores a call whose first attempt follows immediately. */
    add({ name, event, at }: Pick<PendingCall, 'name' | 'event' | 'at'>): PendingCall {
      const { lastInsertRowid } = insert.run(name, JSON.stringify(event), 1, at);
      return { id: Number(lastInsertRowid), name, event, attempt: 1, at };
    },
    /** Returns the calls that are due; the caller must put back or remove each of them. */
    takeDue(now: number) {
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      return due;
    },
    nextDue: () => Math.min(Number.POSITIVE_INFINITY, ...waiting.map(({ at }) => at)),
    /** Stores the changed call, which waits for its next attempt. */
    putBack(call: PendingCall) {
      waiting.push(call);
      // An attempt may end after the stack did. Then the next start repeats it.
      if (database.isOpen) update.run(call.attempt, call.at, call.id);
    },
    remove({ id }: Pick<PendingCall, 'id'>) {
      if (database.isOpen) remove.run(id);
    },
  };
}
