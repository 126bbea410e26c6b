import { afterAll, describe, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { advance, run } = stack;
const MINUTE = 60;

const sending = async (...words: string[]) => (await run('sending', ...words)).stdout.trim().split('\n');
const mailed = async ({ email }: { email: string }) => (await stack.inbox(email)).length;

describe('npm run sending', { timeout: 300_000 }, () => {
  // Others use this stack after it.
  afterAll(() => sending('start'));

  it('stops an organization and a stage, says since when, and starts them again', async () => {
    const [one, other] = [await newMailing(stack), await newMailing(stack)];
    const of = ['--organization', String(one.owner.home.id)];
    const what = `Sending of organization ${one.owner.home.id}`;
    const [said] = await sending('stop', ...of);
    expect(said).toMatch(new RegExp(`^${what} is stopped since 20[-\\dT:.]+Z\\.$`));
    const [ann, bo] = [await one.due(), await other.due()];
    await advance(3 * MINUTE);
    expect([await mailed(ann), await mailed(bo)]).toEqual([0, 1]);

    await sending('stop');
    const both = await sending('status', ...of);
    expect(both).toEqual([said, expect.stringMatching(/^Sending of all organizations is stopped since /)]);
    const cy = await other.due();
    await advance(3 * MINUTE);
    expect(await mailed(cy)).toBe(0);
    // Login codes still go.
    await stack.signIn(newAddress());

    const [started] = await sending('start', ...of);
    expect(started).toContain(`${what} is not stopped: what falls due from `);
    await sending('start');
    await advance(3 * MINUTE);
    const dan = await one.due();
    await advance(3 * MINUTE);
    expect(await Promise.all([ann, cy, dan].map(mailed))).toEqual([0, 0, 1]);
  });

  it('refuses what it does not know', async () => {
    const failed = await run('sending', 'stop', '--organization', 'all').catch(error => error);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('Usage: npm run sending')]);
  });
});
