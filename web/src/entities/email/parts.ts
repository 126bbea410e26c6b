import { PART_NAMES, type Part } from '#shared/email/content.ts';

/** The parts of an email that are written so far. */
export type Draft = { [Name in Part]?: string | null | undefined };

/** The content of an email in a template, a combination or a form. */
export const partsOf = (texts: Draft): Draft =>
  Object.fromEntries(PART_NAMES.map(part => [part, texts[part]]));

/** Explanations of parts whose names are not obvious: CTA, the call to action, is the button. */
export const PART_TEXTS: Partial<Record<Part, string>> = {
  preheader: 'What an inbox shows after the subject line.',
  pre_cta_content: 'The text above the button. CTA is short for call to action, which is the button.',
  cta_text: 'The words on the button. CTA is short for call to action.',
  cta_url: 'The address that the button leads to. CTA is short for call to action.',
  after_cta_content: 'The text below the button. CTA is short for call to action, which is the button.',
};

export const TYPE_TEXT =
  'Which part of an email it is. CTA is short for call to action, which is the button: Pre-CTA Content is the text above it, After-CTA Content the text below. The Preheader is what an inbox shows after the subject line.';
