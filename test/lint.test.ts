import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SPREAD = 'without spreading a literal';

const PLANTED: [what: string, source: string, report: string][] = [
  ['an object that spreads a literal', 'export const thing = { ...{ a: 1, b: 2 }, c: 3 };', SPREAD],
  ['an array that spreads a literal', "export const things = [...['a'], 'b'];", SPREAD],
  ['a call that spreads a literal', 'export const most = Math.max(...[1, 2]);', SPREAD],
  [
    'a long way up',
    "import { a } from '../../../shared/a.ts';\nexport const b = a;",
    'lint/style/noRestrictedImports',
  ],
  ['a file that exports all of another', "export * from './a.ts';", 'lint/performance/noReExportAll'],
  ['a barrel', "export { a } from './a.ts';\nexport { b } from './b.ts';", 'lint/performance/noBarrelFile'],
  ['nothing in a spread of what is no literal', 'export const merged = (a: object) => ({ ...a, b: 1 });', ''],
];

it('the linter reports what it must, and allows the rest', () => {
  const directory = mkdtempSync(join(resolve('.tmp'), 'lint-'));
  for (const [nth, [, source]] of PLANTED.entries()) writeFileSync(join(directory, `${nth}.ts`), source);
  // Git ignores .tmp.
  const { stdout, stderr } = spawnSync(
    'node_modules/.bin/biome',
    ['lint', '--vcs-enabled=false', '--colors=off', directory],
    { encoding: 'utf8' },
  );
  expect(stdout + stderr).toContain(`Checked ${PLANTED.length} files`);
  // Each report begins with its place, `…/lint-x/0.ts:1:24`.
  const reports = (stdout + stderr).split(/\/lint-\w+\//);
  const found = PLANTED.map(([what, , report], nth) => {
    const ofFile = reports.filter(one => one.startsWith(`${nth}.ts:`)).join('\n');
    return [what, report ? ofFile.includes(report) : ofFile === ''];
  });
  expect(found).toEqual(PLANTED.map(([what]) => [what, true]));
});
