import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mark } from '#local/marks.ts';
import { clientOf, entry } from './fixture/client.ts';
import { allEnded, endAll, type Started, start } from './fixture/command.ts';
import { fixtureAssembly, temporary } from './fixture/stack.ts';

// One data directory, used by one stack after the other: each test begins with what the one before has left.
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WINDOW = 15 * MINUTE;
const PATH = '/v3/mail.fixture.example/messages';

const assembly = fixtureAssembly();
const dataDir = temporary('kept');
let stack: Started;
const client = clientOf(() => stack.reach());
const { json, now, moveTo, items, item, queue, take, tries, waiting, drain } = client;
const { get, put, putFile, send, publish, eventTries } = client;

async function startAgain(env: Record<string, string> = {}): Promise<string> {
  stack = start(dataDir, assembly, env);
  return stack.url();
}

const red = (name: string, more: object) => entry({ colour: 'red', name, ...more });

const sendLater = (MessageBody: string, DelaySeconds: number) =>
  queue('Work', 'SendMessage', { MessageBody, DelaySeconds });
const triedAt = async (body: string) => Date.parse((await item('WORK', body))?.triedAt ?? '');

const mailsTo = async (to: string) =>
  (await json('GET', `/_local/inbox?to=${to}`)).body.messages as { provider: string }[];

beforeAll(async () => {
  mark(dataDir, 'open-to-all');
  await startAgain();
});
afterAll(endAll);

/** When the messages with a delay were sent. */
let sent: number;

describe('A kill -9', () => {
  let offset: number;
  const realOffset = async () => (await now()) - Date.now();

  it('leaves no process behind', async () => {
    // Days ahead, and eight minutes before a window ends.
    await moveTo((Math.floor((await now()) / WINDOW) + 300) * WINDOW - 8 * MINUTE, true);
    await put({ PK: 'KEPT', SK: 'a' });
    await putFile('files/a', 'text/x');
    await put({ PK: 'COUNTED', SK: 'a' });
    await sendLater('later by 10 minutes', 600);
    await sendLater('later by 15 minutes', 900);
    sent = await now();
    await queue('Lost', 'SendMessage', { MessageBody: 'lies there' });
    await send('fail for good');
    await publish(red('refused', { refuse: 'yes' }));
    await json('POST', '/api/mail', {
      region: 'US',
      path: PATH,
      form: { from: 'a@mail.fixture.example', to: 'ann@fixture.example', text: 'Hello', 'v:send': 's-1' },
    });
    await drain();
    expect([await tries('fail for good'), await eventTries('refused')]).toEqual([1, 1]);

    // Both are under way when the stack is killed.
    await send('stay for ever');
    await publish(red('unfinished', { stay: 'yes' }));
    await expect
      .poll(async () => [await tries('stay for ever'), await eventTries('unfinished')])
      .toEqual([1, 1]);
    offset = await realOffset();
    const children = stack.children();
    await stack.end('SIGKILL');
    await allEnded(children);
  });

  it('loses nothing that was stored, where another process has its number by now, and the next stack its port', async () => {
    const { url, env } = stack.reach();
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify({ url, pid: process.pid, env }));
    const [bucket = ''] = readdirSync(join(dataDir, 'objects')).filter(name => name.includes('objects'));
    writeFileSync(join(dataDir, 'objects', bucket, 'half.new'), 'half');

    expect(await startAgain({ PORT: new URL(url).port })).toBe(url);
    expect(await client.has({ PK: 'KEPT', SK: 'a' })).toBe(true);
    const file = await get('/files/a');
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/x', 'files/a']);
    expect(readdirSync(join(dataDir, 'objects', bucket))).toEqual(['files%2Fa.object']);
  });

  it('leaves the clock where it was, and the emails in the inbox', async () => {
    expect(Math.abs((await realOffset()) - offset)).toBeLessThan(SECOND);
    expect(await mailsTo('ann@fixture.example')).toMatchObject([{ provider: 'mailgun' }]);
    const event = { send: 's-1', event: 'delivered' };
    expect((await json('POST', '/_local/provider-events', event)).status).toBe(200);
  });

  it('leaves what waited waiting: messages with a delay, those under way, and those that nobody has read', async () => {
    await drain();
    expect(await tries('later by 10 minutes')).toBe(0);
    expect(await tries('stay for ever')).toBe(1);
    expect(await waiting('Work')).toBe(4);
    expect(await waiting('Lost')).toBe(1);
  });

  it('repeats at once an event whose function was under way, and one that was to be retried when it is time', async () => {
    expect([await eventTries('unfinished'), await eventTries('refused')]).toEqual([2, 1]);
    await moveTo(sent + 2 * MINUTE);
    expect(await eventTries('refused')).toBe(2);
  });

  it('returns a message that was under way after its visibility timeout, as one that was received before', async () => {
    await moveTo(sent + 5 * MINUTE);
    expect(await tries('stay for ever')).toBe(1);
    await moveTo(sent + 8 * MINUTE);
    expect(await item('WORK', 'stay for ever')).toMatchObject({ tries: '2', received: '2' });
    expect(await tries('fail for good')).toBe(2);
    expect(await eventTries('refused')).toBe(3);
  });

  it('delivers a message with a delay when it is due, in simulated time', async () => {
    expect(await tries('later by 10 minutes')).toBe(0);
    await moveTo(sent + 11 * MINUTE);
    expect(await tries('later by 10 minutes')).toBe(1);
    expect(await triedAt('later by 10 minutes')).toBeGreaterThan(sent + 599 * SECOND);
  });
});

