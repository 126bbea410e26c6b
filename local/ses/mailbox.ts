import type { DatabaseSync } from 'node:sqlite';
import { limitOf, transaction } from '../database.ts';
import type { Message } from '../inbox/message.ts';

export type Mailbox = ReturnType<typeof createMailbox>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ses_messages (
    id INTEGER PRIMARY KEY,
    recipient TEXT NOT NULL,
    message TEXT NOT NULL
  )`;

/** The emails that SES has accepted, one for each recipient. */
export function createMailbox(database: DatabaseSync) {
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO ses_messages (recipient, message) VALUES (?, ?)');
  const select = database.prepare(
    'SELECT message FROM ses_messages WHERE :to IS NULL OR recipient = :to ORDER BY id DESC LIMIT :limit',
  );

  return {
    take(messages: Message[]) {
      transaction(database, () => {
        for (const message of messages) insert.run(message.to.toLowerCase(), JSON.stringify(message));
      });
    },
    messages: (to: string | undefined, limit: number): Message[] =>
      select.all({ to: to ?? null, limit: limitOf(limit) }).map(({ message }) => JSON.parse(String(message))),
    clear: () => database.exec('DELETE FROM ses_messages'),
  };
}
