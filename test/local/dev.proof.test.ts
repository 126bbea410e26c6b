import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assemblyOf } from '#local/template/assembly.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { temporary } from './fixture/stack.ts';

// A copy of the sources, since the test edits them.
const root = temporary('dev');
const dataDir = join(root, '.local');
const slowly = { timeout: 120_000, interval: 200 };
let output = '';
let url = '';
let end: () => Promise<unknown>;

const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(join(root, file), change(readFileSync(join(root, file), 'utf8')));

const ask = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(url + path, { headers })).text();

beforeAll(async () => {
  for (const part of [
    'bin',
    'lib',
    'shared',
    'functions',
    'local',
    'web',
    'cdk.json',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(part, join(root, part), { recursive: true });
  }
  // What all tests use is synthesized from the same sources.
  cpSync(ASSEMBLY, assemblyOf(root, dataDir), { recursive: true });
  const child = spawn(process.execPath, ['local/main.ts', '--dev'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DEMO: '0' },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const ended = new Promise(done => child.on('close', done));
  end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  await vi.waitFor(() => expect(output).toContain('Letterflow is at '), slowly);
  url = /Letterflow is at (\S+)/.exec(output)?.[1] ?? '';
}, 300_000);
afterAll(() => end());

describe('npm run dev', { timeout: 300_000 }, () => {
  const FILE = 'functions/http/openapi.ts';
  const TITLE = '$' + '{PRODUCT} API';

  it('serves the pages from their sources', async () => {
    const page = await ask('/login', { accept: 'text/html' });
    expect(page).toContain('/@vite/client');
    expect(await ask('/lists/7', { accept: 'text/html' })).toContain('/src/app/main.tsx');
  });

  it('shows an edit of a page', async () => {
    edit('web/login.html', text => text.replace('</head>', '<meta name="edited" content="yes"></head>'));
    await expect.poll(() => ask('/login', { accept: 'text/html' }), slowly).toContain('name="edited"');
  });

  it('says what does not build, and where; then answers with the edited handler', async () => {
    edit(FILE, text => `const = 1;\n${text}`);
    await expect.poll(() => ask('/api/openapi.json'), slowly).toContain('It does not build: ');
    const said = /^It does not build: functions\/http\/openapi\.ts:1:6: /m;
    expect(JSON.parse(await ask('/api/openapi.json')).message).toMatch(said);
    expect(output).toMatch(said);
    expect(readFileSync(join(root, FILE), 'utf8')).toContain(TITLE);
    edit(FILE, text => text.replace('const = 1;\n', '').replace(TITLE, 'Edited'));
    await expect.poll(() => ask('/api/openapi.json'), slowly).toContain('"title":"Edited"');
  });
});
