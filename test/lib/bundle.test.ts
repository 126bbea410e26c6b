import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASSEMBLY } from '../support/setup.ts';
import type { Resource } from './templates.ts';

const bundles = readdirSync(ASSEMBLY)
  .filter(file => file.endsWith('.template.json'))
  .flatMap(file => Object.values<Resource>(JSON.parse(readFileSync(join(ASSEMBLY, file), 'utf8')).Resources))
  .flatMap(({ Metadata = {} }) => {
    const { 'letterflow:entry': entry, 'aws:asset:path': path } = Metadata;
    return entry && path ? [{ entry, directory: join(ASSEMBLY, path) }] : [];
  });

const codeOf = ({ directory }: { directory: string }) => join(directory, 'index.mjs');

it('there is one for every function', () => {
  expect(bundles.map(({ entry }) => entry)).toContain('functions/api/login.ts');
  expect(bundles.length).toBeGreaterThan(5);
});

it('every one loads, and has a handler', () => {
  // In a process of its own, as in the runtime: the test runner would read them through its own loader.
  const asks = `for (const code of process.argv.slice(1)) console.log(typeof (await import(code)).handler);`;
  const { stdout, stderr } = spawnSync('node', ['--input-type=module', '-e', asks, ...bundles.map(codeOf)], {
    env: { ...process.env, AWS_REGION: 'eu-central-1' },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toBe('function\n'.repeat(bundles.length));
});

it('a function contains the schemas of its own routes alone', () => {
  const login = bundles.find(({ entry }) => entry === 'functions/api/login.ts');
  const { sources } = JSON.parse(readFileSync(`${codeOf(login ?? { directory: '' })}.map`, 'utf8'));
  expect(sources).toContain('shared/login.ts');
  for (const noun of ['routes', 'list', 'list-member', 'organization', 'invitation', 'token']) {
    expect(sources).not.toContain(`shared/${noun}.ts`);
  }
});

describe.each(bundles)('the bundle of $entry', bundle => {
  const code = codeOf(bundle);

  it('leaves the AWS SDK to the runtime, and stays small', () => {
    expect(readFileSync(code, 'utf8')).not.toMatch(/\/\/ node_modules\/@(aws-sdk|smithy)\//);
    expect(statSync(code).size).toBeLessThan(1_000_000);
  });

  it('names its sources by their paths in this repository, wherever it was built', () => {
    const { sources } = JSON.parse(readFileSync(`${code}.map`, 'utf8'));
    expect(sources).toContain(bundle.entry);
    expect(sources.filter((source: string) => source.startsWith('..') || source.startsWith('/'))).toEqual([]);
  });
});

// In bytes, a tenth more than was measured.
const TRACKING = { open: 96_000, click: 102_000, unsubscribe: 141_000 };

it.each(Object.entries(TRACKING))(
  'functions/tracking/%s.ts has neither zod nor middy, and starts fast',
  (name, most) => {
    const bundle = bundles.find(({ entry }) => entry === `functions/tracking/${name}.ts`);
    const code = readFileSync(codeOf(bundle ?? { directory: '' }), 'utf8');
    expect(code).not.toMatch(/\/\/ node_modules\/(zod|@middy)\//);
    expect(code.length).toBeLessThan(most);
  },
);
