import MarkdownIt, { type Token } from 'markdown-it';
import type { Part } from './content.ts';
import { html, line, type Section, type Slot } from './encode.ts';
import { WIDEST_IMAGE } from './markdown-faults.ts';
import { parse, type Text, UNSUBSCRIBE, type Variable } from './placeholder.ts';

// Only syntax that every mail program can show. HTML and code are text.
const markdown = new MarkdownIt('zero', { html: false, breaks: true }).enable([
  'heading',
  'list',
  'blockquote',
  'hr',
  'newline',
  'escape',
  'emphasis',
  'link',
  'autolink',
  'image',
  'table',
]);
// Addresses are checked later, when their placeholders are filled in.
markdown.validateLink = () => true;
markdown.normalizeLink = url => url;
markdown.normalizeLinkText = url => url;

// While markdown is parsed, a character of the private use area stands for each placeholder.
const FIRST = 0xe000;
const MOST_VARIABLES = 0x1900;
const PRIVATE = /[\ue000-\uf8ff]/g;

export type Rendered = { html: Section; text: Section };

/** `link` is the color of links; without one, they have that of the text. */
type Style = { part: Part; unsubscribeWord: string; rightToLeft: boolean; link?: string | undefined };

export function render(source: string, style: Style): Rendered {
  const variables: Variable[] = [];
  const marked = parse(source.replace(PRIVATE, '\ufffd').replace(/\r\n?/g, '\n'))
    .map(piece => {
      if (typeof piece === 'string') return piece;
      if (variables.length === MOST_VARIABLES) return '';
      variables.push(piece);
      return String.fromCharCode(FIRST + variables.length - 1);
    })
    .join('');
  const unmarked = (text: string): Text =>
    text.split(/([\ue000-\uf8ff])/).flatMap((piece): Text => {
      const at = piece.charCodeAt(0) - FIRST;
      const variable = variables[at];
      if (variable) return [variable];
      return piece ? [piece.replace(PRIVATE, '\ufffd')] : [];
    });
  const blocks = treeOf(markdown.parse(marked, {}));
  const lines = blocksAsText(blocks, unmarked, style.part);
  return {
    html: blocks.flatMap(block => blockAsHtml(block, unmarked, style)),
    text: lines.flatMap((text, at) => (at === 0 ? text : ['\n', ...text])),
  };
}

type Unmarked = (text: string) => Text;
type Node = { token: Token; children: Node[] };

function treeOf(tokens: Token[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const node = { token, children: [] };
    open.at(-1)?.push(node);
    if (token.nesting === 1) open.push(node.children);
  }
  return root;
}

/** The style attribute of an element: mail programs read styles from there. */
function styleOf(tag: string, { rightToLeft }: Style): string {
  const side = rightToLeft ? 'right' : 'left';
  switch (tag) {
    case 'p':
      return 'margin:0 0 16px';
    case 'ul':
    case 'ol':
      return 'margin:0 0 16px;padding:0 24px';
    case 'li':
      return 'margin:0 0 6px';
    case 'blockquote':
      return `margin:0 0 16px;padding-${side}:16px;border-${side}:3px solid #d6d3d1`;
    case 'hr':
      return 'margin:24px 0;border:0;border-top:1px solid #d6d3d1';
    case 'h1':
      return 'margin:0 0 12px;font-size:24px;line-height:1.3';
    case 'h2':
      return 'margin:0 0 12px;font-size:20px;line-height:1.3';
    default:
      return 'margin:0 0 12px;font-size:17px;line-height:1.4';
  }
}

