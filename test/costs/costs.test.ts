import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sweepAll } from '#core/sending/sweep/sweep.ts';
import { memoryTable } from '../support/memory-table.ts';
import { idleCost, millionCost, page } from './page.ts';
import { dollarsOf, plus, times } from './prices.ts';

it('docs/costs.md is what npm run costs prints; `npx vitest run test/costs -u` updates it', async () => {
  await expect(await page()).toMatchFileSnapshot('../../docs/costs.md');
});

it('README.md names the same sums', () => {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('## What it costs');
  const sums = [...(section.split('\n## ')[0] ?? '').matchAll(/\$([\d.]+)/g)].map(([, sum]) => sum);
  expect(sums).toEqual([millionCost(), idleCost('prod')].map(sum => sum.toFixed(2)));
});

it('while nobody uses it, dev costs at most 5 dollars a month, and prod 15', () => {
  expect(idleCost('dev')).toBeGreaterThan(1);
  expect(idleCost('dev')).toBeLessThanOrEqual(5);
  expect(idleCost('prod')).toBeLessThanOrEqual(15);
});

it('a run of the sweep makes one request where no automation is on, and moves the watermark every eleven minutes', async () => {
  const table = memoryTable({ anyItems: false });
  const requests: string[] = [];
  const { send } = table.client;
  table.client.send = ((command: object) => {
    requests.push(command.constructor.name);
    return send(command as never);
  }) as typeof send;
  const nothing = { hasTimeLeft: () => true, queue: async () => {}, failed: () => {}, tooOld: () => {} };
  for (let minute = 0; minute < 60; minute += 1) {
    const now = new Date(Date.UTC(2030, 0, 1, 9, minute));
    await sweepAll({ ...nothing, table, now, sweepOthers: async () => {} });
  }
  const queries = requests.filter(name => name === 'QueryCommand');
  expect([queries.length, requests.length - queries.length]).toEqual([60, 6]);
});

it('a million emails cost at most 3.40 dollars, with opens, clicks and events', () => {
  expect(millionCost()).toBeGreaterThan(1);
  expect(millionCost()).toBeLessThanOrEqual(3.4);
});

it('uses are added and multiplied before they are priced', () => {
  const use = plus({ key: 1, secret: 2 }, times({ secret: 1 }, 3));
  expect(use).toEqual({ key: 1, secret: 5 });
  expect(dollarsOf(use)).toBeCloseTo(3);
});
