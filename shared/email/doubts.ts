import { isMarkdown, type Part } from './content.ts';
import { markdownFaults } from './markdown-faults.ts';
import { parse } from './placeholder.ts';
import { placeholderFaults } from './placeholder-faults.ts';

/** Inboxes on a computer show about so many characters of a subject line, and phones fewer. */
const LONGEST_SUBJECT = 60;
const FEWEST_CAPITALS = 8;

const lengthOf = (text: string) =>
  parse(text).reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece : piece.fallback || piece.name).length,
    0,
  );

/** What is written itself, without placeholders. */
const wordsOf = (text: string) =>
  parse(text)
    .filter(piece => typeof piece === 'string')
    .join('');

function isShouted(text: string): boolean {
  const letters = wordsOf(text).replace(/\P{L}/gu, '');
  // Letters of some scripts have no capitals.
  return (
    letters.length >= FEWEST_CAPITALS &&
    letters === letters.toUpperCase() &&
    letters !== letters.toLowerCase()
  );
}

const hasManyMarks = (text: string) => wordsOf(text).split(/[!\uff01]/).length > 2;
const isSubject = (part: Part) => part === 'subject_line';
const isLine = (part: Part) => isSubject(part) || part === 'preheader' || part === 'cta_text';
const hasLinks = (part: Part) => isMarkdown(part) || part === 'cta_url';

const tooLong = (length: number) =>
  `Most inboxes show about ${LONGEST_SUBJECT} characters of a subject line, and this has ${length}: begin with what matters.`;
const SHOUTED = 'Spam filters suspect lines in capital letters: write it as a sentence.';
const MARKS = 'Spam filters suspect several exclamation marks: one is enough.';
const HTTP = 'Mail programs may warn of links that begin with http://: write https://.';

/** What readers may not like, or not see: in which parts of an email, and what to do. */
const CHECKS: [parts: (part: Part) => boolean, doubts: (text: string) => string[]][] = [
  [() => true, placeholderFaults],
  [isMarkdown, markdownFaults],
  [isSubject, text => (lengthOf(text) > LONGEST_SUBJECT ? [tooLong(lengthOf(text))] : [])],
  [isLine, text => (isShouted(text) ? [SHOUTED] : [])],
  [isLine, text => (hasManyMarks(text) ? [MARKS] : [])],
  [hasLinks, text => (/(^|[^\w])http:\/\/\S/i.test(text) ? [HTTP] : [])],
];

export const doubtsIn = (part: Part, text: string): string[] =>
  CHECKS.flatMap(([parts, doubts]) => (parts(part) ? doubts(text) : []));