function blockAsHtml({ token, children }: Node, unmarked: Unmarked, style: Style): Section {
  if (token.type === 'inline') return inlineAsHtml(token.children ?? [], unmarked, style);
  const inner = children.flatMap(child => blockAsHtml(child, unmarked, style));
  if (token.hidden || token.tag === 'thead' || token.tag === 'tbody') return inner;
  if (token.tag === 'table') return [TABLE, ...inner, '</table>'];
  if (token.tag === 'tr') {
    // The parser fills up short rows: of a wide table these would be long.
    const filled = children.slice(0, children.findLastIndex(isFilled) + 1);
    const empty = children.length - filled.length;
    return [
      '<tr>',
      ...filled.flatMap(cell => blockAsHtml(cell, unmarked, style)),
      empty > 0 ? `<td colspan="${empty}" style="${CELL.td}"></td></tr>` : '</tr>',
    ];
  }
  if (token.tag === 'th' || token.tag === 'td') {
    const [side] = /right|center|left/.exec(String(token.attrGet('style'))) ?? [];
    const align = side ?? (token.tag === 'td' ? '' : style.rightToLeft ? 'right' : 'left');
    const opening = `<${token.tag}${align && ` align="${align}"`} style="${CELL[token.tag]}">`;
    return [opening, ...inner, `</${token.tag}>`];
  }
  const start = token.tag === 'ol' && token.attrGet('start') ? ` start="${token.attrGet('start')}"` : '';
  const opening = `<${token.tag}${start} style="${styleOf(token.tag, style)}">`;
  return token.tag === 'hr' ? [opening] : [opening, ...inner, `</${token.tag}>`];
}

/** Outlook takes the distance of text from the lines of a table from this attribute. */
const TABLE =
  '<table width="100%" cellspacing="0" cellpadding="8" border="0" style="margin:0 0 16px;border-collapse:collapse">';
const CELL = { th: 'border-bottom:2px solid #d6d3d1', td: 'border-bottom:1px solid #d6d3d1' };
const isFilled = ({ children: [inline] }: Node) => inline !== undefined && inline.token.content !== '';

const INLINE_TAGS: Record<string, string> = {
  softbreak: '<br>',
  hardbreak: '<br>',
  strong_open: '<strong>',
  strong_close: '</strong>',
  em_open: '<em>',
  em_close: '</em>',
  link_close: '</a>',
};

const linkTo = (url: Text, { part, link }: Style): Section => [
  link ? '<a class="link"' : '<a',
  { in: 'href', part, url },
  ` style="color:${link ?? 'inherit'};text-decoration:underline">`,
];

function inlineAsHtml(tokens: Token[], unmarked: Unmarked, style: Style): Section {
  let inLink = false;
  const valueAsHtml = (variable: Variable): Section => {
    if (variable.name !== UNSUBSCRIBE) return [{ in: 'html', variable }];
    const word = html(style.unsubscribeWord);
    return inLink ? [word] : [...linkTo([variable], style), word, '</a>'];
  };
  return tokens.flatMap((token): Section => {
    if (token.type === 'link_open') {
      inLink = true;
      return linkTo(unmarked(String(token.attrGet('href'))), style);
    }
    if (token.type === 'link_close') inLink = false;
    const tag = INLINE_TAGS[token.type];
    if (tag) return [tag];
    if (token.type === 'image') return imageAsHtml(token, unmarked);
    return unmarked(token.content).flatMap(piece =>
      typeof piece === 'string' ? [html(piece)] : valueAsHtml(piece),
    );
  });
}

const IMAGE = 'display:block;max-width:100%;height:auto;border:0';

/** Outlook draws an image in its own size unless it has a width. */
function imageAsHtml(token: Token, unmarked: Unmarked): Section {
  const width = /^[1-9]\d{0,2}$/.exec(String(token.attrGet('title') ?? ''))?.[0];
  const alt = unmarked(altOf(token)).map((piece): string | Slot =>
    typeof piece === 'string' ? html(piece) : { in: 'html', variable: piece },
  );
  return [
    '<img',
    { in: 'src', url: unmarked(String(token.attrGet('src'))) },
    ' alt="',
    ...alt,
    `"${width ? ` width="${Math.min(Number(width), WIDEST_IMAGE)}"` : ''} style="${IMAGE}">`,
  ];
}

