import type { Content, Part } from './content.ts';
import { encode, html, line, type Reader, type Section, type Slot, textOf, type Value } from './encode.ts';
import { isRightToLeft } from './language.ts';
import { type Design, imprintAsText, layout } from './layout.ts';
import { colorsOf, DEFAULT_LOOK } from './look.ts';
import { render } from './markdown.ts';
import { parse, UNSUBSCRIBE, type Variable } from './placeholder.ts';

export type Email = { subject: Section; html: Section[]; text: Section[] };
/** A section as one reader gets it, with the values of its slots in their order. */
export type Written = { section: Section; values: Value[] };
export type WrittenEmail = { subject: Written; html: Written[]; text: Written[] };
export type Rendered = { subject: string; html: string; text: string };

export type Wording = { language: string; unsubscribeWord: string; design?: Design | undefined };

/** Parses content once; `write` and `fill` fill it in for each reader. */
export function compose(content: Content, { language, unsubscribeWord, design }: Wording): Email {
  const rightToLeft = isRightToLeft(language);
  const colors = colorsOf(design?.look ?? DEFAULT_LOOK);
  const link = design && colors.light.link;
  const block = (part: Part) =>
    render(content[part] ?? '', {
      part,
      unsubscribeWord,
      rightToLeft,
      link: part === 'footer' ? undefined : link,
    });
  const body = block('pre_cta_content');
  const afterButton = block('after_cta_content');
  const footer = block('footer');
  const preheader = content.preheader ?? '';
  const url = parse(content.cta_url.trim());
  const address: Slot = { in: 'address', part: 'cta_url', url };

  return {
    subject: asLine(content.subject_line, 'subject_line'),
    html: layout({
      language,
      rightToLeft,
      subject: asInlineHtml(content.subject_line),
      preheader: asInlineHtml(preheader),
      body: body.html,
      ctaUrl: { in: 'href', part: 'cta_url', url },
      ctaText: asInlineHtml(content.cta_text),
      label: parse(oneLine(content.cta_text)).map(shownText).join(''),
      afterButton: afterButton.html,
      footer: footer.html,
      design,
      colors,
    }),
    text: asParagraphs(
      asLine(content.subject_line, 'subject_line'),
      asLine(preheader, 'preheader'),
      body.text,
      [...asLine(content.cta_text, 'cta_text'), '\n', address],
      afterButton.text,
      ...(design ? imprintAsText(design.look) : []),
      footer.text,
    ),
  };
}

/** Of a placeholder its default, as its values differ. */
const shownText = (piece: string | Variable) =>
  typeof piece === 'string' ? piece : piece.fallback || piece.name;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const asInlineHtml = (text: string): Section =>
  parse(oneLine(text)).map(piece =>
    typeof piece === 'string' ? html(piece) : { in: 'html', variable: piece },
  );

const asLine = (text: string, part: Part): Section =>
  parse(oneLine(text)).map((piece): string | Slot => {
    if (typeof piece === 'string') return line(piece);
    return piece.name === UNSUBSCRIBE
      ? { in: 'address', part, url: [piece] }
      : { in: 'line', variable: piece };
  });

const asParagraphs = (first: Section, ...others: Section[]): Section[] => [
  first,
  ...others.map((paragraph): Section => (paragraph.length === 0 ? [] : ['\n\n', ...paragraph])),
  ['\n'],
];

/** The email as one reader gets it, in sections: sections that readers share are the same objects. */
export function write({ subject, html, text }: Email, reader: Reader): WrittenEmail {
  // Caches values, as a text may have the same placeholder hundreds of times.
  const known = new Map<string, Value>();
  const encoded = (slot: Slot): Value => {
    const name = JSON.stringify(slot);
    const value = known.get(name) ?? encode(slot, reader);
    known.set(name, value);
    return value;
  };
  return {
    subject: written(subject, encoded),
    html: html.map(section => written(section, encoded)),
    text: text.map(section => written(section, encoded)),
  };
}

const written = (section: Section, encoded: (slot: Slot) => Value): Written => ({
  section,
  values: section.flatMap(piece => (typeof piece === 'string' ? [] : [encoded(piece)])),
});

export function writtenText({ section, values }: Written): string {
  const left = values.values();
  return section
    .map(piece => (typeof piece === 'string' ? piece : textOf(left.next().value as Value)))
    .join('');
}

export const rendered = ({ subject, html, text }: WrittenEmail): Rendered => ({
  subject: writtenText(subject),
  html: html.map(writtenText).join(''),
  text: text.map(writtenText).join(''),
});

export const fill = (email: Email, reader: Reader): Rendered => rendered(write(email, reader));

export const fillSubject = (subject: string, reader: Reader): string =>
  writtenText(written(asLine(subject, 'subject_line'), slot => encode(slot, reader)));
