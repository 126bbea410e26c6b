import type { DatabaseSync } from 'node:sqlite';
import { limitOf, transaction } from '../database.ts';
import type { Message } from '../inbox/message.ts';
import type { Address } from './address.ts';
import { mapValues, type Post } from './message.ts';

/** One recipient's email of a post. */
export type Delivery = { post: Post; id: string; recipient: Address };

export type Mailbox = ReturnType<typeof createMailbox>;
type Recipient = Pick<Delivery, 'post' | 'recipient'>;
type Row = { post: number; place: number };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS mailgun_posts (id INTEGER PRIMARY KEY, post TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS mailgun_deliveries (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL,
    place INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    send TEXT,
    shown INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS mailgun_sends ON mailgun_deliveries (send) WHERE send IS NOT NULL`;

/** Stores the accepted posts. Variables are filled in when a message is read. */
export function createMailbox(database: DatabaseSync) {
  database.exec(SCHEMA);
  const insertPost = database.prepare('INSERT INTO mailgun_posts (post) VALUES (?)');
  const insertDelivery = database.prepare(
    'INSERT INTO mailgun_deliveries (post, place, recipient, send, shown) VALUES (?, ?, ?, ?, ?)',
  );
  const selectPost = database.prepare('SELECT post FROM mailgun_posts WHERE id = ?');
  const selectShown = database.prepare(
    `SELECT post, place FROM mailgun_deliveries WHERE shown AND (:to IS NULL OR recipient = :to)
     ORDER BY id DESC LIMIT :limit`,
  );
  const selectAfter = database.prepare(
    'SELECT id, post, place FROM mailgun_deliveries WHERE id > ? ORDER BY id',
  );
  const selectSend = database.prepare(
    'SELECT post, place FROM mailgun_deliveries WHERE send = ? ORDER BY id DESC LIMIT 1',
  );

  function deliveriesOf(rows: Row[]): Delivery[] {
    const posts = new Map<number, Post>();
    return rows.flatMap(({ post: id, place }) => {
      const post: Post = posts.get(id) ?? JSON.parse(String(selectPost.get(id)?.post));
      posts.set(id, post);
      return deliveryOf(post, place) ?? [];
    });
  }

  return {
    /** Stores a post; returns the number of its emails. */
    take(post: Post) {
      transaction(database, () => {
        const { lastInsertRowid } = insertPost.run(JSON.stringify(post));
        for (const [place, recipient] of post.to.entries()) {
          const { send } = userVariablesOf({ post, recipient });
          const shown = post.testMode ? 0 : 1;
          insertDelivery.run(lastInsertRowid, place, recipient.email.toLowerCase(), send ?? null, shown);
        }
      });
      return post.to.length;
    },
    messages(to: string | undefined, limit: number) {
      const rows = selectShown.all({ to: to ?? null, limit: limitOf(limit) });
      return deliveriesOf(rows as Row[]).map(messageOf);
    },
    /** The emails after the first `count`, oldest first. */
    after(count: number) {
      const rows = selectAfter.all(count) as (Row & { id: number })[];
      return { count: rows.at(-1)?.id ?? count, messages: deliveriesOf(rows).map(messageOf) };
    },
    sent: (send: string) => deliveriesOf(selectSend.all(send) as Row[])[0],
    clear: () => database.exec('UPDATE mailgun_deliveries SET shown = 0 WHERE shown'),
  };
}

function deliveryOf(post: Post, place: number): Delivery | undefined {
  const recipient = post.to[place];
  return recipient && { post, recipient, id: place === 0 ? post.id : `${post.id}-${place}` };
}

export function messageOf(delivery: Delivery): Message {
  const { post, id, recipient } = delivery;
  const fill = filler(delivery);
  const userVariables = userVariablesOf(delivery);
  return {
    id,
    provider: 'mailgun',
    at: post.at,
    from: post.from,
    to: recipient.email,
    subject: fill(post.subject),
    text: fill(post.text),
    html: fill(post.html),
    headers: {
      To: (post.recipientVariables ? [recipient] : post.to).map(({ spec }) => spec).join(', '),
      'Message-Id': `<${post.id}>`,
      ...mapValues(post.headers, fill),
      ...(Object.keys(userVariables).length > 0 && { 'X-Mailgun-Variables': JSON.stringify(userVariables) }),
    },
    variables: { ...userVariables, ...variablesOf(delivery) },
  };
}

export const userVariablesOf = (delivery: Recipient) =>
  mapValues(delivery.post.userVariables, filler(delivery));

const variablesOf = ({ post, recipient }: Recipient): Record<string, string> => {
  const all = post.recipientVariables ?? {};
  return Object.hasOwn(all, recipient.email) ? (all[recipient.email] ?? {}) : {};
};

// https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending
const VARIABLE = /%recipient\.([^%\r\n]+)%/g;

/** Fills in the variables of a recipient in one pass, so variables within a value are left alone. Unknown ones stay. */
function filler(delivery: Recipient): (text: string) => string {
  const variables = variablesOf(delivery);
  return text =>
    text.replace(VARIABLE, (whole, key: string) =>
      Object.hasOwn(variables, key) ? (variables[key] ?? whole) : whole,
    );
}
