import { unstable_serialize } from 'swr';
import { expect, it } from 'vitest';
import { cacheKey, isKeyOf, isKeyWithin } from '#web/lib/cache-key.ts';

const ONE = 'GET /api/email-lists/{list}';
const ALL = 'GET /api/email-lists';

it('responses have one key where route, input and organization agree, and else different ones', () => {
  const keys = [
    cacheKey(ONE, { params: { list: 'a' } }, 1),
    cacheKey(ONE, { params: { list: 'b' } }, 1),
    cacheKey(ONE, { params: { list: 'a' } }, 12),
    cacheKey(ALL, {}, 1),
    cacheKey('GET /api/user', undefined),
  ];
  expect(new Set(keys.map(key => unstable_serialize(key))).size).toBe(keys.length);
  expect(unstable_serialize(cacheKey(ONE, { params: { list: 'a' } }, 1))).toBe(unstable_serialize(keys[0]));
});

it('a key is found by its routes', () => {
  const key = cacheKey(ONE, { params: { list: 'a' } }, 1);
  expect(isKeyOf(key, ONE)).toBe(true);
  expect(isKeyOf(key, ALL, ONE)).toBe(true);
  expect(isKeyOf(key, ALL)).toBe(false);
  for (const other of [undefined, null, '', ONE, [ONE], {}]) expect(isKeyOf(other, ONE)).toBe(false);
});

it('a switch finds the keys of that organization alone', () => {
  const key = (organization: number) => cacheKey(ALL, {}, organization);
  expect(isKeyWithin(key(1), 1)).toBe(true);
  expect(isKeyWithin(key(12), 1)).toBe(false);
  expect(isKeyWithin(cacheKey('GET /api/user', undefined), 1)).toBe(false);
  expect(isKeyWithin(undefined, 1)).toBe(false);
});
