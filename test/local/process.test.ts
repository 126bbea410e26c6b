import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mark } from '#local/marks.ts';
import { proof } from '../support/proof.ts';
import { clientOf } from './fixture/client.ts';
import { allEnded, endAll, type Started, start } from './fixture/command.ts';
import { fixtureAssembly, temporary } from './fixture/stack.ts';

const MINUTE = 60_000;

const assembly = fixtureAssembly();
afterAll(endAll);

describe('The command', () => {
  it('ends in the middle of its start as well', async () => {
    const { process: main, children, end } = start(temporary('process'), assembly);
    await expect.poll(() => children().length).toBeGreaterThan(0);
    const begun = children();
    expect(main.exitCode).toBeNull();
    expect(await end('SIGTERM')).toBe(0);
    await allEnded(begun);
  });

  it('says in one line that its port is taken, and begins nothing', async () => {
    const server = createServer();
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const dataDir = join(temporary('process'), 'none');
    const { output, ended } = start(dataDir, assembly, { PORT: String(port) });
    expect(await ended).toBe(1);
    expect(output()).toBe(`Port ${port} is taken. Set PORT to another one, or end what listens there.\n`);
    expect(existsSync(dataDir)).toBe(false);
    server.close();
  });

  proof('says in one line that its directory is shared with other users', async () => {
    const dataDir = temporary('shared');
    chmodSync(dataDir, 0o1777);
    const { output, ended } = start(dataDir, assembly);
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `${dataDir} cannot be made private: it is shared by design. Set DATA_DIR to a directory of your own.\n`,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  proof('says in one line that its port is no port', async () => {
    const { output, ended } = start(temporary('process'), assembly, { PORT: 'http' });
    expect(await ended).toBe(1);
    expect(output()).toBe('PORT must be a number up to 65535, not http.\n');
  });
});

describe('A stack that runs', () => {
  const dataDir = temporary('running');
  let stack: Started;
  const client = clientOf(() => stack.reach());
  const { get, json, now, moveTo, put, putFile } = client;

  beforeAll(async () => {
    mark(dataDir, 'open-to-all');
    for (const directory of ['logs', 'objects', 'objects/old', 'another']) {
      mkdirSync(join(dataDir, directory), { mode: 0o755 });
      writeFileSync(join(dataDir, directory, 'file'), '', { mode: 0o644 });
    }
    chmodSync(join(dataDir, 'open-to-all'), 0o644);
    chmodSync(dataDir, 0o755);
    stack = start(dataDir, assembly);
    await stack.url();
  });

  it('prints where the product is and how to sign in', async () => {
    const { url } = stack.reach();
    await expect.poll(stack.output).toContain(`the code arrives at ${url}/_local/inbox\n`);
    expect((await json('GET', '/_local/health')).body).toMatchObject({ ok: true });
  });

  it('says in one line that its data is in use', async () => {
    const second = start(dataDir, assembly);
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `${dataDir} is in use by the stack at ${stack.reach().url}. End it, or set DATA_DIR to another directory.\n`,
    );
    expect((await get('/_local/health')).status).toBe(200);
  });

  it('keeps what it stores from other users, and what others had open before; it leaves directories that are not its own', async () => {
    await put({ PK: 'KEPT', SK: 'a' });
    await putFile('files/a', 'text/x');
    await moveTo((await now()) + MINUTE);
    const entries = readdirSync(dataDir, { recursive: true }).map(name => String(name));
    for (const name of [
      'stack.sqlite-wal',
      'queues.sqlite',
      'dynamodb.sqlite',
      'clock.json',
      'logs/functions.log',
    ])
      expect(entries).toContain(name);
    const isOpen = (name: string) => (statSync(join(dataDir, name)).mode & 0o077) !== 0;
    expect(['.', ...entries].filter(isOpen).sort()).toEqual(['another', 'another/file']);
  });
});
