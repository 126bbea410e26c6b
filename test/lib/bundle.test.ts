import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inSources } from '#functions/platform/log.ts';
import { extent } from '../support/prove.ts';
import { ASSEMBLY } from '../support/setup.ts';
import type { Resource } from './templates.ts';

const bundles = readdirSync(ASSEMBLY)
  .filter(file => file.endsWith('.template.json'))
  .flatMap(file => Object.values<Resource>(JSON.parse(readFileSync(join(ASSEMBLY, file), 'utf8')).Resources))
  .flatMap(({ Metadata = {} }) => {
    const { 'letterflow:entry': entry, 'aws:asset:path': path } = Metadata;
    return entry && path ? [{ entry, directory: join(ASSEMBLY, path) }] : [];
  });

type Bundle = (typeof bundles)[number];
const codeOf = ({ directory }: Bundle) => join(directory, 'index.mjs');
const sourcesOf = (bundle: Bundle): string[] =>
  JSON.parse(readFileSync(`${codeOf(bundle)}.map`, 'utf8')).sources;

function bundleOf(entry: string): Bundle {
  const found = bundles.find(bundle => bundle.entry === entry);
  if (found) return found;
  throw new Error(`There is no bundle of ${entry}`);
}

it('there is one for every function', () => {
  expect(bundles.map(({ entry }) => entry)).toContain('functions/api/login.ts');
  expect(bundles.length).toBeGreaterThan(5);
});

it('every one loads, and has a handler, where there is nothing but Node: the AWS SDK is in it', () => {
  // All are made alike.
  const loaded = bundles.filter((_, nth) => nth % extent(6, 1) === 0);
  // In a process of its own, as in the runtime: the test runner would read them through its own loader.
  const asks = `
    import { isBuiltin, registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (isBuiltin(name) || name.startsWith('/')) return next(name, context);
        throw new Error(context.parentURL + ' imports ' + name);
      },
    });
    for (const code of process.argv.slice(1)) console.log(typeof (await import(code)).handler);`;
  const { stdout, stderr } = spawnSync('node', ['--input-type=module', '-e', asks, ...loaded.map(codeOf)], {
    env: { ...process.env, AWS_REGION: 'eu-central-1' },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toBe('function\n'.repeat(loaded.length));
});

it('a function contains the schemas of its own routes alone', () => {
  const sources = sourcesOf(bundleOf('functions/api/login.ts'));
  expect(sources).toContain('shared/login.ts');
  for (const noun of ['routes', 'list', 'list-member', 'organization', 'invitation', 'token']) {
    expect(sources).not.toContain(`shared/${noun}.ts`);
  }
});

it('a place in a bundle is found in the source, for the log', () => {
  const name = 'functions/tracking/open.ts';
  const [, pixel = ''] = /TRANSPARENT_PIXEL = '(\w+)/.exec(readFileSync(name, 'utf8')) ?? [];
  const code = codeOf(bundleOf(name));
  const at = placeOf(pixel, readFileSync(code, 'utf8'));
  const stack = inSources(`    at handler (${pathToFileURL(code)}:${at.line}:${at.column})`);
  expect(stack).toMatch(
    new RegExp(`^ {4}at handler \\(${name}:${placeOf(pixel, readFileSync(name, 'utf8')).line}:\\d+\\)$`),
  );
});

function placeOf(text: string, code: string) {
  const before = code.slice(0, code.indexOf(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const MOST: Record<string, number> = {
  // Nobody waits for the purge, which deletes what all others create.
  'functions/background/purge.ts': 1_300_000,
  // MJML and its parser, which are run when the first layout is saved.
  'functions/api/look.ts': 2_600_000,
};
const mostOf = ({ entry }: Bundle) => MOST[entry] ?? 1_200_000;

it('MJML is in the function that saves email designs alone, without what fetches pages', () => {
  const having = (name: string) =>
    bundles
      .filter(bundle => sourcesOf(bundle).some(source => source.includes(`node_modules/${name}/`)))
      .map(({ entry }) => entry);
  expect(having('mjml-browser')).toEqual(['functions/api/look.ts']);
  expect(having('undici')).toEqual([]);
});

describe.each(bundles)('the bundle of $entry', bundle => {
  it('has no module of the SDK twice, and stays small', () => {
    expect(sourcesOf(bundle).filter(source => source.includes('/dist-cjs/'))).toEqual([]);
    expect(statSync(codeOf(bundle)).size).toBeLessThan(mostOf(bundle));
  });

  it('names its sources by their paths in this repository, wherever it was built', () => {
    const sources = sourcesOf(bundle);
    expect(sources).toContain(bundle.entry);
    expect(sources.filter(source => source.startsWith('..') || source.startsWith('/'))).toEqual([]);
  });
});

// In bytes, a tenth more than was measured.
const TRACKING = { open: 456_000, click: 457_000, unsubscribe: 497_000 };

it.each(Object.entries(TRACKING))(
  'functions/tracking/%s.ts has neither zod nor middy, and starts fast',
  (name, most) => {
    const bundle = bundleOf(`functions/tracking/${name}.ts`);
    expect(sourcesOf(bundle).filter(source => /^node_modules\/(zod|@middy)\//.test(source))).toEqual([]);
    expect(statSync(codeOf(bundle)).size).toBeLessThan(most);
  },
);
