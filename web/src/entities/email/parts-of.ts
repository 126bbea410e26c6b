import { PART_NAMES, type Part } from '#shared/email/content.ts';

type Texts = { [Name in Part]?: string | null | undefined };

/** The content of an email in a template, a combination or a form. */
export const partsOf = (texts: Texts): Texts =>
  Object.fromEntries(PART_NAMES.map(part => [part, texts[part]]));
