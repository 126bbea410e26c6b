import { beforeEach, describe, expect, it } from 'vitest';
import * as login from '#core/account/login.ts';
import * as session from '#core/account/session.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { prepareAccount } from '#core/organization/organization.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newUser, postbox } from '#test/support/people.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const at = (seconds: number) => ({ table, now: new Date(START.getTime() + seconds * 1000) });

let user: Awaited<ReturnType<typeof newUser>>;
beforeEach(async () => {
  user = await newUser(table, START);
});

/** A session that begins so many seconds after the first one. */
async function open(seconds: number): Promise<string> {
  const { token, writes } = session.newSession(at(seconds), user.id, '');
  await commit(table, writes);
  return token;
}
const openMany = (number: number) => Promise.all(Array.from({ length: number }, (_, second) => open(second)));
async function current(token = ''): Promise<session.Session> {
  const found = await session.authenticate(at(200), token);
  if (!found) throw new Error('The session has ended');
  return found;
}
const endedAmong = async (tokens: string[]) => {
  const found = await Promise.all(tokens.map(token => session.authenticate(at(200), token)));
  return found.flatMap((one, index) => (one ? [] : [index]));
};
const listed = async (token: string) => session.listed(at(200), await current(token));

describe('the sessions of a user', () => {
  it('are a hundred at most: signing in ends the one that was used longest ago', async () => {
    const tokens = await openMany(100);
    // Used once more, a day after all others.
    const day = 24 * 60 * 60;
    expect(await session.authenticate(at(day), tokens[0] ?? '')).toBeDefined();
    const post = postbox();
    await login
      .requestCode({ ...at(day), mailer: post.mailer, isInvited }, user.email, '192.0.2')
      .catch(() => {});
    const code = /^[A-Z2-9]{6}$/m.exec(post.mails[0]?.letter.text ?? '')?.[0] ?? '';
    const { token } = await login.signIn(
      { ...at(day), prepareAccount },
      { email: user.email, code, userAgent: '', network: '192.0.2' },
    );
    expect(await endedAmong(tokens)).toEqual([1]);
    expect(await listed(token)).toHaveLength(100);
  });

  it('are a hundred when several sign in at once, and the new ones are among them', async () => {
    const tokens = await openMany(100);
    const fresh = await Promise.all(
      [100, 101, 102, 103, 104].map(async second => {
        const token = await open(second);
        await session.endOldest({ table }, user.id);
        return token;
      }),
    );
    expect(await endedAmong(tokens)).toEqual([0, 1, 2, 3, 4]);
    expect(await endedAmong(fresh)).toEqual([]);
    expect(await listed(fresh[0] ?? '')).toHaveLength(100);
    expect(await queryPartition(table, `USER#${user.id}`, 'SESSION#')).toHaveLength(100);
  });

  it('are ended with a few requests, all but the current one', async () => {
    const tokens = await openMany(100);
    let requests = 0;
    const counting = intercepted(table, send => {
      requests++;
      return send();
    });
    await session.endOthers({ table: counting }, await current(tokens[7]));
    expect(requests).toBeLessThanOrEqual(3);
    expect((await endedAmong(tokens)).length).toBe(99);
    expect(await listed(tokens[7] ?? '')).toMatchObject([{ current: true }]);
  });
});
