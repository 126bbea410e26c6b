import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/security.md names tests that there are', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const named = [...page.matchAll(/`([\w/*-]+\.test\.ts)`/g)].map(([, path]) => `test/${path}`);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => globSync(path).length === 0)).toEqual([]);
});
