import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLogs } from '#local/functions/logs.ts';

const shown: string[] = [];
const logs = createLogs(mkdtempSync(join(resolve('.tmp'), 'logs-')), line => shown.push(line), false);
afterAll(() => logs.close());

const line = (level: string, more: object) =>
  JSON.stringify({
    level,
    message: 'request failed',
    timestamp: '2030-01-01',
    service: 'letterflow',
    ...more,
  });

it('a failed request is shown with the words of its error, where it was thrown, and what caused it', () => {
  const cause = { name: 'Error', message: 'connect ECONNREFUSED', stack: '    at connect (net.ts:1:1)' };
  const error = {
    name: 'TransactionContended',
    message: 'refused 5 times',
    stack: '    at commit (a.ts:1:1)',
    cause,
  };
  logs.take('functions/api/user.ts', line('ERROR', { status: 500, error }));
  expect(shown.pop()).toBe(
    [
      'functions/api/user.ts  ERROR  request failed  status=500',
      'TransactionContended: refused 5 times',
      '    at commit (a.ts:1:1)',
      'Caused by Error: connect ECONNREFUSED',
      '    at connect (net.ts:1:1)',
    ].join('\n'),
  );
});

it('a line that is no warning is kept, and not shown', () => {
  logs.take('functions/api/user.ts', line('INFO', { status: 200 }));
  expect(shown).toEqual([]);
  expect(logs.lines().at(-1)).toContain('"status":200');
});
