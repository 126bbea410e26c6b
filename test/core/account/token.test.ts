import { beforeEach, describe, expect, it } from 'vitest';
import * as token from '#core/account/token.ts';
import { sha256 } from '#core/id.ts';
import { batchWrite, getAll, queryPartition } from '#core/storage/table.store.ts';
import type { Scope } from '#shared/permissions.ts';
import { TOKEN_NAME_TAKEN } from '#shared/token.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { newUser } from '#test/support/people.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const DAY = 24 * 60 * 60;
const later = (seconds: number) => ({ table, now: new Date(START.getTime() + seconds * 1000) });
const needs = later(0);

let owner: string;
beforeEach(async () => {
  owner = (await newUser(table, START)).id;
});

const create = (name = 'import', expiration: number | null = null, at = needs) =>
  token.create(at, owner, { name, expiration });

const itemsOf = (value: string, name: string) =>
  getAll(table, [
    { PK: `TOKEN#${sha256(value)}`, SK: '-' },
    { PK: `USER#${owner}`, SK: `TOKEN#${name}` },
  ]);

describe('an API token', () => {
  it('authenticates its owner, and is stored as a hash alone', async () => {
    const value = await create();
    expect(value).toMatch(/^lf_[\w-]{43}$/);
    expect(await token.authenticate(needs, value)).toMatchObject({ user: owner });
    expect(JSON.stringify(await queryPartition(table, `USER#${owner}`))).not.toContain(value);
    expect(await token.authenticate(needs, `${value}x`)).toBeUndefined();
  });

  it('has the scopes that it was created with; without any, it is as before there were scopes', async () => {
    const scopes: Scope[] = ['read', 'sending'];
    const scoped = await token.create(needs, owner, { name: 'scoped', expiration: null, scopes });
    expect(await token.authenticate(needs, scoped)).toEqual({ user: owner, scopes });
    const plain = await create();
    const [stored] = await itemsOf(plain, 'import');
    expect(stored).not.toHaveProperty('scopes');
    expect(await token.authenticate(needs, plain)).toEqual({ user: owner, scopes: ['legacy'] });
    const listed = await token.listOf(needs, owner);
    expect(listed.map(({ name, scopes }) => [name, scopes])).toEqual([
      ['import', ['legacy']],
      ['scoped', scopes],
    ]);
  });

  it.each([7, 30, 90, 365])('expires after %i days', async days => {
    const value = await create('short', days);
    expect(await token.authenticate(later(days * DAY - 1), value)).toMatchObject({ user: owner });
    expect(await token.authenticate(later(days * DAY), value)).toBeUndefined();
  });

  it('is deleted by DynamoDB with its pointer when it has expired, but never where it does not expire', async () => {
    const ttls = async (name: string, days: number | null) =>
      (await itemsOf(await create(name, days), name)).map(({ ttl }) => ttl);
    const expiry = later(7 * DAY).now.getTime() / 1000;
    expect(await ttls('weekly', 7)).toEqual([expiry, expiry]);
    expect(await ttls('always', null)).toEqual([undefined, undefined]);
  });

  it('leaves nothing where it is deleted while a call uses it', async () => {
    const value = await create();
    const meanwhile = beforeFirst(table, 'UpdateCommand', () => token.remove(needs, owner, 'import'));
    await token.authenticate({ ...needs, table: meanwhile }, value);
    expect(await itemsOf(value, 'import')).toEqual([]);
    expect(await token.authenticate(needs, value)).toBeUndefined();
  });

  it('is listed after those that are newer', async () => {
    for (const [seconds, name] of ['b', 'c', 'a'].entries()) await create(name, null, later(seconds));
    expect((await token.listOf(needs, owner)).map(({ name }) => name)).toEqual(['a', 'c', 'b']);
  });

  it('has a name that is unique for its owner', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ errors: { name: [TOKEN_NAME_TAKEN] } });
    const made = await Promise.allSettled([1, 2, 3].map(() => create('parallel')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await token.listOf(needs, owner)).map(({ name }) => name).sort()).toEqual(['import', 'parallel']);
  });

  it('frees its name when it has expired', async () => {
    const old = await create('weekly', 7);
    const value = await create('weekly', 7, later(8 * DAY));
    expect(await token.authenticate(later(8 * DAY), value)).toMatchObject({ user: owner });
    expect(await token.authenticate(later(8 * DAY), old)).toBeUndefined();
    expect(await token.listOf(needs, owner)).toHaveLength(1);
    // DynamoDB has deleted the token, and not its name yet.
    await batchWrite(table, { deletes: [{ PK: `TOKEN#${sha256(value)}`, SK: '-' }] });
    const newest = await create('weekly', 7, later(16 * DAY));
    expect(await token.authenticate(later(16 * DAY), newest)).toMatchObject({ user: owner });
  });

  it('shows when it was last used, which is written once a minute at most', async () => {
    const value = await create();
    expect(await token.listOf(needs, owner)).toMatchObject([{ last_used_at: null, expires_at: null }]);
    await Promise.all(Array.from({ length: 5 }, () => token.authenticate(needs, value)));
    await token.authenticate(later(59), value);
    expect(await token.listOf(needs, owner)).toMatchObject([{ last_used_at: START.toISOString() }]);
    await token.authenticate(later(60), value);
    expect(await token.listOf(needs, owner)).toMatchObject([{ last_used_at: later(60).now.toISOString() }]);
  });

  it('is no longer valid after it was deleted, and cannot be deleted twice', async () => {
    const value = await create();
    await token.remove(needs, owner, 'import');
    expect(await token.authenticate(needs, value)).toBeUndefined();
    expect(await token.listOf(needs, owner)).toEqual([]);
    await expect(token.remove(needs, owner, 'import')).rejects.toThrow('does not exist any more');
  });

  it('is never valid without being listed, however creating and deleting overlap', async () => {
    for (let i = 0; i < 10; i++) {
      const values = (
        await Promise.allSettled([
          create('same'),
          token.removeAll(needs, owner),
          token.remove(needs, owner, 'same').then(() => create('same')),
          create('same'),
        ])
      ).flatMap(result => (result.status === 'fulfilled' && result.value ? [result.value] : []));
      const working = await Promise.all(values.map(value => token.authenticate(needs, value)));
      const listed = await token.listOf(needs, owner);
      expect(working.filter(program => program?.user === owner)).toHaveLength(listed.length);
    }
  });

  it('of another user cannot be deleted', async () => {
    const value = await create();
    const stranger = await newUser(table, START);
    await expect(token.remove(needs, stranger.id, 'import')).rejects.toThrow('does not exist');
    await token.removeAll(needs, stranger.id);
    expect(await token.authenticate(needs, value)).toMatchObject({ user: owner });
  });

  it('can be deleted with all others of its owner', async () => {
    const values = [await create('one'), await create('two'), await create('three')];
    await token.removeAll(needs, owner);
    for (const value of values) expect(await token.authenticate(needs, value)).toBeUndefined();
    expect(await queryPartition(table, `USER#${owner}`, 'TOKEN#')).toEqual([]);
  });
});

