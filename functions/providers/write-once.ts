import type { OutgoingEmail } from '#core/provider.ts';
import { type Written, writtenText } from '#shared/email/email.ts';
import { textOf, type Value } from '#shared/email/encode.ts';

/** What the emails of one call have in common, with variables for what differs. */
export type WrittenOnce = {
  subject: string;
  html: string;
  text: string;
  /** The text that is the same for all, or a variable. */
  column: (texts: string[]) => string;
  /** The values of the variables for each email, in their order. Columns that are asked for later are in it too. */
  values: () => Record<string, string>[];
};

/** How a provider writes variables. */
export type Syntax = {
  variable: (name: string) => string;
  /** Take apart what the provider would take for a variable. */
  inHtml: Escape;
  inLine: Escape;
  /** Characters right before or after a variable that would be taken for a part of it: they go into its values. */
  joins?: { before: RegExp; after: RegExp };
};

type Escape = (text: string) => string;

/** An invisible character, which keeps others apart in plain text. */
export const WORD_JOINER = '\u2060';

export function writeOnce(emails: OutgoingEmail[], syntax: Syntax): WrittenOnce {
  const columns = new Columns();
  const write = (pieces: Piece[], escaped: Escape) => writtenOnce(pieces, escaped, syntax, columns);
  const shared = (all: Written[][], escaped: Escape) => write(piecesOf(all), escaped);
  return {
    subject: shared(
      emails.map(({ subject }) => [subject]),
      syntax.inLine,
    ),
    html: shared(
      emails.map(({ html }) => html),
      syntax.inHtml,
    ),
    text: shared(
      emails.map(({ text }) => text),
      syntax.inLine,
    ),
    column: texts => write([{ texts }], syntax.inLine),
    values: () => emails.map((_, at) => columns.valuesOf(at)),
  };
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

const piecesOf = (all: Written[][]): Piece[] =>
  (all[0] ?? []).flatMap((first, at): Piece[] => {
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

type Part = string | { column: string[] };

/** With a variable where the emails differ. */
function writtenOnce(pieces: Piece[], escaped: Escape, syntax: Syntax, columns: Columns): string {
  // What is the same is put together before it is escaped: a sign may stand at the end of one piece.
  const parts: Part[] = [];
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
    parts.push({ column: column.map(escaped) });
    literal(around?.after ?? '');
  }
  const written = parts.map(part => (typeof part === 'string' ? escaped(part) : part));
  return apart(written, syntax)
    .map(part => (typeof part === 'string' ? part : syntax.variable(columns.nameOf(part.column))))
    .join('');
}

/** Moves the characters of a text that would join with a variable beside it into the values of that. */
function apart(parts: Part[], { joins }: Syntax): Part[] {
  if (!joins) return parts;
  const moved = parts.map(part => (typeof part === 'string' ? part : { column: part.column }));
  for (const [at, part] of moved.entries()) {
    if (typeof part !== 'string') continue;
    const before = moved[at - 1];
    const after = moved[at + 1];
    const head = typeof before === 'object' ? (joins.after.exec(part)?.[0] ?? '') : '';
    const rest = part.slice(head.length);
    const tail = typeof after === 'object' ? (joins.before.exec(rest)?.[0] ?? '') : '';
    if (typeof before === 'object' && head) before.column = before.column.map(value => value + head);
    if (typeof after === 'object' && tail) after.column = after.column.map(value => tail + value);
    moved[at] = rest.slice(0, rest.length - tail.length);
  }
  return moved;
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
