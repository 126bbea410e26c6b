/** A placeholder such as `{{first_name | 'you'}}`. */
export type Variable = { name: string; fallback: string };
export type Text = (string | Variable)[];

/** The placeholder of the unsubscribe link: in HTML a link with the text that the list sets, elsewhere its address. */
export const UNSUBSCRIBE = 'UNSUB_LINK';
const UTM = 'utm_tags_';
/** Whether the value is a whole query string. It is not encoded again within an address. */
export const isQuery = ({ name }: Variable) => name.startsWith(UTM);

/** The names of the product's own placeholders, with descriptions. Every other name is a key of a member's metadata. */
export const OWN_NAMES = {
  automation_name: 'The name of the automation',
  automation_id: 'The id of the automation',
  days_since_trigger: 'Whole days since the date that the automation starts at',
  utm_tags_automation_id: 'utm_medium=email&utm_source=lf&utm_campaign=<automation id>',
  utm_tags_automation_name: 'utm_medium=email&utm_source=lf&utm_campaign=<automation name>',
  utm_tags_combination_id: 'utm_medium=email&utm_source=lf&utm_campaign=<combination id>',
  utm_tags_template_id:
    'utm_medium=email&utm_source=lf&utm_campaign=<template id>, or of assets the combination id',
  combination_id: 'The id of the combination',
  template_id: 'The id of the template',
  template_combination_id: 'The id of the template’s combination',
  send_id: 'The id of this one email, by which a conversion names it',
  email: 'The email address of the recipient',
  UNSUB_LINK: 'The link to unsubscribe, which the footer must have',
} as const;
export type OwnName = keyof typeof OWN_NAMES;
export const isOwnName = (name: string): name is OwnName => Object.hasOwn(OWN_NAMES, name);

// Names are keys of metadata. The lengths are bounded, so that no text takes long to match.
const NAME = '[\\w.-](?:[\\w .-]{0,62}[\\w.-])?';
const quoted = (mark: string) => `${mark}((?:[^${mark}\\\\\\n]|\\\\.){0,256})${mark}`;
const PLACEHOLDER = new RegExp(
  `\\{\\{[ \\t]{0,9}(${NAME})[ \\t]{0,9}(?:\\|[ \\t]{0,9}(?:${quoted("'")}|${quoted('"')})[ \\t]{0,9})?\\}\\}`,
  'g',
);

/** Parses a text into texts and placeholders, in order. Whatever does not have the form of a placeholder is text. */
export function parse(text: string): Text {
  const parsed: Text = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, name = '', single, double] = match;
    if (match.index > from) parsed.push(text.slice(from, match.index));
    parsed.push({ name, fallback: (single ?? double ?? '').replace(/\\(.)/g, '$1') });
    from = match.index + whole.length;
  }
  if (from < text.length) parsed.push(text.slice(from));
  return parsed;
}

export const replacePlaceholders = (text: string, by: (source: string) => string) =>
  text.replace(PLACEHOLDER, source => by(source));

export const variablesOf = (text: string): Variable[] =>
  parse(text).filter((piece): piece is Variable => typeof piece !== 'string');

export const hasUnsubscribeLink = (text: string) =>
  variablesOf(text).some(({ name }) => name === UNSUBSCRIBE);

export function hasTagsBeforeQuery(address: string): boolean {
  const pieces = parse(address);
  const tags = pieces.findIndex(piece => typeof piece !== 'string' && isQuery(piece));
  return tags >= 0 && !pieces.slice(0, tags).some(piece => typeof piece === 'string' && piece.includes('?'));
}