describe('the API tokens of a user', () => {
  const FULL = {
    reason: 'conflict',
    message: 'You can have at most 100 API tokens. Delete one that you do not use.',
  };
  const secretKey = (name: string) => ({ PK: `TOKEN#${owner}-${name}`, SK: '-' });
  const pointerKey = (name: string) => ({ PK: `USER#${owner}`, SK: `TOKEN#${name}` });
  const expired = later(7 * DAY);
  async function fill(number: number, expiring = 0): Promise<void> {
    const names = Array.from({ length: number }, (_, at) => `many_${at}`);
    const puts = names.flatMap((name, at) => {
      const hash = `${owner}-${name}`;
      const token = { hash, user_id: owner, name, created_at: START.toISOString() };
      const expires = at < expiring && { expires_at: expired.now.toISOString() };
      return [
        { ...pointerKey(name), hash, name },
        { ...secretKey(name), ...token, ...expires },
      ];
    });
    const all = { PK: `USER#${owner}`, SK: 'TOKENS', names: new Set(names) };
    await batchWrite(table, { puts: [...puts, all] });
  }
  const createMany = (number: number, at = needs) =>
    Promise.allSettled(Array.from({ length: number }, (_, index) => create(`new_${index}`, null, at)));

  it('are a hundred at most, also when more are created at once', async () => {
    await fill(92);
    const made = await createMany(18);
    const refused = made.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(10);
    for (const reason of refused) expect(reason).toMatchObject(FULL);
    expect(await token.listOf(needs, owner)).toHaveLength(100);
  });

  it('make room for one when one is deleted, however often that is asked for', async () => {
    await fill(100);
    await Promise.allSettled([1, 2, 3].map(() => token.remove(needs, owner, 'many_7')));
    const [first, second] = await Promise.allSettled([create('one'), create('other')]);
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create('third')).rejects.toMatchObject(FULL);
    await expect(create('many_1')).rejects.toMatchObject({ errors: { name: [TOKEN_NAME_TAKEN] } });
  });

  it('make room where they have expired, also where DynamoDB has deleted some of their items', async () => {
    await fill(100, 4);
    await expect(create('too_early')).rejects.toMatchObject(FULL);
    await batchWrite(table, {
      deletes: [secretKey('many_0'), pointerKey('many_0'), secretKey('many_1'), pointerKey('many_2')],
    });
    const made = await createMany(6, expired);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await token.listOf(needs, owner)).toHaveLength(100);
    await expect(create('many_3', null, expired)).rejects.toMatchObject(FULL);
  });

  it('keep their place where an expired one is created again', async () => {
    await fill(100, 1);
    await create('many_0', null, expired);
    await expect(create('one_more', null, expired)).rejects.toMatchObject(FULL);
  });

  it('are all deleted with a few requests, and give their places back', async () => {
    await fill(100);
    let requests = 0;
    const counting = intercepted(table, send => {
      requests++;
      return send();
    });
    await token.removeAll({ table: counting }, owner);
    expect(requests).toBeLessThanOrEqual(5);
    expect(await token.listOf(needs, owner)).toEqual([]);
    const [names] = await queryPartition(table, `USER#${owner}`, 'TOKENS');
    expect(names).not.toHaveProperty('names');
  });
});
