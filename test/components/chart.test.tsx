import axe from 'axe-core';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import Chart, { type ChartProps, HATCHED } from '#web/components/chart.tsx';
import { focus, keys, says } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

type Day = { date: string; sent: number; skipped: number; open?: number; click?: number };
const DAYS: Day[] = [
  { date: 'Mar 1', sent: 100, skipped: 20, open: 40, click: 5 },
  { date: 'Mar 2', sent: 200, skipped: 0, open: 30, click: 10 },
  { date: 'Mar 3', sent: 0, skipped: 0 },
  { date: 'Mar 4', sent: 50, skipped: 10, open: 50, click: 0 },
];

const BASE: ChartProps<Day> = {
  label: 'Sent emails and rates',
  points: DAYS,
  keyOf: ({ date }) => date,
  nameOf: ({ date }) => date,
  tickOf: ({ date }) => date,
  textOf: ({ sent }) => `${sent} sent`,
  bars: [{ name: 'Sent', value: ({ sent }) => sent, fill: 'var(--chart-quiet)' }],
  heights: { min: 2, max: 200 },
  read: 'list',
};

const percent = (value: number) => `${value}%`;
const RATES: Partial<ChartProps<Day>> = {
  lines: [
    { name: 'Open rate', value: ({ open }) => open, fill: 'var(--chart)', format: percent },
    { name: 'Click rate', value: ({ click }) => click, fill: 'var(--chart-strong)', format: percent },
  ],
  hasScale: true,
  legend: 'above',
  read: 'table',
};

const show = (props: Partial<ChartProps<Day>> = {}) =>
  render(
    <div style={{ width: 640 }}>
      <Chart {...BASE} {...props} />
    </div>,
  );
const drawn = (selector: string) => [...document.querySelectorAll(`svg ${selector}`)];
const barHeights = () => drawn('g > rect[pointer-events]').map(bar => Number(bar.getAttribute('height')));
const texts = () => drawn('text').map(({ textContent }) => textContent);

it('bars and two lines have a scale each, and a table for screen readers', async () => {
  show(RATES);
  await expect.poll(barHeights).toEqual([100, 200, 50]);
  expect(texts()).toEqual(
    expect.arrayContaining(['0', '50', '100', '150', '200', '0%', '20%', '40%', '60%', 'Mar 1', 'Mar 4']),
  );
  const [open = '', click = ''] = drawn('path[fill=none]').map(line => line.getAttribute('d'));
  // The gap of the third day begins another line, which is a dot.
  expect([open, click].map(path => path?.replace(/[\d. ]/g, ''))).toEqual(['MLM', 'MLM']);
  expect(drawn('circle')).toHaveLength(2);
  const rows = page.getByRole('row').elements();
  expect(rows.map(row => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Date', 'Sent', 'Open rate', 'Click rate'],
    ['Mar 1', '100', '40%', '5%'],
    ['Mar 2', '200', '30%', '10%'],
    ['Mar 3', '0', '', ''],
    ['Mar 4', '50', '50%', '0%'],
  ]);
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

it('a point is selected by arrow keys, Home and End, and by the pointer', async () => {
  show(RATES);
  await says('Most: Mar 2, 200 sent');
  await focus(page.getByRole('group', { name: 'Sent emails and rates' }));
  await keys('{ArrowRight}');
  await says('Mar 1: 100 sent');
  await keys('{End}');
  await says('Mar 4: 50 sent');
  await keys('{ArrowLeft}');
  await says('Mar 3: 0 sent');
  await keys('{Home}{Tab}');
  await says('Most: Mar 2, 200 sent');
  await expect.poll(() => drawn('g')).not.toEqual([]);
  await page.elementLocator(document.querySelector('svg[height="228"]') as Element).hover();
  await says('Mar 3: 0 sent');
});

it('stacked bars have their sums above them where there is room, and are a list for screen readers', async () => {
  const stacked = {
    isStacked: true,
    bars: [...BASE.bars, { name: 'Skipped', value: ({ skipped }: Day) => skipped, fill: HATCHED }],
  };
  show(stacked);
  await expect.poll(barHeights).toEqual([100, 20, 200, 50, 10]);
  expect(texts()).toEqual(['Mar 1', 'Mar 2', 'Mar 3', 'Mar 4']);
  const items = page.getByRole('list', { name: 'Sent emails and rates' }).getByRole('listitem');
  expect(items.elements().map(({ textContent }) => textContent)).toEqual([
    'Mar 1: 100 sent',
    'Mar 2: 200 sent',
    'Mar 3: 0 sent',
    'Mar 4: 50 sent',
  ]);
});
