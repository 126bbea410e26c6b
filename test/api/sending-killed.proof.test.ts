import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { RunningStack } from '#local/stack.ts';
import { endAll, start } from '../local/fixture/command.ts';
import { clientOf } from '../support/client.ts';
import { newMailing } from '../support/mailing.ts';
import { newMember } from '../support/member.ts';
import { ASSEMBLY } from '../support/setup.ts';

const dataDir = mkdtempSync(join(resolve('.tmp'), 'killed-'));
let running = start(dataDir, ASSEMBLY);
const stack = clientOf(() => ({
  running: running.reach() as RunningStack,
  dataDir,
  secrets: new Set<string>(),
}));
const MINUTE = 60;

afterAll(endAll);

async function killAndRestart(): Promise<void> {
  await running.end('SIGKILL');
  running = start(dataDir, ASSEMBLY);
  await running.url();
}

it('what was queued when everything was killed is sent after the next start, once', async () => {
  await running.url();
  const mailing = await newMailing(stack);
  const ann = await mailing.due();
  // It is claimed, not posted, and queued again.
  await stack.fetchJson('PUT', '/_local/faults', { body: JSON.stringify({ provider: 'refuse' }) });
  expect(await stack.advance(2 * MINUTE)).toMatchObject({ sends: 0 });
  await killAndRestart();
  await stack.advance(10 * MINUTE);
  expect(await stack.inbox(ann.email)).toHaveLength(1);
  expect((await mailing.log()).map(({ end }) => end)).toEqual(['sent']);
});

it('killed in the middle of sending, everybody has one email, or none and is shown as unknown', async () => {
  const owner = await newMember(stack);
  const mailings = [
    await newMailing(stack),
    await newMailing(stack),
    await newMailing(stack, { person: owner }),
  ];
  const people: { email: string }[] = [];
  for (const mailing of [...mailings, ...mailings]) people.push(await mailing.due());
  const posted = () => stack.fetchJson('GET', '/_local/meter').then(({ body }) => body.provider.calls > 0);
  await stack.fetchJson('DELETE', '/_local/meter');
  const moved = stack.advance(5 * MINUTE).catch(() => 'killed');
  await expect.poll(posted, { interval: 5 }).toBe(true);
  await killAndRestart();
  expect(await moved).toBe('killed');
  await stack.advance(20 * MINUTE);
  const ends = (await Promise.all(mailings.map(({ log }) => log()))).flat();
  for (const { email } of people) {
    const mails = (await stack.inbox(email)).length;
    const [row, ...others] = ends.filter(({ recipient }) => recipient === email);
    expect([mails, row?.end, others]).toEqual(
      row?.end === 'sent' ? [1, 'sent', []] : [mails, 'unknown: no_answer', []],
    );
    expect(mails).toBeLessThanOrEqual(1);
  }
});
