import type { Content, Part } from '#shared/email/content.ts';
import type { CreatedEmailAssetSet } from '#shared/email-asset-set.ts';
import { plural } from '#web/lib/format.ts';

const LONGEST_EXCERPT = 120;

/** The beginning of a text, in one line. */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_EXCERPT) return line;
  // Does not cut a character in half, nor a word if the text has spaces.
  const beginning = [...line].slice(0, LONGEST_EXCERPT).join('');
  return `${beginning.replace(/(.{80,}) \S*$/, '$1')}…`;
}

/** The message about a created set. Assets that exist already were not created again. */
export function createdText({ created, existing }: CreatedEmailAssetSet, isLinked: boolean): string {
  const count = existing.length;
  const linked = isLinked ? (count === 1 ? ' and is linked' : ' and are linked') : '';
  if (created.length === 0) return `All of these email assets existed already${linked}.`;
  const text = `${plural(created.length, 'email asset')} created`;
  return count === 0 ? `${text}.` : `${text}, ${count} existed already${linked}.`;
}

const SAMPLE: Content = {
  subject_line: 'The subject line',
  preheader: 'The preheader',
  pre_cta_content: 'The content before the button.',
  cta_text: 'The button',
  cta_url: 'https://example.com/',
  after_cta_content: 'The content after the button.',
  footer: 'The footer: {{UNSUB_LINK}}',
};

/** An email with this asset. The other parts have a text that says what belongs there. */
export const sampleEmailWith = (type: Part, value: string): Content => ({ ...SAMPLE, [type]: value });
