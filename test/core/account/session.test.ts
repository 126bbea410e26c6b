import { beforeEach, describe, expect, it } from 'vitest';
import * as session from '#core/account/session.ts';
import { getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const DAY = 24 * 60 * 60;
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);

let user: string;
let count = 0;
beforeEach(() => {
  user = `user${++count}`;
});

const authenticate = (token: string, seconds = 0, on: Table = table) =>
  session.authenticate({ table: on, now: later(seconds) }, token);

async function open(seconds = 0) {
  const { token, writes } = session.newSession({ table, now: later(seconds) }, user, '');
  await commit(table, writes);
  const found = await authenticate(token, seconds);
  if (!found) throw new Error('The session did not open');
  return { token, found };
}

const stored = async ({ hash, user_id }: session.Session) => {
  const keys = [
    { PK: `SESSION#${hash}`, SK: '-' },
    { PK: `USER#${user_id}`, SK: `SESSION#${hash}` },
  ];
  return (await getAll(table, keys)).map(({ PK, SK, ...item }) => item);
};
const ttl = (seconds: number) => later(seconds).getTime() / 1000;

describe('a session', () => {
  it('lasts thirty days after its last use', async () => {
    const { token } = await open();
    expect(await authenticate(token, 29 * DAY)).toBeDefined();
    expect(await authenticate(token, 58 * DAY)).toBeDefined();
    expect(await authenticate(token, 88 * DAY)).toBeUndefined();
  });

  it('is stored twice, until it expires', async () => {
    const { found } = await open();
    const item = { ...found, ttl: ttl(30 * DAY) };
    expect(await stored(found)).toEqual([item, item]);
  });

  it('is extended in both of its items, ttl and all', async () => {
    const { token, found } = await open();
    const extended = {
      ...found,
      last_used_at: later(2 * DAY).toISOString(),
      expires_at: later(32 * DAY).toISOString(),
    };
    expect(await authenticate(token, 2 * DAY)).toEqual(extended);
    const item = { ...extended, ttl: ttl(32 * DAY) };
    expect(await stored(found)).toEqual([item, item]);
  });

  it('is extended once when several requests use it at once', async () => {
    const { token, found } = await open();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => authenticate(token, 2 * DAY + 1));
    const used = await authenticate(token, 2 * DAY, meanwhile);
    expect(used).toEqual({
      ...found,
      last_used_at: later(2 * DAY + 1).toISOString(),
      expires_at: later(32 * DAY + 1).toISOString(),
    });
    for (const item of await stored(found)) expect(item).toMatchObject(used ?? {});
  });

  it('is extended once a day at most', async () => {
    const { token, found } = await open();
    expect(await authenticate(token, DAY - 1)).toEqual(found);
  });

  it('stays ended when it is ended while another request extends it', async () => {
    const { token, found } = await open();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => session.end({ table }, found));
    expect(await authenticate(token, 2 * DAY, meanwhile)).toBeUndefined();
    expect(await authenticate(token, 2 * DAY)).toBeUndefined();
    expect(await stored(found)).toEqual([]);
  });

  it('is listed with the others of its user, itself first, without those that have expired', async () => {
    await open(-40 * DAY);
    const old = await open(-20 * DAY);
    const recent = await open(-10 * DAY);
    const current = await open(-15 * DAY);
    const listed = await session.listed({ table, now: START }, current.found);
    expect(listed.map(({ id }) => id)).toEqual([current, recent, old].map(({ found }) => found.hash));
    expect(listed.map(one => one.current)).toEqual([true, false, false]);
    expect(await session.listed({ table, now: later(15 * DAY) }, current.found)).toMatchObject([
      { id: recent.found.hash },
    ]);
  });

  it('can end all others of its user', async () => {
    const one = await open();
    const two = await open(1);
    await session.endOthers({ table }, two.found);
    expect(await authenticate(one.token, 2)).toBeUndefined();
    expect(await session.listed({ table, now: later(2) }, two.found)).toMatchObject([{ current: true }]);
  });

  it('of another user cannot be ended', async () => {
    const mine = await open();
    user = `stranger${count}`;
    const theirs = await open();
    await expect(session.endOne({ table }, theirs.found, mine.found.hash)).rejects.toThrow('ended already');
    expect(await authenticate(mine.token)).toBeDefined();
    expect(await queryPartition(table, `USER#${mine.found.user_id}`, 'SESSION#')).toHaveLength(1);
  });
});
