import type { Content, Part } from '#shared/email/content.ts';

const AROUND: Content = {
  subject_line: 'The subject line',
  preheader: 'The preheader',
  pre_cta_content: 'The content before the button.',
  cta_text: 'The button',
  cta_url: 'https://example.com/',
  after_cta_content: 'The content after the button.',
  footer: 'The footer: {{UNSUB_LINK}}',
};

/** An email with this asset. The other parts have a text that says what belongs there. */
export const sampleEmailWith = (type: Part, value: string): Content => ({ ...AROUND, [type]: value });
