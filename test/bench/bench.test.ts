import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { proof } from '../support/proof.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { bench } from './bench.ts';
import { isOver, type Section, written } from './report.ts';
import { LEAST } from './sizes.ts';

// In memory: the engine waits for the disk with each write.
if (existsSync('/dev/shm')) process.env.BENCH_DIR = '/dev/shm';

/** What is nothing where it is as it should be. */
const IS_NONE = /^minutes by which another organization is late$/;

/** Ends a bench that hangs. */
const LONGEST = 7_200_000;

proof('every bench measures something, and stays within its budgets', { timeout: LONGEST }, async () => {
  const sections: Section[] = [];
  for await (const section of bench(ASSEMBLY, LEAST)) sections.push(section);
  expect(sections.map(({ title }) => title)).toEqual([
    'An imported member with one date, of 100',
    'A member of an imported file with one date, of 100',
    'Deleting 100 people',
    'A page of 1,000 members',
    'A simulation',
    'An automation of 5 lists',
    'An email, of 250 in groups of 250',
    'An open and a click',
    'An email of a pack of 50, 1 combination',
    'An email of a pack of 50, 4 combinations',
    'An email of a pack of 50, 243 combinations',
    'An email of a pack of 50 through SES, 243 combinations',
    'An email of a pack of 50, with a webhook for all events',
    'An email of 1 h that was not swept in time, of 6',
    'A run of the sweep',
    'Emails of 250 due at once, one list, one template',
    'An event of somebody on one list, of 100 in a call',
    'An event to the provider, of 10',
    'A report of 30 days of 100 combinations',
    'A report of 30 days of 243 combinations',
    'A report of 40 days of 100 combinations',
    'A sweep of 1,000 organizations with one email due in each',
    'A sweep of an organization with 5,000 emails due in one minute',
    'A broadcast to 5,000 members',
    'A day of sweeps of a list of 2,000 members',
  ]);
  const lines = sections.flatMap(section => section.lines);
  for (const { what, measured } of lines) {
    expect(measured, what).toBeGreaterThan(IS_NONE.test(what) ? -1 : 0);
    expect(measured, what).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(lines.filter(isOver)).toEqual([]);
});

it('a measurement over its budget is marked in the table', () => {
  const lines = [
    { what: 'write units', measured: 4.004, budget: 4 },
    { what: 'read units', measured: 1234.5, budget: 2000 },
    { what: 'table requests', measured: 7 },
    { what: 'a page', measured: undefined, budget: 3 },
    { what: 'another page', measured: undefined },
  ];
  expect(lines.map(isOver)).toEqual([true, false, false, true, false]);
  expect(written({ title: 'A thing', lines })).toBe(
    [
      'A thing            measured  budget',
      '  write units         4.004       4  OVER',
      '  read units        1,234.5   2,000  ok',
      '  table requests          7',
      '  a page          no answer       3  OVER',
      '  another page    no answer',
    ].join('\n'),
  );
});
