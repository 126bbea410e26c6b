import { escaped } from '../html.ts';
import type { MetadataValue } from '../metadata.ts';
import { readDatetime } from '../metadata.ts';
import type { Part } from './content.ts';
import { isQuery, type Text, UNSUBSCRIBE, type Variable } from './placeholder.ts';
import { linkedAddress, OWN_FILE, webAddress } from './web-address.ts';

/** A place for a value that depends on the recipient. Its context decides how the value is escaped. */
export type Slot =
  | { in: 'html' | 'line'; variable: Variable }
  /** In the attribute of a link, or in plain text. */
  | { in: 'href' | 'address'; part: Part; url: Text; inBrackets?: true }
  /** In the attribute of an image. */
  | { in: 'src'; url: Text }
  | { in: 'pixel' }
  /** The address of the stage, before the path of an uploaded file. */
  | { in: 'files' };

/** Finished text and slots, in order. Emails of the same content share it. */
export type Section = (string | Slot)[];

export type Reader = {
  /** Their metadata, and the values of the product's own placeholders. */
  values: ReadonlyMap<string, MetadataValue>;
  /** The language in which dates are written. */
  language: string;
  unsubscribe: string;
  /** The address of the stage, which serves uploaded images. */
  files: string;
  tracked: (url: string, part: Part) => string;
  pixel?: string | undefined;
};

/** The content of a slot for one reader. `before` and `after` are empty without a value. */
export type Value = { before: string; value: string; after: string };

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const LONE_SURROGATES = /\p{Cs}/gu;
const visible = (text: string) => text.replace(CONTROLS, ' ').replace(LONE_SURROGATES, '\ufffd');

export const html = (text: string) => escaped(visible(text));
/** Makes one line of plain text, for a header or the text version: it cannot have line breaks. */
export const line = visible;

const valueFor = ({ name, fallback }: Variable, { values }: Reader): string => {
  const value = String(values.get(name) ?? '');
  return value === '' ? fallback : value;
};

/** A value as text. A date is written in words, with its time of day unless that is midnight. */
function worded(variable: Variable, reader: Reader): string {
  if (variable.name === UNSUBSCRIBE) return reader.unsubscribe;
  const value = valueFor(variable, reader);
  const date = readDatetime(asWritten(value));
  if (!(date instanceof Date)) return value;
  const hasTime = date.getUTCHours() + date.getUTCMinutes() > 0;
  const time = { timeStyle: 'short', hourCycle: 'h23' } as const;
  const style = { dateStyle: 'long', ...(hasTime && time), timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(reader.language, style).format(date);
}

/** Removes the offset of a date: an appointment is at that local time of day. */
const asWritten = (value: string) =>
  value.replace(/([T ]\d{2}:\d{2}\S*?)(?:Z|[+-]\d{2}(?::?\d{2})?)$/i, '$1');

function inAddress(variable: Variable, isFirst: boolean, reader: Reader): string {
  if (variable.name === UNSUBSCRIBE) return encodeURIComponent(reader.unsubscribe);
  const value = valueFor(variable, reader).replace(LONE_SURROGATES, '\ufffd');
  return isFirst || isQuery(variable) ? value : encodeURIComponent(value);
}

const filledIn = (url: Text, reader: Reader): string =>
  url.map((piece, at) => (typeof piece === 'string' ? piece : inAddress(piece, at === 0, reader))).join('');

const isUnsubscribe = ([first, ...rest]: Text) =>
  rest.length === 0 && typeof first === 'object' && first.name === UNSUBSCRIBE;

/** The address of a link for this reader; empty if it would not be safe. */
function destination(url: Text, part: Part, reader: Reader): string {
  if (isUnsubscribe(url)) return reader.unsubscribe;
  const text = filledIn(url, reader);
  const address = linkedAddress(text);
  return address === undefined ? '' : reader.tracked(address, part);
}

/** Uploaded, or from another site by https; else empty, so that its description is shown. */
function imageAddress(url: Text, reader: Reader): string {
  const text = filledIn(url, reader);
  if (OWN_FILE.test(text)) return `${reader.files}${text}`;
  const address = webAddress(text);
  return address?.startsWith('https:') ? address : '';
}

const valued = (value: string, before = '', after = ''): Value => ({ before, value, after });

export function encode(slot: Slot, reader: Reader): Value {
  switch (slot.in) {
    case 'html':
      return valued(html(worded(slot.variable, reader)));
    case 'line':
      return valued(line(worded(slot.variable, reader)));
    case 'address': {
      const address = line(destination(slot.url, slot.part, reader));
      return slot.inBrackets ? valued(address, ' (', ')') : valued(address);
    }
    case 'href':
      return valued(html(destination(slot.url, slot.part, reader)), ' href="', '"');
    case 'src':
      return valued(html(imageAddress(slot.url, reader)), ' src="', '"');
    case 'files':
      return valued(html(reader.files));
    case 'pixel':
      return valued(
        html(reader.pixel ?? ''),
        '<img src="',
        '" width="1" height="1" alt="" style="display:block">',
      );
  }
}

export const textOf = ({ before, value, after }: Value) => (value === '' ? '' : before + value + after);

// https://www.rfc-editor.org/rfc/rfc2047: a word has at most 75 characters.
const MOST_BYTES_OF_WORD = 45;

/** What mail programs would decode, and providers would fill in. */
const WITH_A_MEANING = /=\?|\{\{|%recipient/i;

/** As a quoted text, or as words of Base64 where a header cannot hold it, or where it would be read as something else. */
export function encodedWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !WITH_A_MEANING.test(text)) return `"${text.replace(/["\\]/g, '')}"`;
  const words: string[] = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) > MOST_BYTES_OF_WORD) words.push(character);
    else words[words.length - 1] = word;
  }
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
