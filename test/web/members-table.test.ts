import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { audienceFilter } from '#web/entities/audience/audience.tsx';
import { progressText, type Result, type Run, resultText } from '#web/features/list-member/bulk.ts';
import { namesOf } from '#web/features/list-member/member-actions.tsx';
import { inOrder, storeColumns, storedColumns } from '#web/features/list-member/member-columns.tsx';
import { sortOf, sortsOf } from '#web/features/list-member/use-members.ts';
import { browserGlobals } from './browser-globals.ts';

const DOWN = 'Failed to delete member';
/** A run for so many members, the first of which are done, and the next ones failed. */
function runOf(action: Run['action'], total: number, done: number, reasons: string[] = []): Run {
  const members = Array.from({ length: total }, (_, at) => ({ id: `m${at}`, email: `m${at}@example.com` }));
  const results = Array.from({ length: done }, (_, at) => [`m${at}`, 'changed'] as const);
  const failed = reasons.map((reason, at) => [`m${done + at}`, { reason }] as const);
  return { action, members, results: new Map<string, Result>([...results, ...failed]), isRunning: false };
}

it.each([
  [100, 100, [], '100 members deleted.'],
  [1, 1, [], '1 member deleted.'],
  [
    100,
    98,
    [DOWN, DOWN],
    '98 of 100 deleted; 2 failed: Failed to delete member (m98@example.com and m99@example.com).',
  ],
  [100, 34, [], '34 of 100 deleted; 66 not tried.'],
  [
    100,
    0,
    [...Array(5).fill(DOWN), 'Member not found.'],
    '0 of 100 deleted; 6 failed: Failed to delete member (m0@example.com, m1@example.com, m2@example.com and 2 more); Member not found (m5@example.com); 94 not tried.',
  ],
])('the result of a run over %i members with %i done and %j refused: %s', (total, done, reasons, text) => {
  expect(resultText(runOf('delete', total, done, reasons))).toBe(text);
});

it('the text about a run counts the members while they are changed', () => {
  const run = runOf('unsubscribe', 100, 33, [DOWN]);
  expect(progressText(run)).toBe('Unsubscribing 34 of 100');
  expect(namesOf(run.members.slice(0, 3))).toBe('m0@example.com, m1@example.com and m2@example.com');
});

let storage: Map<string, string>;
beforeEach(() => {
  ({ storage } = browserGlobals());
});
afterEach(() => vi.unstubAllGlobals());

it('the choice of columns begins with the names of people, then has other names', () => {
  const columns = ['plan', 'Company name', 'surname', 'FirstName', 'age', 'first-name', 'Name', 'plan'];
  expect(inOrder(columns).join()).toBe('Name,first-name,FirstName,surname,Company name,age,plan');
});

it('the choice of columns is kept for each list, for the fifty of the last choices', () => {
  for (let list = 0; list < 51; list++) storeColumns(`l${list}`, [`column ${list}`]);
  expect(['l0', 'l1', 'l50'].map(storedColumns)).toEqual([[], ['column 1'], ['column 50']]);
  storeColumns('l1', ['plan']);
  storeColumns('new', ['plan']);
  expect([storedColumns('l1'), storedColumns('l2')]).toEqual([['plan'], []]);
});

it('the choice of columns leaves nothing behind where no columns are chosen', () => {
  storeColumns('l1', ['plan']);
  storeColumns('l1', []);
  expect([...storage.keys()]).toEqual([]);
});

it.each(['nonsense', '7', 'null', '[]', '{"l1":"plan"}', '{"l1":[7]}', `{"l1":["${'x","'.repeat(9)}y"]}`])(
  'the choice of columns is empty where %s is stored',
  text => {
    storage.set('membersColumns', text);
    expect(storedColumns('l1')).toEqual([]);
    storeColumns('l1', ['plan']);
    expect(storedColumns('l1')).toEqual(['plan']);
  },
);

it('a list of more than 10,000 members is sorted by address alone, and not where it is searched or filtered', () => {
  const all = { search: '', status: undefined, audience: '' };
  expect(sortsOf(10_000, { search: 'a', status: 'subscribed', audience: '{}' })).toEqual([
    'email',
    'created_at',
  ]);
  expect(sortsOf(10_001, all)).toEqual(['email']);
  expect(sortsOf(10_001, { ...all, search: 'a' })).toEqual([]);
  expect(sortsOf(10_001, { ...all, status: 'subscribed' })).toEqual([]);
  expect(sortsOf(10_001, { ...all, audience: '{}' })).toEqual([]);
  const newest = { sort: 'created_at', direction: 'desc' } as const;
  expect(sortOf(newest, ['email', 'created_at'])).toEqual(newest);
  for (const sorts of [['email'], []] as const) {
    expect(sortOf(newest, sorts)).toEqual({ sort: 'email', direction: 'asc' });
  }
  expect(sortOf({ sort: 'strange', direction: 'desc' }, ['email'])).toMatchObject({ direction: 'asc' });
});

it('a filter in an address that has fields of a rule beside its rules is read without them', () => {
  const all = [{ field: 'plan', op: 'set' }];
  expect(audienceFilter.read(JSON.stringify({ all, field: 'plan' }))).toEqual({ all });
});
