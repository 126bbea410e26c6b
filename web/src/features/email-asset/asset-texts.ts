import { PARTS, type Part } from '../../../../shared/email/content.ts';

export const ASSET_MISSING = 'Email asset not found. Are you logged in with the right account?';

export const ASSET_TOAST_DURATION = 4000;
export const DUPLICATE_TOAST_DURATION = 5000;

const LONGEST_EXCERPT = 120;

/** What an asset is called that may have no name. */
export const nameOf = ({ name, type }: { name: string | null; type: Part }) => name || `[${PARTS[type]}]`;

/** The beginning of a content, in one line. */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_EXCERPT) return line;
  // Without a half character, or half of a word where words have spaces between them.
  const beginning = [...line].slice(0, LONGEST_EXCERPT).join('');
  return `${beginning.replace(/(.{80,}) \S*$/, '$1')}…`;
}
