import type { DatabaseSync } from 'node:sqlite';
import { limitOf, transaction } from '../database.ts';
import type { Message } from '../inbox/message.ts';
import type { Bulk } from './bulk-input.ts';
import { dataOf, RenderingFailure, rendered } from './template.ts';

type Entry = Bulk['BulkEmailEntries'][number];
type Entries = { entry: Entry; id: string }[];
/** One recipient's email of a call. */
export type BulkEmail = { at: string; bulk: Omit<Bulk, 'BulkEmailEntries'>; entry: Entry; id: string };

export type BulkMailbox = ReturnType<typeof createBulkMailbox>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ses_bulks (id INTEGER PRIMARY KEY, at TEXT NOT NULL, bulk TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ses_entries (
    id INTEGER PRIMARY KEY,
    bulk INTEGER NOT NULL,
    message TEXT NOT NULL,
    entry TEXT NOT NULL,
    recipient TEXT NOT NULL,
    send TEXT,
    shown INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS ses_sends ON ses_entries (send) WHERE send IS NOT NULL`;

const COLUMNS = 'ses_bulks.at, ses_bulks.bulk, ses_entries.message, ses_entries.entry';
const FROM = 'FROM ses_entries JOIN ses_bulks ON ses_bulks.id = ses_entries.bulk';

// https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html: it takes emails, and delivers none.
const SIMULATOR = '@simulator.amazonses.com';

/** Stores the accepted calls. Variables are filled in when a message is read. */
export function createBulkMailbox(database: DatabaseSync) {
  database.exec(SCHEMA);
  const insertBulk = database.prepare('INSERT INTO ses_bulks (at, bulk) VALUES (?, ?)');
  const insertEntry = database.prepare(
    'INSERT INTO ses_entries (bulk, message, entry, recipient, send, shown) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const selectShown = database.prepare(
    `SELECT ${COLUMNS} ${FROM} WHERE shown AND (:to IS NULL OR recipient = :to)
     ORDER BY ses_entries.id DESC LIMIT :limit`,
  );
  const selectSend = database.prepare(
    `SELECT ${COLUMNS} ${FROM} WHERE send = ? ORDER BY ses_entries.id DESC LIMIT 1`,
  );

  return {
    take({
      at,
      bulk: { BulkEmailEntries: _, ...bulk },
      entries,
    }: {
      at: string;
      bulk: Bulk;
      entries: Entries;
    }) {
      transaction(database, () => {
        const { lastInsertRowid } = insertBulk.run(at, JSON.stringify(bulk));
        for (const { entry, id } of entries) {
          const email = { at, bulk, entry, id };
          const to = recipientOf(email).toLowerCase();
          const isShown = !to.endsWith(SIMULATOR) && failureOf(email) === undefined;
          const { send } = tagsOf(email);
          insertEntry.run(lastInsertRowid, id, JSON.stringify(entry), to, send ?? null, isShown ? 1 : 0);
        }
      });
    },
    messages: (to: string | undefined, limit: number): Message[] =>
      selectShown.all({ to: to ?? null, limit: limitOf(limit) }).map(row => messageOf(emailIn(row))),
    sent: (send: string): BulkEmail | undefined => selectSend.all(send).map(emailIn)[0],
    clear: () => database.exec('UPDATE ses_entries SET shown = 0 WHERE shown'),
  };
}

const emailIn = (row: Record<string, unknown>): BulkEmail => ({
  at: String(row.at),
  id: String(row.message),
  bulk: JSON.parse(String(row.bulk)),
  entry: JSON.parse(String(row.entry)),
});

export const recipientOf = ({ entry }: BulkEmail): string => entry.Destination.ToAddresses[0] ?? '';

export const tagsOf = ({ bulk, entry }: BulkEmail): Record<string, string> =>
  Object.fromEntries(
    [...bulk.DefaultEmailTags, ...entry.ReplacementTags].map(({ Name, Value }) => [Name, Value]),
  );

/** Why SES cannot render it, after it has taken it. */
export function failureOf(email: BulkEmail): string | undefined {
  try {
    messageOf(email);
    return undefined;
  } catch (error) {
    if (error instanceof RenderingFailure) return error.message;
    throw error;
  }
}

export function messageOf(email: BulkEmail): Message {
  const { at, bulk, entry, id } = email;
  const { TemplateContent, TemplateData, Headers } = bulk.DefaultContent.Template;
  const { ReplacementTemplateData } = entry.ReplacementEmailContent.ReplacementTemplate;
  const data = dataOf(TemplateData, ReplacementTemplateData);
  const tags = tagsOf(email);
  const feedback = ['a', 'b'].flatMap(letter => tags[`ses:feedback-id-${letter}`] ?? []);
  return {
    id,
    provider: 'ses',
    at,
    from: bulk.FromEmailAddress,
    to: recipientOf(email),
    subject: rendered(TemplateContent.Subject, data),
    text: rendered(TemplateContent.Text, data),
    html: rendered(TemplateContent.Html, data),
    headers: {
      To: recipientOf(email),
      'Message-ID': `<${id}@eu-central-1.amazonses.com>`,
      'Feedback-ID': [...feedback, '1.eu-central-1.local', 'AmazonSES'].join(':'),
      ...(bulk.ReplyToAddresses.length > 0 && { 'Reply-To': bulk.ReplyToAddresses.join(', ') }),
      ...Object.fromEntries(
        [...Headers, ...entry.ReplacementHeaders].map(({ Name, Value }) => [Name, Value]),
      ),
    },
    variables: {
      ...tags,
      ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)])),
    },
  };
}
