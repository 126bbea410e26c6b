import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { KINDS } from '#core/storage/items/items.ts';
import type { ItemKind } from '#core/storage/items/kind.ts';
import * as timeouts from '#core/timeouts.ts';
import { savedCounts } from './bench/counts.ts';
import { FULL } from './bench/sizes.ts';

const PAGES = [...globSync('docs/**/*.md'), 'CONTRIBUTING.md', 'README.md'];
const DECISIONS = globSync('docs/decisions/[0-9]*.md');
const withoutBlocks = (page: string) => page.replaceAll(/^ *```.*?^ *```/gms, '');

it('every page is in the index of README.md, every decision in that of the decisions', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(globSync('docs/*.md').filter(page => !readme.includes(`](${page})`))).toEqual([]);
  const entries = DECISIONS.map(page => {
    const [title] = readFileSync(page, 'utf8').split('\n');
    const file = basename(page);
    return `- [${file.slice(0, '0000'.length)}](${file}) ${title?.replace('# ', '')}`;
  });
  const decisions = readFileSync('docs/decisions/README.md', 'utf8');
  expect(decisions.match(/^- .+$/gm)?.toSorted()).toEqual(entries.toSorted());
});

it('every decision has a number of its own, and a status', () => {
  const numbers = DECISIONS.map(page => basename(page).slice(0, '0000'.length));
  expect(numbers).toEqual([...new Set(numbers)]);
  const status = /^# .+\n\nStatus: (?:accepted|replaced by \[\d{4}\]\(.+\)), \d{4}-\d\d-\d\d\n\n\S/;
  expect(DECISIONS.filter(page => !status.test(readFileSync(page, 'utf8')))).toEqual([]);
});

/** `sweep.ts`, `core/sending/`, `shared/<noun>.ts` or `test/core/delivery-*.test.ts`, each from whichever folder on. */
const PATH = /`((?:[\w.<>*-]+\/)*[\w.<>*-]+(?:\.tsx?|\.css|\/))`/g;
const patternOf = (path: string) =>
  new RegExp(
    `(^|/)${path.replaceAll('.', '\\.').replaceAll(/<\w+>|\*/g, '[^/]+')}${path.endsWith('/') ? '' : '$'}`,
  );

it('pages name files and folders that there are', () => {
  const files = globSync(
    '{*.ts,{bin,client,docs,functions,lib,local,shared,test,web}/**/*.{css,json,md,ts,tsx}}',
  ).join('\n');
  const named = PAGES.flatMap(page =>
    [...withoutBlocks(readFileSync(page, 'utf8')).matchAll(PATH)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(400);
  expect(named.filter(({ path }) => !new RegExp(patternOf(path), 'm').test(files))).toEqual([]);
});

/** `startStack`, `MOST_SELECTED` and `FieldWarnings`, but no parts of names, and no calls. */
const NAME = /`([a-z]+[A-Z]\w+|[A-Z]+_[A-Z_]+|(?:[A-Z][a-z]+){2,})(?:\(\))?`/g;

it('pages name functions, constants and components that there are', () => {
  const code = globSync([
    '{*.ts,*.json}',
    '{bin,client,functions,lib,local,shared,test,web}/**/*.{css,json,ts,tsx}',
  ])
    .filter(file => file !== 'test/docs.test.ts')
    .map(file => readFileSync(file, 'utf8'))
    .join('\n');
  const words = new Set(code.match(/[A-Za-z_]\w+/g));
  // A decision also names what was rejected.
  const named = PAGES.filter(page => !page.includes('decisions')).flatMap(page =>
    [...withoutBlocks(readFileSync(page, 'utf8')).matchAll(NAME)].map(([, name = '']) => ({ page, name })),
  );
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ name }) => !words.has(name))).toEqual([]);
});

