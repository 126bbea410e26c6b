import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mark } from '#local/marks.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { clientOf } from './fixture/client.ts';
import { allEnded, endAll, find, isAlive, type Started, start } from './fixture/command.ts';
import { fixtureAssembly, temporary } from './fixture/stack.ts';

const MINUTE = 60_000;
type Sent = { MessageId: string };

const assembly = fixtureAssembly();
afterAll(endAll);

const requestCode = (url: string, email: string) =>
  fetch(`${url}/api/login/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

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

  it('says in one line that its directory is shared with other users', async () => {
    const dataDir = temporary('shared');
    chmodSync(dataDir, 0o1777);
    const { output, ended } = start(dataDir, assembly);
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `${dataDir} cannot be made private: it is shared by design. Set DATA_DIR to a directory of your own.\n`,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('says in one line that its port is no port', async () => {
    const { output, ended } = start(temporary('process'), assembly, { PORT: 'http' });
    expect(await ended).toBe(1);
    expect(output()).toBe('PORT must be a number up to 65535, not http.\n');
  });
});

describe('The first start', () => {
  it('without demo data lets every domain register, even where there was demo data before', async () => {
    const dataDir = temporary('opened');
    mark(dataDir, 'demo-data');
    const url = await start(dataDir, ASSEMBLY).url();
    expect((await requestCode(url, 'someone@elsewhere.test')).status).toBe(200);
  });
});

describe('A stack that runs', () => {
  const dataDir = temporary('running');
  let stack: Started;
  const client = clientOf(() => stack.reach());
  const { get, json, now, moveTo, items, put, has, putFile, queue, waiting } = client;
  const startAgain = () => {
    stack = start(dataDir, assembly);
    return stack.url();
  };

  beforeAll(async () => {
    mark(dataDir, 'open-to-all');
    for (const directory of ['logs', 'objects', 'objects/old', 'another']) {
      mkdirSync(join(dataDir, directory), { mode: 0o755 });
      writeFileSync(join(dataDir, directory, 'file'), '', { mode: 0o644 });
    }
    chmodSync(join(dataDir, 'open-to-all'), 0o644);
    chmodSync(dataDir, 0o755);
    await startAgain();
  });

  it('prints where the product is and how to sign in', async () => {
    const { url } = stack.reach();
    expect(stack.output()).toContain(`the code arrives at ${url}/_local/inbox\n`);
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

  it('that is killed with all but the table engine leaves the clock no earlier than what was stored; the next start ends the engine', async () => {
    const runs = (await items('RUN')).length;
    const moved = moveTo((await now()) + 24 * 60 * MINUTE).catch(() => 'killed');
    await expect.poll(async () => (await items('RUN')).length).toBeGreaterThan(runs + 5);
    const children = stack.children();
    const engine = find(children, 'dynoxide serve');
    const others = children.filter(child => child !== engine);
    for (const { pid } of others) process.kill(pid, 'SIGSTOP');
    stack.process.kill('SIGKILL');
    for (const { pid } of others) process.kill(pid, 'SIGKILL');
    await stack.ended;
    expect(await moved).toBe('killed');
    expect(isAlive(engine)).toBe(true);

    await startAgain();
    expect(isAlive(engine)).toBe(false);
    expect(await has({ PK: 'KEPT', SK: 'a' })).toBe(true);
    const latest = (await items('RUN'))
      .map(({ at = '' }) => at)
      .sort()
      .at(-1);
    expect(await now()).toBeGreaterThan(Date.parse(latest ?? ''));
  });

  it('ends and says why where the engines are killed; each message that was acknowledged is there, once', async () => {
    const acknowledged = new Set<string>();
    const children = stack.children();
    const engines = find(children, 'engines/process.ts');
    const Entries = Array.from({ length: 10 }, (_, Id) => ({ Id: String(Id), MessageBody: 'many' }));
    const sendMany = async () => {
      for (;;) {
        const { Successful } = await queue<{ Successful: Sent[] }>('Lost', 'SendMessageBatch', { Entries });
        for (const { MessageId } of Successful) acknowledged.add(MessageId);
        if (acknowledged.size >= 500) process.kill(engines.pid, 'SIGKILL');
      }
    };
    const senders = Array.from({ length: 8 }, () => sendMany().catch(() => 'ended'));
    expect(await stack.ended).toBe(1);
    expect(stack.output()).toMatch(/The engines ended \(SIGKILL\)/);
    await Promise.all(senders);
    await allEnded(children);

    // Files that are no databases may be truncated.
    for (const file of ['stack.json', 'clock.json']) writeFileSync(join(dataDir, file), '{"');
    await startAgain();
    expect(await waiting('Lost')).toBeGreaterThanOrEqual(acknowledged.size);
    const found: string[] = [];
    for (
      let page: Sent[] | undefined;
      page?.length !== 0;
      found.push(...page.map(({ MessageId }) => MessageId))
    ) {
      const received = await queue<{ Messages?: Sent[] }>('Lost', 'ReceiveMessage', {
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 3600,
      });
      page = received.Messages ?? [];
    }
    expect(new Set(found).size).toBe(found.length);
    expect([...acknowledged].filter(id => !found.includes(id))).toEqual([]);
  });
});
