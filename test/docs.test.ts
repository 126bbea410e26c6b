import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type ItemKind, KINDS, WITH_SESSION } from '../functions/core/storage/items/items.ts';

it('docs/security.md names tests that there are', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const named = [...page.matchAll(/`([\w/*-]+\.test\.tsx?)`/g)].map(([, path]) => `test/${path}`);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => globSync(path).length === 0)).toEqual([]);
});

const withoutCode = (page: string) => page.replaceAll(/^ *```.*?^ *```|`[^`\n]*`/gms, '');
/** What a heading is called in links, by GitHub's rules. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
const anchorsIn = (path: string) =>
  [
    ...readFileSync(path, 'utf8')
      .replaceAll(/^ *```.*?^ *```/gms, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

it.each([...globSync('docs/**/*.md'), 'CONTRIBUTING.md', 'README.md'])('%s links to what there is', page => {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, a, b]) => a ?? b ?? '',
  );
  const broken = links.filter(link => {
    if (/^(\w+:|\/)/.test(link)) return false;
    const [path, anchor] = link.split('#');
    const target = path ? join(dirname(page), path) : page;
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsIn(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

it('docs/table.md shows every kind of item; `npx vitest run test/docs.test.ts -u` updates it', async () => {
  const page = readFileSync('docs/table.md', 'utf8');
  const [start, end] = ['<!-- items: written by a test -->\n', '<!-- end of items -->'];
  const [before = '', rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  await expect(`${before}${start}${itemsTable()}${end}${after}`).toMatchFileSnapshot('../docs/table.md');
});

const code = (text: string) => `\`${text}\``;

function itemsTable(): string {
  const rows = KINDS.map(([, kind]) => {
    const { item, PK, SK, store } = kind;
    return `| ${item} | ${code(PK)} | ${code(SK)} | ${code(store)} | ${purged(kind)} | ${counted(kind)} | ${writers(kind)} |`;
  });
  return [
    '| Item | PK | SK | Store | Purged | Counted | Written by |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const PURGED = {
  organization: 'with its organization',
  list: 'with its list',
  person: 'when its person is erased',
  ttl: 'by its `ttl`',
};
const purged = ({ purged }: ItemKind) => purged.map(what => PURGED[what]).join(', ') || 'no';
const counted = ({ counted, rebuilt, stream }: ItemKind) =>
  [
    ...(counted ? ['by the projector'] : []),
    ...(rebuilt ? ['can be counted anew'] : []),
    ...(stream?.projector ? ['its changes are counted'] : []),
  ].join(', ');

const nameOf = (fn: string) => fn.replace(/.*\//, '');
const writers = ({ written }: ItemKind) =>
  written === WITH_SESSION
    ? 'whoever reads a session'
    : [...new Set(written)].map(nameOf).sort().join(', ') || 'a command';
