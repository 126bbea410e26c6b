import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idleCost, millionCost, page } from './page.ts';
import { dollarsOf, plus, times } from './prices.ts';

it('docs/costs.md is what npm run costs prints; `npx vitest run test/costs -u` updates it', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/costs.md');
});

it('README.md names the same sums', () => {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('## What it costs');
  const sums = [...(section.split('\n## ')[0] ?? '').matchAll(/\$([\d.]+)/g)].map(([, sum]) => sum);
  expect(sums).toEqual([millionCost(), idleCost('prod', 'prod')].map(sum => sum.toFixed(2)));
});

it('dev costs less than 12 dollars a month while nobody uses it', () => {
  expect(idleCost('dev', 'dev')).toBeGreaterThan(1);
  expect(idleCost('dev', 'dev')).toBeLessThan(12);
});

it('a million emails cost at most 3.50 dollars, with opens, clicks and events', () => {
  expect(millionCost()).toBeGreaterThan(1);
  expect(millionCost()).toBeLessThanOrEqual(3.5);
});

it('uses are added and multiplied before they are priced', () => {
  const use = plus({ key: 1, secret: 2 }, times({ secret: 1 }, 3));
  expect(use).toEqual({ key: 1, secret: 5 });
  expect(dollarsOf(use)).toBeCloseTo(3);
});
