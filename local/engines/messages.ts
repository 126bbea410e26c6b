import type { DatabaseSync } from 'node:sqlite';
import type { BuildAppOptions } from 'fauxqs';
import { openDatabase } from '../database.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;
type Persistence = NonNullable<Stores['sqsStore']['persistence']>;
type Queue = Parameters<Persistence['insertQueue']>[0];
type Message = Parameters<Persistence['insertMessage']>[1];
type Row = { message: string; receipt: string | null; hidden_until: number };

// The exclusive lock prevents that a process that is still ending adds a message which its successor would not see.
const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY,
    queue TEXT NOT NULL,
    message TEXT NOT NULL,
    receipt TEXT,
    hidden_until INTEGER
  )`;

/** The stores of the queue engine, whose queues persist their messages in a file. */
export async function queueStores(file: string): Promise<Stores> {
  // `buildApp` takes this class, but the package does not export it.
  const { SqsStore } = await import(new URL('sqs/sqsStore.js', import.meta.resolve('fauxqs')).href);
  const sqsStore: Stores['sqsStore'] = new SqsStore();
  sqsStore.persistence = createPersistence(openDatabase(file)) as Persistence;
  return { sqsStore } as Stores;
}

/** The hooks that the engine calls before each change of a queue. */
function createPersistence(database: DatabaseSync): Partial<Persistence> {
  database.exec(SCHEMA);
  const statements = {
    insert: database.prepare('INSERT INTO messages (id, queue, message) VALUES (?, ?, ?)'),
    hide: database.prepare(
      `UPDATE messages SET receipt = ?, hidden_until = ?, message = json_set(message,
       '$.approximateReceiveCount', ?, '$.approximateFirstReceiveTimestamp', ?) WHERE id = ?`,
    ),
    show: database.prepare('UPDATE messages SET receipt = NULL WHERE id = ?'),
    remove: database.prepare('DELETE FROM messages WHERE id = ?'),
    empty: database.prepare('DELETE FROM messages WHERE queue = ?'),
    all: database.prepare(
      'SELECT message, receipt, hidden_until FROM messages WHERE queue = ? ORDER BY rowid',
    ),
  };

  /**
   * All writes of one API call are one transaction, committed before the response: a message that moves to its dead-letter
   * queue is always in exactly one of the two.
   */
  function write(statement: keyof typeof statements, ...values: (string | number | null)[]): void {
    if (!database.isTransaction) {
      database.exec('BEGIN');
      queueMicrotask(() => database.exec('COMMIT'));
    }
    statements[statement].run(...values);
  }

  return {
    /** The template creates the queues at each start; this restores their messages. */
    insertQueue(queue: Queue) {
      for (const row of statements.all.all(queue.name) as Row[]) restore(queue, row);
    },
    insertMessage: (queue: string, message: Message) =>
      write('insert', message.messageId, queue, JSON.stringify(message)),
    updateMessageInflight: (id, receipt, hiddenUntil, count, first) =>
      write('hide', receipt, hiddenUntil, count, first ?? null, id),
    updateMessageReady: id => write('show', id),
    deleteMessage: id => write('remove', id),
    deleteQueueMessages: queue => write('empty', queue),
    deleteQueue: queue => write('empty', queue),
  };
}

function restore(queue: Queue, { message: text, receipt: receiptHandle, hidden_until }: Row): void {
  const message = JSON.parse(text) as Message;
  if (receiptHandle) {
    queue.inflightMessages.set(receiptHandle, { message, receiptHandle, visibilityDeadline: hidden_until });
  } else if (message.delayUntil) queue.delayedMessages.push(message);
  else queue.messages.push(message);
}
