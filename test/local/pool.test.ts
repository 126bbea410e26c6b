import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createPool } from '#local/functions/pool.ts';

const MINUTE = 60_000;

function poolOf(code: string) {
  const directory = resolve('.tmp/pool');
  mkdirSync(directory, { recursive: true });
  const file = `${directory}/index.mjs`;
  writeFileSync(file, code);
  return createPool({
    entry: 'index.mjs',
    mostAtOnce: () => 2,
    launch: { file, exported: 'handler', name: 'fn', arn: 'arn', environment: {}, timeoutSeconds: 10 },
    patience: 12,
    offset: () => 0,
    log: () => {},
    invoked: () => () => {},
    failed: () => {},
  });
}

afterEach(() => void vi.useRealTimers());

it('a process of a function ends when it has had nothing to do for a minute, and the next call starts another', async () => {
  const pool = poolOf('export const handler = async () => process.pid;');
  await pool.invoke({});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = pool.pids();
  // The first of two calls at once takes it.
  await Promise.all([pool.invoke({}), pool.invoke({})]);
  const both = pool.pids();
  expect(both).toHaveLength(2);
  expect(both).toContain(first[0]);
  vi.advanceTimersByTime(MINUTE - 1);
  await pool.invoke({});
  expect(pool.pids()).toEqual(both);
  vi.advanceTimersByTime(1);
  const [left, ...others] = pool.pids();
  expect(others).toEqual([]);
  vi.advanceTimersByTime(MINUTE);
  expect(pool.pids()).toEqual([]);
  await pool.invoke({});
  expect(pool.pids()).not.toContain(left);
  pool.close();
});
