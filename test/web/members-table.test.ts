import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { actOnAll } from '#web/features/list-member/bulk.ts';
import { namesOf, progressText, resultText } from '#web/features/list-member/bulk-texts.ts';
import { inOrder, storeColumns, storedColumns } from '#web/features/list-member/column-choice.ts';
import { sortOf, sortsOf } from '#web/features/list-member/members-sort.ts';
import { Problem } from '#web/lib/problem.ts';
import { browserGlobals } from './browser-globals.ts';

describe('acting on many', () => {
  const items = Array.from({ length: 10 }, (_, at) => at);
  const never = new AbortController().signal;
  const ignore = () => undefined;

  it('acts on each item once, four at a time', async () => {
    let underway = 0;
    let most = 0;
    const acted: number[] = [];
    const act = async (item: number) => {
      underway += 1;
      most = Math.max(most, underway);
      await new Promise(setImmediate);
      acted.push(item);
      underway -= 1;
      return item % 2 === 0;
    };
    const { done, changed, failed } = await actOnAll(items, act, { signal: never, onProgress: ignore });
    expect(most).toBe(4);
    expect(changed.toSorted((a, b) => a - b)).toEqual([0, 2, 4, 6, 8]);
    expect(acted).toEqual(items);
    expect([done.toSorted((a, b) => a - b), failed]).toEqual([items, []]);
  });

  it('tries the others where one fails, and reports the progress of each', async () => {
    const act = async (item: number) => {
      if (item % 4 === 0) throw new Error(`No ${item}`);
      return true;
    };
    const progress: [number, number][] = [];
    const { done, failed } = await actOnAll(items, act, {
      signal: never,
      onProgress: outcome => progress.push([outcome.done.length, outcome.failed.length]),
    });
    expect(done).toHaveLength(7);
    expect(failed.map(({ item, problem }) => [item, (problem as Error).message])).toEqual([
      [0, 'No 0'],
      [4, 'No 4'],
      [8, 'No 8'],
    ]);
    expect(progress.map(([done, failed]) => done + failed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('begins no other once it is stopped, and waits for those under way', async () => {
    const stop = new AbortController();
    const releases: (() => void)[] = [];
    const act = () => new Promise<boolean>(resolve => releases.push(() => resolve(true)));
    const running = actOnAll(items, act, { signal: stop.signal, onProgress: ignore });
    expect(releases).toHaveLength(4);
    stop.abort();
    for (const release of releases) release();
    expect(await running).toEqual({ done: [0, 1, 2, 3], changed: [0, 1, 2, 3], failed: [] });
    expect(releases).toHaveLength(4);
    const stopped = await actOnAll(items, act, { signal: stop.signal, onProgress: ignore });
    expect(stopped).toEqual({ done: [], changed: [], failed: [] });
  });
});

describe('what became of many members', () => {
  const members = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => {
      const email = `m${from + at}@example.com`;
      return { id: email, email };
    });
  const failing = (count: number, problem: unknown, from = 100) =>
    members(count, from).map(item => ({ item, problem }));
  const DOWN = new Problem('Out of paper.', 500, {}, true);
  const REFUSED = new Problem('Member not found.', 404, {}, true);

  it.each([
    [100, [], '100 members deleted.'],
    [1, [], '1 member deleted.'],
    [
      98,
      failing(2, DOWN),
      '98 of 100 deleted; 2 failed: Failed to delete member (m100@example.com and m101@example.com).',
    ],
    [34, [], '34 of 100 deleted; 66 not tried.'],
    [
      0,
      [...failing(5, DOWN), ...failing(1, REFUSED, 200)],
      '0 of 100 deleted; 6 failed: Failed to delete member (m100@example.com, m101@example.com, m102@example.com and 2 more); Member not found (m200@example.com); 94 not tried.',
    ],
  ])('%i done: %j', (done, failed, text) => {
    const total = done === 1 ? 1 : 100;
    const outcome = { done: members(done), failed };
    expect(resultText({ action: 'delete', total, outcome })).toBe(text);
  });

  it('is counted while it is under way', () => {
    const outcome = { done: members(33), failed: failing(1, DOWN) };
    expect(progressText({ action: 'unsubscribe', total: 100, outcome })).toBe('Unsubscribing 34 of 100');
    expect(namesOf(members(3))).toBe('m0@example.com, m1@example.com and m2@example.com');
  });
});

describe('the choice of columns', () => {
  let storage: Map<string, string>;
  beforeEach(() => {
    ({ storage } = browserGlobals());
  });
  afterEach(() => vi.unstubAllGlobals());

  it('begins with the names of people, then has other names', () => {
    const columns = ['plan', 'Company name', 'surname', 'FirstName', 'age', 'first-name', 'Name', 'plan'];
    expect(inOrder(columns)).toEqual([
      'Name',
      'first-name',
      'FirstName',
      'surname',
      'Company name',
      'age',
      'plan',
    ]);
  });

  it('is kept for each list, for the fifty of the last choices', () => {
    for (let list = 0; list < 51; list++) storeColumns(`l${list}`, [`column ${list}`]);
    expect([storedColumns('l0'), storedColumns('l1'), storedColumns('l50')]).toEqual([
      [],
      ['column 1'],
      ['column 50'],
    ]);
    storeColumns('l1', ['plan']);
    storeColumns('new', ['plan']);
    expect([storedColumns('l1'), storedColumns('l2')]).toEqual([['plan'], []]);
  });

  it('leaves nothing behind where no columns are chosen', () => {
    storeColumns('l1', ['plan']);
    storeColumns('l1', []);
    expect([...storage.keys()]).toEqual([]);
  });

  it.each(['nonsense', '7', 'null', '[]', '{"l1":"plan"}', '{"l1":[7]}', `{"l1":["${'x","'.repeat(9)}y"]}`])(
    'is empty where %s is stored',
    text => {
      storage.set('membersColumns', text);
      expect(storedColumns('l1')).toEqual([]);
      storeColumns('l1', ['plan']);
      expect(storedColumns('l1')).toEqual(['plan']);
    },
  );
});

it('a list of more than 10,000 members is sorted by address alone, and not where it is searched or filtered', () => {
  const all = { search: '', status: undefined };
  expect(sortsOf(10_000, { search: 'a', status: 'subscribed' })).toEqual(['email', 'created_at']);
  expect(sortsOf(10_001, all)).toEqual(['email']);
  expect(sortsOf(10_001, { ...all, search: 'a' })).toEqual([]);
  expect(sortsOf(10_001, { ...all, status: 'subscribed' })).toEqual([]);
  const newest = { sort: 'created_at', direction: 'desc' } as const;
  expect(sortOf(newest, ['email', 'created_at'])).toEqual(newest);
  for (const sorts of [['email'], []] as const) {
    expect(sortOf(newest, sorts)).toEqual({ sort: 'email', direction: 'asc' });
  }
  expect(sortOf({ sort: 'strange', direction: 'desc' }, ['email'])).toMatchObject({ direction: 'asc' });
});
