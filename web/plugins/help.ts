import MarkdownIt, { type Token } from 'markdown-it';
import type { Plugin } from 'vite';
import type { HelpSection, HelpText } from '../src/lib/help.ts';

const markdown = new MarkdownIt({ html: false });

/** Turns docs/help.md into the sections of the page Help, so that the browser loads no Markdown parser for it. */
export const help = (): Plugin => ({
  name: 'help',
  enforce: 'pre',
  transform(source, id) {
    if (id.endsWith('/docs/help.md')) return `export default ${JSON.stringify(helpSections(source))}`;
  },
});

/** A section for each heading below the title, which is its id. */
export function helpSections(source: string): HelpSection[] {
  const sections: HelpSection[] = [];
  const [, ...parts] = source.split(/^(?=##)/m);
  for (const part of parts) {
    const [line = '', ...text] = part.split('\n');
    const title = line.replace(/^#+ /, '');
    sections.push({
      id: title.toLowerCase().replaceAll(' ', '-'),
      title,
      isChapter: line.startsWith('## '),
      text: treeOf(markdown.parse(text.join('\n'), {})),
    });
  }
  return sections;
}

function treeOf(tokens: Token[]): HelpText[] {
  const root: HelpText[] = [];
  const open: HelpText[][] = [root];
  for (const { type, tag, nesting, content, children } of tokens) {
    if (nesting === 1) {
      const element: [string, ...HelpText[]] = [tag];
      open.at(-1)?.push(element);
      open.push(element);
    } else if (nesting === -1) open.pop();
    else if (type === 'inline') open.at(-1)?.push(...treeOf(children ?? []));
    else if (type === 'softbreak') open.at(-1)?.push(' ');
    else if (content) open.at(-1)?.push(tag ? [tag, content] : content);
  }
  return root;
}
