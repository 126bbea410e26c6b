import type { Part } from '../../../../shared/email/content.ts';

/** What each part of an email is: CTA, the call to action, is the button. */
export const PART_TEXTS: Record<Part, string> = {
  subject_line: 'The line by which an inbox lists the email.',
  preheader: 'What an inbox shows after the subject line.',
  pre_cta_content: 'The text above the button. CTA is short for call to action, which is the button.',
  cta_text: 'The words on the button. CTA is short for call to action.',
  cta_url: 'The address that the button leads to. CTA is short for call to action.',
  after_cta_content: 'The text below the button. CTA is short for call to action, which is the button.',
  footer: 'The end of the email, with the link to unsubscribe.',
};
