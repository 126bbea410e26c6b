import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '#local/demo/demo.ts';
import type { Played } from '#local/demo/play.ts';
import type { Message } from '#local/inbox/message.ts';
import { has } from '#local/marks.ts';
import { type RunningStack, startStack } from '#local/stack.ts';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { createClient } from '../../client/index.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { endAll, start } from './fixture/command.ts';
import { temporary } from './fixture/stack.ts';

const DAY = 24 * 60 * 60 * 1000;
const DEMO = 'demo@example.com';

async function messagesOf(url: string, query = ''): Promise<Message[]> {
  const answer = await fetch(`${url}/_local/inbox${query}`);
  return ((await answer.json()) as { messages: Message[] }).messages;
}

async function signedIn(url: string) {
  const call = async <K extends RouteKey>(key: K, path: string, body?: object, token = '') => {
    const [method = ''] = key.split(' ');
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect({ path, isDone: response.ok }).toEqual({ path, isDone: true });
    return (await response.json()) as Answer<K>;
  };
  await call('POST /api/login/request', '/api/login/request', { email: DEMO });
  const [latest] = await messagesOf(url, `?to=${DEMO}&limit=1`);
  const code = /^([A-Z0-9]{6})$/m.exec(latest?.text ?? '')?.[1];
  const { token } = await call('POST /api/login/verify', '/api/login/verify', { email: DEMO, code });
  const get = <K extends RouteKey>(key: K, query = '') =>
    call(key, key.slice(key.indexOf(' ') + 1) + query, undefined, token);
  const newToken = async () =>
    (await call('POST /api/tokens', '/api/tokens', { name: 'Reader', scopes: ['read'] }, token)).token;
  return { get, newToken };
}

type Health = { now: string; demo?: Progress };
const healthOf = async (url: string) => (await fetch(`${url}/_local/health`)).json() as Promise<Health>;

afterAll(endAll);

describe('A history of three days', () => {
  const dataDir = temporary('demo');
  const days: number[] = [];
  let stack: RunningStack;
  let played: Played | undefined;
  let whileFilling: { health: Pick<Health, 'demo'>; move: number; clock: string };
  let get: Awaited<ReturnType<typeof signedIn>>['get'];
  let reader: ReturnType<typeof createClient>;

  beforeAll(async () => {
    const demo = { days: 3, members: 24 };
    const reached = ({ day }: { day: number }) => days.push(day);
    stack = await startStack({ port: 0, dataDir, demo, reached, assembly: ASSEMBLY });
    // Codes and sessions do not follow the clock of the history, or they would be over within seconds.
    const user = await signedIn(stack.url);
    get = user.get;
    reader = createClient({ token: await user.newToken(), url: stack.url });
    const move = await fetch(`${stack.url}/_local/clock`, {
      method: 'PUT',
      body: JSON.stringify({ now: new Date(Date.now() + DAY).toISOString() }),
    });
    const { demo: progress, now } = await healthOf(stack.url);
    whileFilling = { health: { demo: progress }, move: move.status, clock: now };
    played = await stack.filled;
    await stack.drain();
  }, 300_000);
  afterAll(() => stack?.close());

  it('says how far it is, and is played by the clock of the stack alone', () => {
    expect(whileFilling.health.demo).toEqual({ day: expect.any(Number), days: 3 });
    expect(whileFilling.move).toBe(409);
    expect(Date.parse(whileFilling.clock)).toBeLessThan(Date.now());
    expect(days).toEqual([...days].sort());
    expect(days).toContain(1);
    expect(days).toContain(3);
  });

  it('ends at the present', async () => {
    const { now, demo } = await healthOf(stack.url);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(5_000);
    expect(demo).toBeUndefined();
    expect(JSON.parse(readFileSync(join(dataDir, 'clock.json'), 'utf8'))).toEqual({ offset: 0 });
    expect([has(dataDir, 'demo-data'), has(dataDir, 'incomplete')]).toEqual([true, false]);
  });

  it('is in the default organization of the demo user', async () => {
    expect(await get('GET /api/organizations')).toMatchObject([
      { name: 'Quillstone Coffee', is_default: true },
    ]);
    const lists = await get('GET /api/email-lists');
    expect(lists).toMatchObject([{ name: 'Coffee club' }, { name: 'Customers' }]);
    expect(lists.reduce((sum, { total_members }) => sum + total_members, 0)).toBe(24);
    const automations = await get('GET /api/automations');
    expect(automations.filter(({ email_eligibility }) => email_eligibility.is_eligible)).toHaveLength(5);
    expect(await get('GET /api/sequences')).toMatchObject([{ name: 'Welcome to the club', active: true }]);
    expect(await get('GET /api/broadcasts')).toMatchObject([{ status: 'draft' }, { status: 'sent' }]);
  });

  it('is read by the published client: lists, members page by page, emails, and the totals of a report', async () => {
    const lists = await reader.listEmailListsByToken();
    const members = new Set<string>();
    for (const { id } of lists) {
      for (let cursor: string | null | undefined, page = 1; cursor !== null; page++) {
        const query = { list: id, per_page: 5, page, ...(cursor && { cursor }) };
        const { data, next_cursor } = await reader.listListMembers(query);
        for (const member of data) members.add(member.id);
        cursor = next_cursor;
      }
    }
    expect(members.size).toBe(24);
    expect((await reader.listEmailSends({ per_page: 3 })).data).toHaveLength(3);
    const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
    const { totals } = await reader.reportCombinations({ start_date: dayIn(-4), end_date: dayIn(0) });
    expect(totals.sent).toBe(played?.sent);
  });

  it('is counted in the report as it was played', async () => {
    const to = new Date().toISOString().slice(0, 10);
    const from = new Date(Date.now() - 4 * DAY).toISOString().slice(0, 10);
    const { totals } = await get('GET /api/reporting/combinations', `?start_date=${from}&end_date=${to}`);
    if (!played) throw new Error('Nothing was played');
    expect(played.sent).toBeGreaterThan(0);
    expect(played.open).toBeGreaterThan(0);
    expect(totals).toMatchObject({
      sent: played.sent,
      opened: played.open,
      clicked: played.click,
      unsubscribed: played.unsubscribe,
      bounced: played.bounced + played.bounced_soft,
      complained: played.complained,
    });
    expect(totals.value).toBeCloseTo(played.value);
  });

  it('goes on: emails are due within a week', async () => {
    const { days } = await get('GET /api/forecast');
    const week = days.slice(0, 8).reduce((sum, { count }) => sum + count, 0);
    expect(week).toBeGreaterThan(0);
  });
});

