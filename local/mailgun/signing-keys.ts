import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** What signs the events: a key of the account, and of domains that have one of their own. */
export type SigningKeys = {
  account: () => string;
  of: (domain: string) => string;
  set: (domain: string, key: string) => void;
};

const ACCOUNT = '';
const SCHEMA = 'CREATE TABLE IF NOT EXISTS mailgun_signing_keys (domain TEXT PRIMARY KEY, key TEXT NOT NULL)';

export function createSigningKeys(database: DatabaseSync): SigningKeys {
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT OR IGNORE INTO mailgun_signing_keys VALUES (?, ?)');
  const replace = database.prepare('INSERT OR REPLACE INTO mailgun_signing_keys VALUES (?, ?)');
  const select = database.prepare('SELECT key FROM mailgun_signing_keys WHERE domain = ?');
  insert.run(ACCOUNT, randomBytes(16).toString('hex'));
  const find = (domain: string) => select.get(domain)?.key as string | undefined;
  const account = () => find(ACCOUNT) ?? '';
  return {
    account,
    of: domain => find(domain) ?? account(),
    set: (domain, key) => void replace.run(domain, key),
  };
}