describe('Ctrl-C', () => {
  it('ends every process that the command has begun', async () => {
    const children = stack.children();
    const commands = children.map(({ command }) => command).join('\n');
    for (const part of ['engines/process.ts', 'dynoxide serve', 'functions/runtime.ts'])
      expect(commands).toContain(part);
    // It may be pressed twice.
    stack.interrupt();
    stack.interrupt();
    expect(await stack.ended).toBe(0);
    await allEnded(children);
  });

  it('loses nothing that waits, and the next start does nothing twice', async () => {
    await startAgain();
    await moveTo(sent + 14 * MINUTE);
    expect(await tries('later by 15 minutes')).toBe(0);
    await moveTo(sent + 40 * MINUTE);
    expect(await tries('later by 15 minutes')).toBe(1);
    expect(await tries('later by 10 minutes')).toBe(1);
    expect(await tries('stay for ever')).toBe(2);
    expect([await eventTries('unfinished'), await eventTries('refused')]).toEqual([2, 3]);
    expect(await waiting('Work')).toBe(0);
  });

  it('leaves a message that has failed too often in the dead-letter queue, after as many tries as it was given', async () => {
    expect(await tries('fail for good')).toBe(2);
    expect(await take('Dead')).toBe('fail for good');
    expect(await take('Dead')).toBeUndefined();
  });

  it('leaves a window ended, once, with the state of the calls before the kill', async () => {
    const calls = (await items('CENSUS')).map(({ call }) => JSON.parse(call ?? ''));
    const [end, ...others] = calls.filter(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow);
    expect([end.state.seen, others]).toEqual([['a'], []]);
  });
});

describe('What an earlier version has stored', () => {
  it.each([
    ['without a number', undefined],
    ['of another one', '{ "format": 1 }'],
  ])('in a format %s is not touched, and the start says so in one line', async (_, format) => {
    const old = temporary('old');
    writeFileSync(join(old, 'dynamodb.sqlite'), 'stored');
    if (format) writeFileSync(join(old, 'format.json'), format);
    const before = readdirSync(old);
    const refused = start(old, assembly);
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toBe(
      `${old} holds data of an earlier version, which this one cannot read. Start with --fresh to delete it, or set DATA_DIR to another directory.\n`,
    );
    expect(readdirSync(old)).toEqual(before);
  });
});
