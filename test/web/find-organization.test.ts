import { expect, it } from 'vitest';
import { findOrganization } from '#web/app/organization-boundary.tsx';
import { Problem, UNREACHABLE } from '#web/lib/problem.ts';

const organizations = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const refused = (status: number) => Promise.reject(new Problem('No', status));

/** What a search asks, where the organization with this id has the thing and `answer` says what the others answer. */
function search(count: number, owner: number | undefined, answer: (id: number) => Promise<unknown>) {
  const asked: number[] = [];
  const ended = new AbortController();
  let running = 0;
  let most = 0;
  const found = findOrganization(
    organizations(count),
    async id => {
      asked.push(id);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return id === owner ? { id } : answer(id);
    },
    ended.signal,
  );
  return { found, asked, most: () => most, abort: () => ended.abort() };
}

it('a few organizations are asked at a time, and none after the one that has it', async () => {
  const { found, asked, most } = search(40, 6, () => refused(404));
  expect(await found).toEqual({ id: 6 });
  expect(most()).toBe(4);
  expect(asked.length).toBeLessThan(12);
});

it('what none of them has is not found, nor what the user may not read', async () => {
  const { found, asked } = search(9, undefined, id => refused(id % 2 ? 404 : 403));
  expect(await found).toBeUndefined();
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it.each([502, undefined])('an answer that fails (%s) leaves open whether it is there', async status => {
  const failed = () => Promise.reject(new Problem(UNREACHABLE, status));
  const inconclusive = search(6, undefined, id => (id === 2 ? failed() : refused(404)));
  await expect(inconclusive.found).rejects.toThrow(UNREACHABLE);
  expect(inconclusive.asked).toHaveLength(6);
  expect(await search(6, 5, id => (id === 2 ? failed() : refused(404))).found).toEqual({ id: 5 });
});

it('a search that is ended asks nobody any more', async () => {
  const { found, asked, abort } = search(40, undefined, () => refused(404));
  abort();
  await found;
  expect(asked).toHaveLength(4);
});
