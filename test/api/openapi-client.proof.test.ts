import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupsOf } from '#shared/reference/calls.ts';
import { LANGUAGES, sentBy } from '#shared/reference/examples.ts';
import type { OpenApi } from '#shared/reference/openapi.ts';
import { v1Routes } from '#shared/v1.ts';
import { newTemplate } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const run = promisify(execFile);
const SUPPORT = 'test/support/openapi-client';
const GENERATOR = 'node_modules/@hey-api/openapi-ts/dist/run.mjs';

let document: OpenApi;
let caller: { origin: string; organization: number; token: string };
let list: string;
let template: string;
const directory = () => mkdtempSync(join(resolve('.tmp'), 'client-'));

beforeAll(async () => {
  document = (await stack.call('GET /api/openapi.json')).body;
  const owner = await newMember(stack);
  list = await newList(stack, owner, { name: 'Readers' });
  template = await newTemplate(stack, owner);
  // The example of a value is about this person.
  await addMembers(stack, owner, list, [{ email: 'ada@example.com' }]);
  const body = { name: 'client', expiration: null };
  const { token } = (await stack.call('POST /api/tokens', { token: owner.token, body })).body;
  stack.mustNotBeLogged(token);
  caller = { origin: new URL(stack.url()).origin, organization: owner.home.id, token };
});

describe('The examples of the calls of programs alone', () => {
  const programs = (language: string) =>
    groupsOf(document)
      .flatMap(({ calls }) => calls)
      // The others are written in the same way, and their examples have ids of nothing.
      .filter(({ id }) => Object.values<{ id: string }>(v1Routes).some(route => route.id === id))
      .map(call => {
        const sent = JSON.stringify(sentBy(call, caller));
        const filled = JSON.parse(sent.replaceAll('COMBINATION_ID', template).replaceAll('LIST_ID', list));
        return { call, text: LANGUAGES.find(({ name }) => name === language)?.write(filled) ?? '' };
      });

  it.each([
    ['curl', 'sh', 'sh'],
    ['JavaScript', 'node', 'mjs'],
  ])('in %s are answered as the reference says', async (language, command, ending) => {
    const answers: Record<string, unknown> = {};
    for (const { call, text } of programs(language)) {
      const file = join(directory(), `${call.id}.${ending}`);
      writeFileSync(file, text);
      const { stdout } = await run(command, [file]);
      answers[call.id] = JSON.parse(stdout);
    }
    expect(answers).toMatchObject({
      listEmailListsByToken: [{ id: list, name: 'Readers' }],
      upsertListMembers: { results: [{ email: 'ada@example.com' }, { email: 'grace@example.com' }] },
      postValue: { emailTemplateCombinationId: template, eventId: 'order-1001', value: 49.9 },
    });
    expect(JSON.stringify(answers)).not.toMatch(/"rejected"|"message"/);
  });
});

describe('A client that a common generator makes of the document', () => {
  it('compiles, lists lists, adds members, and has its errors typed', async () => {
    const project = directory();
    cpSync(SUPPORT, project, { recursive: true });
    writeFileSync(join(project, 'openapi.json'), JSON.stringify(document));
    const generated = ['-i', join(project, 'openapi.json'), '-o', join(project, 'client')];
    const options = ['--no-log-file', '--silent'];
    const hook = resolve(SUPPORT, 'typescript.ts');
    await run('node', ['--import', hook, GENERATOR, ...generated, ...options]);
    const strict = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
    };
    const modules = {
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      target: 'esnext',
    };
    const files = { compilerOptions: { ...strict, ...modules }, files: ['program.ts'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(files));
    await run('tsc', ['-p', project]).catch(({ stdout }) => expect.fail(stdout));
    const program = join(project, 'program.mjs');
    const bundling = ['--bundle', '--format=esm', '--platform=node', `--outfile=${program}`];
    await run('esbuild', [join(project, 'program.ts'), ...bundling, '--log-level=error']);
    const env = { ...process.env, BASE_URL: caller.origin, API_TOKEN: caller.token };
    const { stdout } = await run('node', [program], { env });
    expect(JSON.parse(stdout)).toEqual({
      name: 'Readers',
      members: expect.any(Number),
      results: [
        ['ada@example.com', expect.stringMatching(/created|updated/), null],
        ['no address', 'rejected', { email: ['Enter a valid email address'] }],
      ],
      status: 422,
      errors: { members: ['Send at least one member'] },
    });
  });
});