describe('The command', () => {
  const filled = async (url: string) =>
    expect.poll(async () => (await healthOf(url)).demo, { timeout: 120_000, interval: 200 }).toBeUndefined();

  it('starts over after it was killed in the middle, and with --fresh; where there is data it adds the demo user alone', async () => {
    const dataDir = temporary('killed');
    writeFileSync(join(dataDir, 'notes.txt'), 'not of the stack');
    const first = start(dataDir, ASSEMBLY, { DEMO: '1', DEMO_DAYS: '1' });
    await expect.poll(() => first.output(), { timeout: 120_000 }).toContain('Creating demo data');
    first.process.kill('SIGKILL');
    await first.ended;
    expect(has(dataDir, 'incomplete')).toBe(true);

    const second = start(dataDir, ASSEMBLY, { DEMO: '1', DEMO_DAYS: '1' });
    const url = await second.url();
    expect(/[\w.+-]+@[\w.-]+/.exec(second.output())?.[0] ?? DEMO).toBe(DEMO);
    await filled(url);
    const { get } = await signedIn(url);
    const members = async () => (await get('GET /api/email-lists')).map(({ total_members }) => total_members);
    const counts = await members();
    expect(counts).toHaveLength(2);
    expect(counts.reduce((sum, count) => sum + count)).toBe(9);
    await second.end('SIGTERM');

    const empty = start(dataDir, ASSEMBLY, {}, ['--fresh']);
    await empty.url();
    expect(has(dataDir, 'demo-data')).toBe(false);
    expect(await messagesOf(await empty.url())).toEqual([]);
    expect(readdirSync(dataDir)).toContain('notes.txt');
    await empty.end('SIGTERM');

    // Nothing can be played before what is stored: the demo user alone is created.
    const later = start(dataDir, ASSEMBLY, { DEMO: '1' });
    const { get: user } = await signedIn(await later.url());
    expect(await user('GET /api/organizations')).toMatchObject([{ is_default: true }]);
    expect((await healthOf(await later.url())).demo).toBeUndefined();
    expect(has(dataDir, 'demo-data')).toBe(true);
    await later.end('SIGTERM');
  }, 600_000);
});
