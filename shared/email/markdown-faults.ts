import { replacePlaceholders } from './placeholder.ts';
import { linkedAddress } from './web-address.ts';

// While a text is searched, this character stands for each placeholder, so that the bar before a default is none of a table.
const VALUE = '\ue000';
const MOST_SAID = 3;
/** In all tables of a text, so that its email stays small. */
const MOST_CELLS = 500;

/** The faults of a text in Markdown: what recipients would see as it was typed, and what to write instead. */
export function markdownFaults(text: string): string[] {
  const masked = replacePlaceholders(text.replaceAll(VALUE, '\ufffd'), () => VALUE)
    .replace(/\r\n?/g, '\n')
    // What is escaped is meant to be seen.
    .replace(/\\[!-/:-@[-`{-~]/g, '\ufffd');
  const images: string[] = [];
  const withoutImages = masked.replace(IMAGE, (written, ...[, url = '', width]) => {
    images.push(...faultOfImage(written, url, width));
    return VALUE;
  });
  const others = PATTERNS.flatMap(([pattern, instead]) => {
    const [written, tag = ''] = pattern.exec(withoutImages) ?? [];
    return written === undefined ? [] : [`${shown(written)} is shown as it is typed: ${instead(tag)}`];
  });
  const links = [...withoutImages.matchAll(LINK)].flatMap(([written, url = '']) => faultOfLink(written, url));
  return [...new Set([...images, ...links, ...tableFaults(withoutImages), ...others])].slice(0, MOST_SAID);
}

const LONGEST_SHOWN = 60;
const shown = (text: string) => {
  const typed = text.trim().replaceAll(VALUE, '{{…}}');
  return typed.length > LONGEST_SHOWN ? `${typed.slice(0, LONGEST_SHOWN)}…` : typed;
};

/** An image, or what was meant as one: `![alt](address "title")`, of which only the beginning may be right. */
const IMAGE =
  /!\[(?:([^[\]\n]{0,500})\]\([ \t]?((?:[^\s()<>"]|\([^\s()]{0,200}\)){1,2048})(?:[ \t]{1,9}"([^"\n]{0,100})")?[ \t]?\)|[^\n]{0,60})/g;
/** The column of an email is as wide as that. */
export const WIDEST_IMAGE = 600;

function faultOfImage(written: string, url: string, width: string | undefined): string[] {
  const begins = (...starts: string[]) => starts.some(start => url.startsWith(start));
  if (!url) return [`${shown(written)} is not an image: write ![description](https://example.com/image.png)`];
  if (!begins('https://', '/files/', VALUE)) {
    const instead = begins('http://')
      ? `an address that begins with https://`
      : 'an address that begins with https://, or upload it';
    return [`The image ${shown(url)} is not shown in emails: write ${instead}`];
  }
  const isWidth = width === undefined || (/^[1-9]\d{0,2}$/.test(width) && Number(width) <= WIDEST_IMAGE);
  return isWidth
    ? []
    : [`“${shown(width)}” is not the width of an image: write pixels up to ${WIDEST_IMAGE}, such as "300"`];
}

/** `[text](address "title")`, also with an address in angle brackets, which may have spaces. */
const LINK =
  /\[[^[\]\n]{0,500}\]\([ \t]?((?:[^\s()<>"]|\([^\s()]{0,200}\)){0,2048}|<[^<>\n]{0,2048}>)(?:[ \t]{1,9}"[^"\n]{0,100}")?[ \t]?\)/g;

/** A link that mail programs would not open. What begins with a placeholder is checked when it is filled in. */
function faultOfLink(written: string, url: string): string[] {
  const address = url.replace(/^<|>$/g, '');
  if (address.startsWith(VALUE) || linkedAddress(address.replaceAll(VALUE, 'x'))) return [];
  const instead = /^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(address)
    ? `mailto:${address}`
    : /^(?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(address)
      ? `https://${shown(address).replace(/^\/\//, '')}`
      : 'an address that begins with https://';
  return [`The link ${shown(written)} leads nowhere: write ${instead}`];
}

const HTML: Record<string, string> = {
  a: '[text](https://example.com)',
  b: '**text**',
  strong: '**text**',
  i: '*text*',
  em: '*text*',
  br: 'a new line',
  hr: '--- in a line of its own',
  img: '![description](https://example.com/image.png)',
  li: '- text',
  h1: '# Heading',
  h2: '## Heading',
  h3: '### Heading',
  table: '| a | b |, and |---|---| in the line below',
};
const TAGS =
  'a|b|strong|i|em|u|s|p|br|hr|img|li|ul|ol|h[1-6]|table|thead|tbody|tr|td|th|div|span|font|center|blockquote|pre|code|style|script|iframe|button';

const PATTERNS: [RegExp, (tag: string) => string][] = [
  [
    new RegExp(`</?(${TAGS})(?:\\s[^<>]{0,1000})?/?>`, 'i'),
    tag => {
      const instead = HTML[tag.toLowerCase()];
      return instead ? `write ${instead}` : 'leave out the HTML';
    },
  ],
  [/^ {0,3}(?:```|~~~)/m, () => 'emails have no blocks of code, leave it out'],
  [/`[^`\n]{1,200}`/, () => 'emails have no code, leave out the ` signs'],
  [/~~[^~\n]{1,200}~~/, () => 'emails have no struck text, leave out the ~ signs'],
  [/^ {0,3}={3,}[ \t]*$/m, () => 'write # before the line above'],
  [
    /^ {0,3}\[[^\]\n]{1,100}\]:[ \t]\S{1,100}/m,
    () => 'write the address where the link is, as in [text](https://example.com)',
  ],
];

/** A line between bars, or of bars and lines alone, also in a quote or a list. */
const ROW = /^(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*\|(?:.*\||[-|: \t]+)$/;
const DELIMITER = /^\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*(?:[ \t]*\|)?$/;
/** What ends a table beside an empty line. */
const OTHER_BLOCK = /^(?:>|[-*+] |\d{1,9}[.)] |#{1,6} |(?:[-*_][ \t]*){3,}$)/;

const isDelimiter = (line: string) => line.includes('|') && DELIMITER.test(line.trim());
const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length;

/** Tables begin after an empty line with a heading, and below it |---| for each of its columns. */
function tableFaults(text: string): string[] {
  const lines = text.split('\n');
  const faults: string[] = [];
  let cells = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isRule = isDelimiter(line);
    const isAbove = !isRule && line.includes('|') && line.trim() !== '|' && isDelimiter(lines[at + 1] ?? '');
    if (!isRule && !isAbove && !ROW.test(line.trim())) continue;
    const first = at;
    while (at + 1 < lines.length && lines[at + 1]?.trim() && !OTHER_BLOCK.test(lines[at + 1]?.trim() ?? ''))
      at++;
    const columns = cellsOf(line);
    const isPlace = !lines[first - 1]?.trim() && !/^ {4}|\t/.test(line) && !OTHER_BLOCK.test(line.trim());
    if (isAbove && isPlace && cellsOf(lines[first + 1] ?? '') === columns) {
      cells += columns * (at - first);
      continue;
    }
    const rule = `|${'---|'.repeat(Math.min(columns, 20))}`;
    faults.push(
      `${isRule ? 'This' : shown(line)} is not a table: that has an empty line above it, a heading such as | a | b |, and ${rule} below the heading. Without a table, leave out the | at the ends`,
    );
  }
  if (cells <= MOST_CELLS) return faults;
  return [...faults, `The tables of a text have at most ${MOST_CELLS} cells: leave out some of ${cells}`];
}
