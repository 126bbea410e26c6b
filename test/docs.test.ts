import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ItemKind, KINDS, WITH_SESSION } from '../functions/core/storage/items/items.ts';

it('docs/security.md names tests that there are', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const named = [...page.matchAll(/`([\w/*-]+\.test\.tsx?)`/g)].map(([, path]) => `test/${path}`);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => globSync(path).length === 0)).toEqual([]);
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
