import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** What the linter reports of a source, without its rules of formatting. */
function reported(source: string): string {
  const file = join(mkdtempSync(join(resolve('.tmp'), 'lint-')), 'planted.ts');
  writeFileSync(file, source);
  // Git ignores .tmp.
  const { stdout, stderr } = spawnSync(
    'node_modules/.bin/biome',
    ['lint', '--vcs-enabled=false', '--colors=off', file],
    { encoding: 'utf8' },
  );
  return stdout + stderr;
}

const SPREAD = 'without spreading a literal';

it.each([
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
])('the linter reports %s', (_, source, report) => {
  expect(reported(source)).toContain(report);
});

it('the linter allows a spread of what is no literal', () => {
  expect(reported('export const merged = (a: object) => ({ ...a, b: 1 });')).toContain('Checked 1 file');
  expect(reported('export const merged = (a: object) => ({ ...a, b: 1 });')).not.toContain(SPREAD);
});
