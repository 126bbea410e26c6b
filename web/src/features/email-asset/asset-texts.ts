/** In milliseconds. */
export const DUPLICATE_TOAST_DURATION = 5000;

const LONGEST_EXCERPT = 120;

/** The beginning of a content, in one line. */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_EXCERPT) return line;
  // Without a half character, or half of a word where words have spaces between them.
  const beginning = [...line].slice(0, LONGEST_EXCERPT).join('');
  return `${beginning.replace(/(.{80,}) \S*$/, '$1')}…`;
}
