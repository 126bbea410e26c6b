import { writeFileSync } from 'node:fs';
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
  const { now, moveTo, items, put, has, queue, waiting } = client;
  const startAgain = () => {
    stack = start(dataDir, assembly);
    return stack.url();
  };

  beforeAll(async () => {
    mark(dataDir, 'open-to-all');
    await startAgain();
    await put({ PK: 'KEPT', SK: 'a' });
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