const MILLISECONDS: Record<string, number> = { s: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const TIMES = new Map<string, number>(Object.entries(timeouts));

it('times of sending have the values of their constants', () => {
  // Such as `70 s (`SWEEP_LEASE`)`.
  const named = PAGES.flatMap(page =>
    [...readFileSync(page, 'utf8').matchAll(/(\d+)\s(s|minute|hour|day)s?\s\(`([A-Z_]+)`\)/g)].map(
      ([, count, unit = '', name = '']) => ({ name, ms: Number(count) * (MILLISECONDS[unit] ?? 0) }),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named).toEqual(named.map(({ name }) => ({ name, ms: TIMES.get(name) })));
});

const withoutCode = (page: string) => withoutBlocks(page).replaceAll(/`[^`\n]*`/g, '');
/** What a heading is called in links, by GitHub's rules. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
const anchorsIn = (path: string) =>
  [...withoutBlocks(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );

it.each(PAGES)('%s links to what there is', page => {
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
  const page = withTable(readFileSync('docs/table.md', 'utf8'), { name: 'items', table: itemsTable() });
  await expect(page).toMatchFileSnapshot('../docs/table.md');
});

it('docs/performance.md shows what the bench has stored; `npx vitest run test/docs.test.ts -u` updates it', async () => {
  const page = [
    { name: 'emails', table: emailsTable() },
    { name: 'visits', table: visitsTable() },
  ].reduce(withTable, readFileSync('docs/performance.md', 'utf8'));
  await expect(page).toMatchFileSnapshot('../docs/performance.md');
});

/** A page with a table between its marks. */
function withTable(page: string, { name, table }: { name: string; table: string }): string {
  const [start, end] = [`<!-- ${name}: written by a test -->\n`, `<!-- end of ${name} -->`];
  const [before = '', rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}${table}${end}${after}`;
}

const counted = (count: number | undefined) => String(count === undefined ? '' : Number(count.toFixed(3)));

function emailsTable(): string {
  const packs = ['1 combination', '4 combinations', '243 combinations'];
  const counts = packs.map(pack => savedCounts()[`An email of a pack of 1,000, ${pack}`] ?? {});
  const rows = Object.keys(counts[0] ?? {}).map(what => [what, ...counts.map(one => counted(one[what]))]);
  return tableOf(['', ...packs], rows);
}

const visitsTable = () =>
  tableOf(
    ['', 'Counted'],
    Object.entries(savedCounts()['An open and a click'] ?? {}).map(([what, count]) => [what, counted(count)]),
  );

function tableOf(titles: string[], rows: string[][]): string {
  const lines = [titles, titles.map(() => '---'), ...rows];
  return `${lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

it('docs/bench.md names the sizes and the budgets of the files', () => {
  const page = readFileSync('docs/bench.md', 'utf8');
  const sizes = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name = '', size = '']) => [
    name,
    numberOf(size),
  ]);
  expect(Object.fromEntries(sizes)).toEqual(FULL);
  const budgets = [...page.matchAll(/^\| .+ \| `([\w-]+\.ts)` \| (.+) \|$/gm)].flatMap(
    ([, file = '', budget = '']) =>
      (budget.match(/\d[\d,.]*\b/g) ?? []).map(count => ({ file, count: numberOf(count) })),
  );
  expect(budgets.length).toBeGreaterThan(30);
  const unknown = budgets.filter(({ file, count }) => {
    const text = readFileSync(`test/bench/${file}`, 'utf8').replaceAll('_', '');
    return !(text.match(/\d+(\.\d+)?/g) ?? []).some(found => Number(found) === count);
  });
  expect(unknown).toEqual([]);
});

const numberOf = (text: string) => Number(text.replaceAll(',', ''));

const code = (text: string) => `\`${text}\``;

function itemsTable(): string {
  const rows = KINDS.map(([, kind]) => {
    const { item, PK, SK, store } = kind;
    return `| ${item} | ${code(PK)} | ${code(SK)} | ${code(store)} | ${purged(kind)} | ${countedBy(kind)} |`;
  });
  return ['| Item | PK | SK | Store | Purged | Counted |', '|---|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

const PURGED = {
  organization: 'with its organization',
  list: 'with its list',
  person: 'when its person is erased',
  ttl: 'by its `ttl`',
};
const purged = ({ purged }: ItemKind) => purged.map(what => PURGED[what]).join(', ') || 'no';
const countedBy = ({ counted, rebuilt, stream }: ItemKind) =>
  [
    ...(counted ? ['by the projector'] : []),
    ...(rebuilt ? ['can be counted anew'] : []),
    ...(stream?.projector ? ['its changes are counted'] : []),
  ].join(', ');
