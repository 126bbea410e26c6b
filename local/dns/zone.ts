import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database.ts';

export const TYPES = ['A', 'CNAME', 'MX', 'TXT'] as const;
export type RecordType = (typeof TYPES)[number];

export type Zone = ReturnType<typeof createZone>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dns_records (
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    value TEXT NOT NULL
  )`;

export const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** The length of a key is all that is looked at. */
export const KEY = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
/** What providers and the company of the demo have entered. */
const PUBLISHED: [name: string, type: RecordType, value: string][] = [
  ['mailgun.org', 'TXT', 'v=spf1 ip4:192.0.2.0/24 ~all'],
  ['quillstone.example.com', 'TXT', 'v=spf1 include:mailgun.org ~all'],
  ['quillstone.example.com', 'MX', '10 mail.quillstone.example.com'],
  ['k1._domainkey.quillstone.example.com', 'TXT', KEY],
  ['_dmarc.quillstone.example.com', 'TXT', 'v=DMARC1; p=none; rua=mailto:reports@quillstone.example.com'],
];

/** The records that the local DNS has, which a control call sets. */
export function createZone(database: DatabaseSync) {
  database.exec(SCHEMA);
  const remove = database.prepare('DELETE FROM dns_records WHERE name = ? AND type = ?');
  const insert = database.prepare('INSERT INTO dns_records (name, type, value) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT type, value FROM dns_records WHERE name = ?');
  const all = (name: string) =>
    select
      .all(plainName(name))
      .map(({ type, value }) => ({ type: type as RecordType, value: String(value) }));
  for (const [name, type, value] of PUBLISHED) {
    if (!all(name).some(record => record.type === type)) insert.run(name, type, value);
  }
  return {
    /** Replaces those of a name and a type. */
    set(name: string, type: RecordType, values: string[]) {
      transaction(database, () => {
        remove.run(plainName(name), type);
        for (const value of values) insert.run(plainName(name), type, value);
      });
    },
    has: (name: string) => all(name).length > 0,
    values: (name: string, type: RecordType): string[] =>
      all(name).flatMap(record => (record.type === type ? [record.value] : [])),
  };
}
