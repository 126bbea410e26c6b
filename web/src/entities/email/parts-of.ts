import { PARTS, type Part } from '../../../../shared/email/content.ts';

type Texts = { [Name in Part]?: string | null | undefined };

/** What of a template, of a combination or of a form is the content of an email. */
export const partsOf = (texts: Texts): Texts =>
  Object.fromEntries(Object.keys(PARTS).map(part => [part, texts[part as Part]]));
