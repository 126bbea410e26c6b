import type { DatabaseSync } from 'node:sqlite';
import { EVENTS, webhookOf } from './events.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;

const KINDS = EVENTS.map(webhookOf);

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS mailgun_webhooks (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL
  )`;

export function createWebhooks(database: DatabaseSync) {
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO mailgun_webhooks (domain, kind, url) VALUES (?, ?, ?)');
  const select = database.prepare(
    'SELECT url FROM mailgun_webhooks WHERE domain = ? AND kind = ? ORDER BY id',
  );
  return {
    urls: (domain: string, kind: string) => select.all(domain, kind).map(({ url }) => String(url)),
    /** Returns why a webhook is refused; undefined if it was added. */
    add(domain: string, kind: string, url: string) {
      if (!KINDS.includes(kind)) return `Invalid webhook id: ${kind}`;
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return `${url} is not a valid url`;
      insert.run(domain, kind, url);
      return undefined;
    },
  };
}
