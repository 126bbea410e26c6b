import { expect, it } from 'vitest';
import { markDone, type Pack, takeLease } from '#core/sending/pack.ts';
import { LEASE } from '#core/timeouts.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable();
const start = new Date('2030-01-01T10:00:00Z');
const timeAfter = (milliseconds: number) => new Date(start.getTime() + milliseconds);

const pack = (id: string): Pack => ({
  id,
  organization: 1,
  minute: '2030-01-01T10:00',
  sources: [],
  people: [],
});

it('one process has a pack, until its lease is over', async () => {
  const one = pack('abcdefghijkl');
  expect(await takeLease(table, one, 'first', start)).toMatchObject({ state: 'mine', run: { number: 1 } });
  expect(await takeLease(table, one, 'second', timeAfter(LEASE - 1))).toEqual({ state: 'held' });
  const next = await takeLease(table, one, 'second', timeAfter(LEASE + 1));
  expect(next).toMatchObject({ state: 'mine', run: { number: 2 } });
  expect(await markDone(table, one, 'second')).toBe(true);
  expect(await takeLease(table, one, 'third', timeAfter(10 * LEASE))).toEqual({ state: 'done' });
});

it('a process that was given up does not end the work of the one after it', async () => {
  const one = pack('bcdefghijklm');
  await takeLease(table, one, 'paused', start);
  await takeLease(table, one, 'second', timeAfter(LEASE + 1));
  expect(await markDone(table, one, 'paused')).toBe(false);
  expect(await takeLease(table, one, 'third', timeAfter(3 * LEASE))).toMatchObject({
    state: 'mine',
    run: { number: 3 },
  });
});

it('a process whose request was repeated finds its own lease', async () => {
  const one = pack('cdefghijklmn');
  await takeLease(table, one, 'first', start);
  expect(await takeLease(table, one, 'first', start)).toMatchObject({ state: 'mine', run: { number: 1 } });
});
