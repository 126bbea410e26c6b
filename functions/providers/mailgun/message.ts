import type { OutgoingEmail } from '#core/provider.ts';
import { type Written, writtenText } from '#shared/email/email.ts';
import { textOf, type Value } from '#shared/email/encode.ts';

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

type Escape = (text: string) => string;

// Mailgun replaces these wherever they stand. They are rare, so those in our texts are taken apart.
const VARIABLE = /%(?=recipient|unsubscribe|mailing_list|tag_unsubscribe)/gi;
const WORD_JOINER = '\u2060';
const inHtml: Escape = text => text.replace(VARIABLE, '&#37;');
const inLine: Escape = text => text.replace(VARIABLE, `%${WORD_JOINER}`);

/** https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending */
export function messageOf(emails: OutgoingEmail[]): Message {
  const columns = new Columns();
  const strings = (texts: string[]) => writtenOnce([{ texts }], inLine, columns);
  const [first] = emails as [OutgoingEmail];
  const subject = sharedBy(
    emails.map(email => [email.subject]),
    inLine,
    columns,
  );
  const html = sharedBy(
    emails.map(email => email.html),
    inHtml,
    columns,
  );
  const text = sharedBy(
    emails.map(email => email.text),
    inLine,
    columns,
  );
  const headers = Object.fromEntries(
    Object.keys(first.headers).map(name => [name, strings(emails.map(email => email.headers[name] ?? ''))]),
  );
  const send = first.id === undefined ? undefined : strings(emails.map(({ id = '' }) => id));
  return {
    from: first.from,
    to: emails.map(({ to }) => to),
    subject,
    html,
    text,
    headers,
    send,
    variables: Object.fromEntries(emails.map(({ to }, at) => [to, columns.valuesOf(at)])),
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

/** Equal for emails of the same content, and alike for those that share much of it. */
export const contentKey = ({ subject, html }: OutgoingEmail): string =>
  [...html.slice().sort(largestFirst), subject].map(({ section }) => keyOf(section)).join('\n');

const largestFirst = (a: Written, b: Written) => keyOf(b.section).length - keyOf(a.section).length;

const keys = new WeakMap<object, string>();

function keyOf(section: Written['section']): string {
  const known = keys.get(section) ?? JSON.stringify(section);
  keys.set(section, known);
  return known;
}

/** Text that is the same for all, or what each of them has in its place. */
type Piece = string | { texts: string[]; values?: Value[] };

function sharedBy(all: Written[][], escaped: Escape, columns: Columns): string {
  const pieces = (all[0] ?? []).flatMap((first, at): Piece[] => {
    const column = all.map(sections => sections[at] as Written);
    const isShared = column.every(({ section }) => keyOf(section) === keyOf(first.section));
    if (!isShared) return [{ texts: column.map(writtenText) }];
    let slot = 0;
    return first.section.map((piece): Piece => {
      if (typeof piece === 'string') return piece;
      const values = column.map(({ values }) => values[slot] as Value);
      slot++;
      return { texts: values.map(textOf), values };
    });
  });
  return writtenOnce(pieces, escaped, columns);
}

/** With a variable where the emails differ. */
function writtenOnce(pieces: Piece[], escaped: Escape, columns: Columns): string {
  // What is the same is put together before it is escaped: a sign may stand at the end of one piece.
  const parts: (string | { variable: string })[] = [];
  const literal = (text: string) => {
    const last = parts.length - 1;
    if (typeof parts[last] === 'string') parts[last] += text;
    else parts.push(text);
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      literal(piece);
      continue;
    }
    const { texts, values = [] } = piece;
    if (texts.every(text => text === texts[0])) {
      literal(texts[0] ?? '');
      continue;
    }
    // Without what stands around it, the address of a link is one variable in HTML and in text.
    const isAlwaysThere = values.length > 0 && values.every(({ value }) => value !== '');
    const [around] = isAlwaysThere ? values : [];
    const column = isAlwaysThere ? values.map(({ value }) => value) : texts;
    literal(around?.before ?? '');
    parts.push({ variable: columns.nameOf(column.map(escaped)) });
    literal(around?.after ?? '');
  }
  return parts
    .map(part => (typeof part === 'string' ? escaped(part) : `%recipient.${part.variable}%`))
    .join('');
}

class Columns {
  readonly #columns: string[][] = [];
  readonly #byFirst = new Map<string, number[]>();

  /** Columns with the same values are one variable. */
  nameOf(column: string[]): string {
    const [first = ''] = column;
    const alike = this.#byFirst.get(first) ?? [];
    const known = alike.find(at => this.#columns[at]?.every((value, row) => value === column[row]));
    if (known !== undefined) return `v${known}`;
    this.#byFirst.set(first, [...alike, this.#columns.length]);
    return `v${this.#columns.push(column) - 1}`;
  }

  valuesOf(row: number): Record<string, string> {
    return Object.fromEntries(this.#columns.map((column, at) => [`v${at}`, column[row] ?? '']));
  }
}