const altOf = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

function blocksAsText(nodes: Node[], unmarked: Unmarked, part: Part): Section[] {
  return nodes.flatMap((node, at) => {
    const lines = blockAsText(node, unmarked, part);
    // In a list without empty lines, markdown-it marks paragraphs as hidden.
    const isApart = at > 0 && !node.token.hidden && !nodes[at - 1]?.token.hidden;
    return isApart ? [[], ...lines] : lines;
  });
}

function blockAsText({ token, children }: Node, unmarked: Unmarked, part: Part): Section[] {
  const inner = () => blocksAsText(children, unmarked, part);
  switch (token.type) {
    case 'inline':
      return inlineAsText(token.children ?? [], unmarked, part);
    case 'hr':
      return [['---']];
    case 'blockquote_open':
      return inner().map(text => ['> ', ...text]);
    case 'table_open':
      return tableAsText(children, unmarked, part);
    case 'bullet_list_open':
      return children.flatMap(item => itemAsText('- ', blocksAsText(item.children, unmarked, part)));
    case 'ordered_list_open': {
      const first = Number(token.attrGet('start') ?? 1);
      return children.flatMap((item, at) =>
        itemAsText(`${first + at}. `, blocksAsText(item.children, unmarked, part)),
      );
    }
    default:
      return inner();
  }
}

/** In a mail program with letters of one width. */
const WIDEST_COLUMN = 30;

function tableAsText(groups: Node[], unmarked: Unmarked, part: Part): Section[] {
  const rows = groups.flatMap(({ children }) =>
    children.map(row =>
      row.children
        .slice(0, row.children.findLastIndex(isFilled) + 1)
        .map(({ children: [cell] }) => inlineAsText(cell?.token.children ?? [], unmarked, part).flat()),
    ),
  );
  const lengthOf = (cell: Section) =>
    cell.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0);
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.min(WIDEST_COLUMN, Math.max(3, ...rows.map(row => lengthOf(row[at] ?? [])))),
  );
  const padded = (row: Section[]): Section =>
    row.flatMap((cell, at) =>
      at === row.length - 1
        ? cell
        : [...cell, ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(cell)) + 2)],
    );
  const [heading = [], ...others] = rows.map(padded);
  return [heading, [widths.map(width => '-'.repeat(width)).join('  ')], ...others];
}

const itemAsText = (mark: string, lines: Section[]): Section[] =>
  lines.length === 0
    ? [[mark.trim()]]
    : lines.map((text, at) =>
        text.length === 0 ? [] : [at === 0 ? mark : ' '.repeat(mark.length), ...text],
      );

function inlineAsText(tokens: Token[], unmarked: Unmarked, part: Part): Section[] {
  const lines: Section[] = [[]];
  let label: { url: Text; shown: Text } | undefined;
  const write = (...pieces: Section) => lines.at(-1)?.push(...pieces);
  for (const token of tokens) {
    if (token.type === 'softbreak' || token.type === 'hardbreak') {
      lines.push([]);
    } else if (token.type === 'link_open') {
      label = { url: unmarked(String(token.attrGet('href'))), shown: [] };
    } else if (token.type === 'link_close' && label) {
      const { url, shown } = label;
      label = undefined;
      const isItsOwnLabel = JSON.stringify(shown) === JSON.stringify(url);
      if (!isItsOwnLabel) write({ in: 'address', part, url, inBrackets: true });
    } else if (token.type === 'text' || token.type === 'image') {
      const pieces = unmarked(token.type === 'image' ? altOf(token) : token.content);
      label?.shown.push(...pieces);
      for (const piece of pieces) {
        if (typeof piece === 'string') write(line(piece));
        else if (piece.name === UNSUBSCRIBE) write({ in: 'address', part, url: [piece] });
        else write({ in: 'line', variable: piece });
      }
    }
  }
  return lines;
}
