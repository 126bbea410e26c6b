import type { OutgoingEmail } from '#core/provider.ts';
import { type Syntax, WORD_JOINER, writeOnce } from '../write-once.ts';

/** What the emails share is written once, what differs is a variable. */
export type Message = {
  from: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  send: string | undefined;
  /** For each recipient the values of the variables. */
  variables: Record<string, Record<string, string>>;
};

// Mailgun replaces these wherever they stand. They are rare, so those in our texts are taken apart.
const VARIABLE = /%(?=recipient|unsubscribe|mailing_list|tag_unsubscribe)/gi;

/** https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending */
const SYNTAX: Syntax = {
  variable: name => `%recipient.${name}%`,
  inHtml: text => text.replace(VARIABLE, '&#37;'),
  inLine: text => text.replace(VARIABLE, `%${WORD_JOINER}`),
};

export function messageOf(emails: OutgoingEmail[]): Message {
  const { subject, html, text, column, values } = writeOnce(emails, SYNTAX);
  const [first] = emails as [OutgoingEmail];
  const headers = Object.fromEntries(
    Object.keys(first.headers).map(name => [name, column(emails.map(email => email.headers[name] ?? ''))]),
  );
  const send = first.id === undefined ? undefined : column(emails.map(({ id = '' }) => id));
  const variables = values();
  return {
    from: first.from,
    to: emails.map(({ to }) => to),
    subject,
    html,
    text,
    headers,
    send,
    variables: Object.fromEntries(emails.map(({ to }, at) => [to, variables[at] ?? {}])),
  };
}

/** But for what separates its fields. */
export function bytesOf({ from, to, subject, html, text, headers, send = '', variables }: Message): number {
  const shared = [from, ...to, subject, html, text, send, ...Object.entries(headers).flat()];
  return [...shared, JSON.stringify(variables)].reduce(
    (sum, field) => sum + Buffer.byteLength(field) + 100,
    0,
  );
}
