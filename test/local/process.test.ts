import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mark } from '../../local/demo.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { fixtureAssembly, temporary } from './fixture/stack.ts';

type Started = {
  process: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
  url: () => Promise<string>;
};

const assembly = fixtureAssembly();
const started: Started[] = [];
afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGTERM');
    await ended;
  }
});

function dataDirectory(): string {
  const directory = temporary('process');
  mark(directory, 'open-to-all');
  return directory;
}

/** `npm start` with a synthesized app, as the shell leaves it: a process group of its own. */
function start(dataDir: string, env: Record<string, string> = {}, app = assembly): Started {
  const child = spawn(process.execPath, ['local/main.ts', '--assembly', app], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DEMO: '0', ...env },
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const ended = new Promise<number | null>(done => child.on('close', code => done(code)));
  const own: Started = {
    process: child,
    output: () => output,
    ended,
    async url() {
      const address = () => /Letterflow is at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(output)?.[1] ?? '';
      await expect.poll(address, { timeout: 20_000 }).not.toBe('');
      return address();
    },
  };
  started.push(own);
  return own;
}

/** All descendants of a process: their ids and command lines. */
function descendants(pid: number): { pid: number; command: string }[] {
  const processes = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
  const below = (parent: number): typeof processes =>
    processes.filter(process => process.parent === parent).flatMap(child => [child, ...below(child.pid)]);
  return below(pid);
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const put = (url: string, SK: string) =>
  fetch(`${url}/api/item`, { method: 'POST', body: JSON.stringify({ fields: { PK: 'KEPT', SK } }) });

/** 500 where the condition finds the item. */
const isKept = async (url: string, SK: string) => {
  const body = JSON.stringify({ fields: { PK: 'KEPT', SK }, conditioned: true });
  return (await fetch(`${url}/api/item`, { method: 'POST', body })).status === 500;
};

const putFile = (url: string, Key: string) =>
  fetch(`${url}/api/file`, {
    method: 'POST',
    body: JSON.stringify({
      call: 'put',
      Key,
      Body: Buffer.from(Key).toString('base64'),
      ContentType: 'text/x',
    }),
  });

describe('The command', () => {
  it('prints where the product is and how to sign in; Ctrl-C ends every process it has begun', async () => {
    const { process: main, output, url, ended } = start(dataDirectory());
    const address = await url();
    expect(output()).toContain(`the code arrives at ${address}/_local/inbox\n`);
    expect(await (await fetch(`${address}/_local/health`)).json()).toMatchObject({ ok: true });
    await fetch(`${address}/api/now`);

    const children = descendants(main.pid ?? 0);
    const commands = children.map(({ command }) => command).join('\n');
    for (const part of ['engines/process.ts', 'dynoxide serve', 'functions/runtime.ts'])
      expect(commands).toContain(part);

    // Ctrl-C signals every process of the terminal; it may be pressed twice.
    process.kill(-(main.pid ?? 0), 'SIGINT');
    process.kill(-(main.pid ?? 0), 'SIGINT');
    expect(await ended).toBe(0);
    await expect.poll(() => children.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it('ends in the middle of its start as well', async () => {
    const { process: main, ended } = start(dataDirectory());
    await expect.poll(() => descendants(main.pid ?? 0).length, { timeout: 10_000 }).toBeGreaterThan(0);
    const children = descendants(main.pid ?? 0);
    main.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect.poll(() => children.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it('says in one line that its port is taken, and begins nothing', async () => {
    const server = createServer();
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const dataDir = join(temporary('process'), 'none');
    const { output, ended } = start(dataDir, { PORT: String(port) });
    expect(await ended).toBe(1);
    expect(output()).toBe(`Port ${port} is taken. Set PORT to another one, or end what listens there.\n`);
    expect(existsSync(dataDir)).toBe(false);
    server.close();
  });

  it('says in one line that its data is in use', async () => {
    const dataDir = dataDirectory();
    const url = await start(dataDir).url();
    const second = start(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `${dataDir} is in use by the stack at ${url}. End it, or set DATA_DIR to another directory.\n`,
    );
    expect((await fetch(`${url}/_local/health`)).status).toBe(200);
  });

  it('says in one line that its port is no port', async () => {
    const { output, ended } = start(dataDirectory(), { PORT: 'http' });
    expect(await ended).toBe(1);
    expect(output()).toBe('PORT must be a number up to 65535, not http.\n');
  });
});

describe('The first start', () => {
  it('with demo data lets the demo user sign in, whose address is the first one printed, and is not repeated', async () => {
    const dataDir = temporary('demo');
    const first = start(dataDir, { DEMO: '1' }, ASSEMBLY);
    const url = await first.url();
    await expect.poll(() => /[\w.+-]+@[\w.-]+/.exec(first.output())?.[0]).toBe('demo@example.com');
    await expect.poll(() => existsSync(join(dataDir, 'demo-data')), { timeout: 20_000 }).toBe(true);

    const { messages } = (await (await fetch(`${url}/_local/inbox`)).json()) as {
      messages: { to: string }[];
    };
    expect(messages.map(({ to }) => to)).toEqual(['demo@example.com']);
    await fetch(`${url}/_local/inbox`, { method: 'DELETE' });
    const request = (email: string) =>
      fetch(`${url}/api/login/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
    expect((await request('someone@example.com')).status).toBe(200);
    expect((await request('someone@elsewhere.test')).status).toBe(403);
    first.process.kill('SIGTERM');
    await first.ended;

    const again = await start(dataDir, { DEMO: '1' }, ASSEMBLY).url();
    expect(await (await fetch(`${again}/_local/inbox`)).json()).toEqual({ messages: [] });
  });

  it('without demo data lets every domain register, even where there was demo data before', async () => {
    const dataDir = temporary('opened');
    mark(dataDir, 'demo-data');
    const url = await start(dataDir, {}, ASSEMBLY).url();
    const { status } = await fetch(`${url}/api/login/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'someone@elsewhere.test' }),
    });
    expect(status).toBe(200);
  });
});

describe('What was stored', () => {
  it('survives a kill -9, which leaves no process behind', async () => {
    const dataDir = dataDirectory();
    const { process: main, url, ended } = start(dataDir);
    await put(await url(), 'a');
    await putFile(await url(), 'files/a');
    const children = descendants(main.pid ?? 0);
    main.kill('SIGKILL');
    await ended;
    await expect.poll(() => children.filter(({ pid }) => isAlive(pid)), { timeout: 5_000 }).toEqual([]);
    const again = await start(dataDir).url();
    expect(await isKept(again, 'a')).toBe(true);
    const file = await fetch(`${again}/files/a`);
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/x', 'files/a']);
  });

  it('is kept where another process has the pid of the one that was killed, and the new stack its port', async () => {
    const dataDir = dataDirectory();
    const first = start(dataDir);
    const url = await first.url();
    await put(url, 'b');
    first.process.kill('SIGKILL');
    await first.ended;
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify({ url, pid: process.pid, env: {} }));
    const again = await start(dataDir, { PORT: new URL(url).port }).url();
    expect(await isKept(again, 'b')).toBe(true);
  });

  it('is kept where the state files of the stack are truncated', async () => {
    const dataDir = dataDirectory();
    for (const file of ['stack.json', 'clock.json', 'streams.json']) writeFileSync(join(dataDir, file), '{"');
    expect(await put(await start(dataDir).url(), 'c')).toMatchObject({ ok: true });
  });

  it('does not include half a file, which a kill -9 may leave behind', async () => {
    const dataDir = dataDirectory();
    const first = start(dataDir);
    await putFile(await first.url(), 'files/whole');
    first.process.kill('SIGKILL');
    await first.ended;
    const [bucket = ''] = readdirSync(join(dataDir, 'objects')).filter(name => name.includes('objects'));
    writeFileSync(join(dataDir, 'objects', bucket, 'half.new'), 'half');
    const again = await start(dataDir).url();
    expect(readdirSync(join(dataDir, 'objects', bucket))).toEqual(['files%2Fwhole.object']);
    expect((await fetch(`${again}/files/whole`)).status).toBe(200);
  });

  it('survives a kill -9 of all processes but the table engine, which the next start ends', async () => {
    const dataDir = dataDirectory();
    const { process: main, url, ended } = start(dataDir);
    await put(await url(), 'a');
    const children = descendants(main.pid ?? 0);
    const engine = children.find(({ command }) => command.includes('dynoxide serve'));
    for (const { pid } of children.filter(child => child !== engine)) process.kill(pid, 'SIGSTOP');
    main.kill('SIGKILL');
    for (const { pid } of children.filter(child => child !== engine)) process.kill(pid, 'SIGKILL');
    await ended;
    expect(isAlive(engine?.pid ?? 0)).toBe(true);
    expect(await isKept(await start(dataDir).url(), 'a')).toBe(true);
    expect(isAlive(engine?.pid ?? 0)).toBe(false);
  });

  it('stays consistent where the engines are killed: the stack ends and says why', async () => {
    const { process: main, url, output, ended } = start(dataDirectory());
    await url();
    const children = descendants(main.pid ?? 0);
    const engines = children.find(({ command }) => command.includes('engines/process.ts'));
    process.kill(engines?.pid ?? 0, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output()).toMatch(/The engines ended \(SIGKILL\)/);
    await expect.poll(() => children.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });
});
