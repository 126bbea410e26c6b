import type { Content, Part } from './content.ts';
import { encode, html, line, type Reader, type Slot, type Slotted } from './encode.ts';
import { isRightToLeft } from './language.ts';
import { BUTTON, layout } from './layout.ts';
import { render } from './markdown.ts';
import { parse, UNSUBSCRIBE } from './placeholder.ts';

/** An email before it is known whom it is for. */
export type Email = { subject: Slotted; html: Slotted; text: Slotted };
export type Rendered = { subject: string; html: string; text: string };

export type Wording = {
  language: string;
  /** What the link to unsubscribe is called. */
  unsubscribeWord: string;
};

/** Reads content once; `fill` and `batch` write it for readers. */
export function compose(content: Content, { language, unsubscribeWord }: Wording): Email {
  const rightToLeft = isRightToLeft(language);
  const block = (part: Part) => render(content[part] ?? '', { part, unsubscribeWord, rightToLeft });
  const body = block('pre_cta_content');
  const afterButton = block('after_cta_content');
  const footer = block('footer');
  const subject = asLine(content.subject_line, 'subject_line');
  const preheader = content.preheader ?? '';
  const url = parse(content.cta_url.trim());
  const address: Slot = { in: 'address', part: 'cta_url', url };

  return {
    subject,
    html: layout({
      language,
      rightToLeft,
      subject: asInlineHtml(content.subject_line),
      preheader: asInlineHtml(preheader),
      body: body.html,
      button: [
        '<a',
        { in: 'href', part: 'cta_url', url },
        ` style="${BUTTON}">`,
        ...asInlineHtml(content.cta_text),
        '</a>',
      ],
      afterButton: afterButton.html,
      footer: footer.html,
    }),
    text: inParagraphs(
      subject,
      asLine(preheader, 'preheader'),
      body.text,
      [...asLine(content.cta_text, 'cta_text'), '\n', address],
      afterButton.text,
      footer.text,
    ),
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const asInlineHtml = (text: string): Slotted =>
  parse(oneLine(text)).map(piece =>
    typeof piece === 'string' ? html(piece) : { in: 'html', variable: piece },
  );

const asLine = (text: string, part: Part): Slotted =>
  parse(oneLine(text)).map((piece): string | Slot => {
    if (typeof piece === 'string') return line(piece);
    return piece.name === UNSUBSCRIBE
      ? { in: 'address', part, url: [piece] }
      : { in: 'line', variable: piece };
  });

const inParagraphs = (...paragraphs: Slotted[]): Slotted =>
  paragraphs
    .filter(paragraph => paragraph.length > 0)
    .flatMap((paragraph, at) => (at === 0 ? paragraph : ['\n\n', ...paragraph]))
    .concat('\n');

const written = (slotted: Slotted, reader: Reader) =>
  slotted.map(piece => (typeof piece === 'string' ? piece : encode(piece, reader))).join('');

/** The email as one reader gets it. */
export const fill = (email: Email, reader: Reader): Rendered => ({
  subject: written(email.subject, reader),
  html: written(email.html, reader),
  text: written(email.text, reader),
});

/** The subject alone. */
export const fillSubject = (subject: string, reader: Reader): string =>
  written(asLine(subject, 'subject_line'), reader);

export type Batch = Rendered & {
  /** For each reader what Mailgun puts in the place of `%recipient.<key>%`. */
  variables: Record<string, string>[];
};

/** The email once for many readers, with variables where they differ. */
export function batch(email: Email, readers: readonly Reader[]): Batch {
  const keys = new Map<string, { key: string; slot: Slot }>();
  const written = (slotted: Slotted) =>
    slotted
      .map(piece => {
        if (typeof piece === 'string') return piece;
        const name = JSON.stringify(piece);
        const known = keys.get(name) ?? { key: `v${keys.size}`, slot: piece };
        keys.set(name, known);
        return `%recipient.${known.key}%`;
      })
      .join('');
  const rendered = { subject: written(email.subject), html: written(email.html), text: written(email.text) };
  const variables = readers.map(reader =>
    Object.fromEntries([...keys.values()].map(({ key, slot }) => [key, encode(slot, reader)])),
  );
  return { ...rendered, variables };
}
