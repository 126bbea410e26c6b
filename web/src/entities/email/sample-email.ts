import type { Content } from '#shared/email/content.ts';
import type { Reader } from '#shared/email/encode.ts';
import { ownValues } from '#shared/email/own-values.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import { doubtsAbout } from '#shared/email/placeholder-faults.ts';
import type { Draft } from './parts.ts';

const TEMPLATE = 'k3m9p2x7q1w5';
const OWN = ownValues({
  automation: { id: 'a1b2c3d4e5f6', name: 'welcome' },
  combination: TEMPLATE,
  template: TEMPLATE,
  days: 3,
  email: 'ada@example.com',
});

const MEMBER: Record<string, string> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  city: 'London',
};

/** The sample value of a metadata column; if its name is not known, the name itself. */
export const sampleOf = (name: string) => MEMBER[name] ?? name.replace(/[_.-]+/g, ' ').trim();

/** Completes an email of which only some parts are written yet. */
export const contentOf = (draft: Draft): Content => ({
  preheader: draft.preheader,
  after_cta_content: draft.after_cta_content,
  subject_line: draft.subject_line ?? '',
  pre_cta_content: draft.pre_cta_content ?? '',
  cta_text: draft.cta_text ?? '',
  cta_url: draft.cta_url ?? '',
  footer: draft.footer ?? '',
});

const textsOf = (draft: Draft) => Object.values(draft).flatMap(text => (text ? [text] : []));

/** The metadata columns in the parts, in order. */
export const columnsIn = (draft: Draft): string[] => {
  const names = textsOf(draft).flatMap(text => variablesOf(text).map(({ name }) => name));
  return [...new Set(names)].filter(name => !isOwnName(name));
};

/** Warnings about possible mistakes. Without `known` columns, any name may be right, and only missing parts are reported. */
export function warningsIn(draft: Draft, known?: readonly string[]): string[] {
  const texts = textsOf(draft);
  const warnings = texts.flatMap(text => doubtsAbout(text, known ?? columnsIn(draft)));
  return [...new Set([...warnings, ...(known ? [] : withoutDefault(texts))])];
}

function withoutDefault(texts: string[]): string[] {
  const variables = texts.flatMap(variablesOf).filter(({ name, fallback }) => !isOwnName(name) && !fallback);
  const names = [...new Set(variables.map(({ name }) => name))];
  const [first] = names;
  if (!first) return [];
  return [
    `Members without ${LIST.format(names)} see nothing in its place: a default is written {{${first} | 'Default'}}.`,
  ];
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** A sample member with these values. */
export const sampleReader = (
  samples: Record<string, string>,
  language: string,
  email = OWN.email,
): Reader => ({
  values: new Map([...Object.entries(samples), ...Object.entries({ ...OWN, email })]),
  language,
  unsubscribe: 'https://example.com/unsubscribe',
  tracked: url => url,
});
