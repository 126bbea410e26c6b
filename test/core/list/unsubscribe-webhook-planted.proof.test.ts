import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { PLANTED } from './unsubscribe-webhook-planted.ts';

const CONFIG = 'test/core/list/unsubscribe-webhook-planted.ts';

it.each(PLANTED)(
  'the planted fault is found by its test: $name',
  ({ name, caughtBy }) => {
    const args = ['run', '--no-color', '--config', CONFIG, '-t', caughtBy];
    const env = { ...process.env, PLANTED: name };
    const { status, stderr } = spawnSync('node_modules/.bin/vitest', args, { encoding: 'utf8', env });
    expect(status).toBe(1);
    const failed = stderr.split('\n').filter(line => line.includes('FAIL'));
    expect(failed.some(line => line.endsWith(caughtBy))).toBe(true);
  },
  120_000,
);
