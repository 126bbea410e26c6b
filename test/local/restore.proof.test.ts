import { expect, it } from 'vitest';
import { makeSafe } from '#core/operations/restore.ts';
import { newAddress } from '../support/client.ts';
import { needsOf } from '../support/items.ts';
import { newMailing } from '../support/mailing.ts';
import { allItems } from '../support/scan.ts';
import { freshStack } from '../support/stack.ts';
import { fill } from '../support/table-copy.ts';

const stack = freshStack();
const { advance, run } = stack;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const now = async () => new Date((await stack.fetchJson('GET', '/_local/clock')).body.now);
const mailed = async ({ email }: { email: string }) => (await stack.inbox(email)).length;

it('a stack whose table is restored an hour back mails nobody twice', { timeout: 300_000 }, async () => {
  // All of it on one day in UTC.
  const midnight = new Date(await now()).setUTCHours(26, 0, 0, 0);
  await advance((midnight - (await now()).getTime()) / 1000, { outage: true });
  const mailing = await newMailing(stack);
  const due = async (name: string, seconds: number) => {
    const email = newAddress(name);
    const id = await mailing.add(email, { due: await mailing.inSeconds(seconds) });
    return { email, id };
  };
  const before = await due('before', MINUTE);
  const within = await due('within', 30 * MINUTE);
  const tomorrow = await due('tomorrow', 26 * HOUR);
  const sent = () => Promise.all([before, within, tomorrow].map(mailed));
  await advance(5 * MINUTE);

  const { table } = await needsOf(stack);
  const from = await now();
  const items = await allItems(table);
  await advance(HOUR);
  expect(await sent()).toEqual([1, 1, 0]);

  const stopped = /since (.+)\./.exec((await run('sending', 'stop')).stdout)?.[1] ?? '';
  await fill(table, items);
  await makeSafe({ table, now: await now() }, { from, stopped: new Date(stopped) });
  expect((await run('sending', 'status')).stdout).toContain(`Sending is stopped since ${stopped}.`);
  // Who was mailed in the hour that is lost becomes due once more, as their date is changed.
  await stack.call('PUT /api/list-members/{listMember}', {
    ...mailing.as,
    params: { listMember: within.id },
    body: { metadata: { due: await mailing.inSeconds(HOUR) } },
  });
  await run('sending', 'start');
  await advance(70 * MINUTE);
  expect(await sent()).toEqual([1, 1, 0]);
  const skipped = await mailing.log('skipped');
  expect(new Set(skipped.map(({ end, recipient }) => `${recipient} ${end}`))).toEqual(
    new Set([`${within.email} skipped: restored`]),
  );
  await advance(23 * HOUR, { outage: true });
  await advance(2 * HOUR + 5 * MINUTE);
  expect(await sent()).toEqual([1, 1, 1]);
});
