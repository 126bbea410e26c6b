import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SCOPE_NAMES } from '#shared/permissions.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const run = promisify(execFile);

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  module: 'nodenext',
  target: 'esnext',
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
};

it('the package of the client compiles with the examples of its documentation, which work', async () => {
  const project = mkdtempSync(join(resolve('.tmp'), 'client-'));
  const installed = join(project, 'node_modules/@letterflow/client');
  mkdirSync(installed, { recursive: true });
  cpSync('client/package.json', join(installed, 'package.json'));
  await run('tsc', ['-p', 'client', '--outDir', join(installed, 'dist')]);
  cpSync('client/example.ts', join(project, 'example.ts'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, files: ['example.ts'] }),
  );
  await run('tsc', ['-p', project]).catch(({ stdout }) => expect.fail(stdout));

  const owner = await newMember(stack);
  const body = { name: 'client', scopes: SCOPE_NAMES };
  const { token } = (await stack.call('POST /api/tokens', { token: owner.token, body })).body;
  stack.mustNotBeLogged(token);
  const env = { ...process.env, LETTERFLOW_URL: new URL(stack.url()).origin, LETTERFLOW_TOKEN: token };
  const { stdout } = await run('node', [join(project, 'example.ts')], { env });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/: read, contacts, content, automations, sending$/),
    'ada@example.com: created',
    'grace@example.com: created',
    '2 members',
    "422 { name: [ 'Name is required' ] }",
    '',
  ]);
});
