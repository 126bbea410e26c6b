import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

type Chunk = { file: string; imports?: string[]; isEntry?: boolean };

const WEB = 'dist/web';
const KB = 1024;
const manifest: Record<string, Chunk> = JSON.parse(readFileSync('dist/web-manifest.json', 'utf8'));

/** The scripts that an entry or a page needs before it runs: its own and all that it imports. */
function scripts(...names: string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the manifest.`);
    if (found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return found;
}

const gzipped = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(WEB, file))).length, 0) / KB;

const page = (name: string) => readFileSync(join(WEB, name), 'utf8');
const scriptsOf = (html: string) =>
  [...html.matchAll(/<script[^>]*src="\/([^"]+)"/g)].map(([, src = '']) => src);

it.each(['terms-and-conditions.html', 'privacy-policy.html'])('%s needs no script', name => {
  expect(page(name)).not.toMatch(/<script/);
  expect(page(name)).not.toMatch(/modulepreload/);
});

it('the public home page loads at most 1 KB, which hands over to the app', () => {
  expect(scriptsOf(page('index.html'))).toEqual(['handover.js']);
  expect(page('index.html')).not.toMatch(/modulepreload/);
  expect(readFileSync(join(WEB, 'handover.js')).length).toBeLessThanOrEqual(KB);
});

it('no page carries an inline script, which the content security policy would refuse', () => {
  for (const name of ['index', 'login', 'app', 'terms-and-conditions', 'privacy-policy']) {
    expect(page(`${name}.html`)).not.toMatch(/<script(?![^>]*\bsrc=)/);
  }
});

it('/login loads at most 120 KB', () => {
  expect(gzipped(scripts('login.html'))).toBeLessThanOrEqual(120);
});

it.each([
  'src/app/home-page.tsx',
  'src/app/profile-page.tsx',
  'src/features/organization/access-control.tsx',
  'src/features/list/lists-page.tsx',
  'src/app/list-page.tsx',
  'src/features/list/edit-list-page.tsx',
  'src/features/list-member/list-member-page.tsx',
  'src/features/list-member/new-list-member-page.tsx',
])('%s, a page with a table or a form, loads at most 220 KB', name =>
  expect(gzipped(scripts('app.html', name))).toBeLessThanOrEqual(220),
);

it('what few visits need is loaded on demand', () => {
  const atOnce = scripts('app.html', 'src/app/profile-page.tsx');
  for (const name of [
    'src/components/command-palette.tsx',
    'src/features/legal/both-texts.tsx',
    'src/features/organization/new-organization-dialog.tsx',
    'src/features/token/new-token-dialog.tsx',
    'src/features/list/list-commands.tsx',
    'src/features/list/example/example-dialog.tsx',
    'src/features/list-member/metadata-dialog.tsx',
  ]) {
    expect(atOnce).not.toContain(manifest[name]?.file);
    expect(manifest[name]).toBeDefined();
  }
});
