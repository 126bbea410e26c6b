import { PART_NAMES, type Part } from '../../../../shared/email/content.ts';

type Texts = { [Name in Part]?: string | null | undefined };

/** What of a template, of a combination or of a form is the content of an email. */
export const partsOf = (texts: Texts): Texts =>
  Object.fromEntries(PART_NAMES.map(part => [part, texts[part]]));
