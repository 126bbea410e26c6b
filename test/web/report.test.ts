import { describe, expect, it } from 'vitest';
import { csvOf } from '#shared/csv.ts';
import { percentage } from '#shared/report/figures.ts';
import { amountText } from '#web/components/amount.tsx';
import { barHeight, ticksTo } from '#web/components/chart.tsx';
import { combinationRows, matchingRows, nameRows } from '#web/features/report/combination-rows.ts';
import { rangeOfDate } from '#web/features/report/periods.ts';
import { percent, rateText } from '#web/features/report/report-cells.tsx';
import { reportRows } from '#web/features/report/report-csv.ts';
import { lastDays } from '#web/lib/last-days.ts';
import { reportRow } from '../support/components/examples.ts';

it('the last 30 days end with today, in UTC', () => {
  const now = new Date('2026-03-01T23:59:59Z');
  expect(lastDays(30, now)).toEqual({ start_date: '2026-01-31', end_date: '2026-03-01' });
  expect(lastDays(7, now)).toEqual({ start_date: '2026-02-23', end_date: '2026-03-01' });
});

it.each([
  ['2026-03-04', '2026-03-04', '2026-03-04'],
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2025-01', '2025-01-15', '2025-01-31'],
  ['2026-03', '2026-03-01', '2026-03-20'],
])('a row of %s is about the days from %s to %s of the range', (date, start_date, end_date) => {
  const range = { start_date: '2025-01-15', end_date: '2026-03-20' };
  expect(rangeOfDate(date, range)).toEqual({ start_date, end_date });
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [42, [0, 20, 40, 60]],
  [1000, [0, 500, 1000]],
  [1234, [0, 500, 1000, 1500]],
])('the scale of a chart up to %d is in steps that are easy to read', (most, ticks) => {
  expect(ticksTo(most)).toEqual(ticks);
});

it('a bar is scaled to the highest one, and is seen if there is anything', () => {
  const heights = { min: 20, max: 200 };
  expect([0, 1, 50, 99, 100].map(count => barHeight(count, 100, heights))).toEqual([0, 20, 100, 198, 200]);
  expect([barHeight(1, 1_000_000, heights), barHeight(0, 0, heights)]).toEqual([20, 0]);
});

it('a rate says what it is made of; its range is wider, the fewer emails there are', () => {
  expect(rateText({ count: 30, sent: 1000 })).toBe('3.0%: 30 of 1,000 (3.00%), 95% range 2.1–4.3%');
  expect(rateText({ count: 3, sent: 100 })).toBe('3.0%: 3 of 100 (3.00%), 95% range 1.0–8.5%');
  expect(rateText({ count: 0, sent: 10 })).toBe('0.0%: 0 of 10 (0.00%), 95% range 0.0–27.8%');
  // A click may be counted before its email.
  expect(rateText({ count: 3, sent: 2 })).toMatch(/34\.2–100\.0%$/);
});

it.each([
  [312, 1000, '31.2%'],
  [1, 2000, '0.1%'],
  [1, 20_000, '<0.1%'],
  [0, 20_000, '0.0%'],
  [1, 0, '–'],
])('%d of %d is %s in a table', (count, sent, text) => {
  expect(percent(count, sent)).toBe(text);
});

it.each([
  ['aa1', ['aa11']],
  [' GREEN ', ['bb22']],
  ['is here', ['aa11']],
  ['long days', ['bb22']],
  ['look a', ['aa11']],
  ['example.com', []],
  ['', ['aa11', 'bb22']],
])('a search for %j looks at ID, combination, subject line, preheader and CTA text', (search, ids) => {
  const rows = [
    reportRow({
      id: 'aa11',
      combination: 'Spring',
      assets: { subject_line: 'Spring is here', cta_text: 'Look around', cta_url: 'https://example.com' },
    }),
    reportRow({
      id: 'bb22',
      combination: 'Short / Green',
      assets: { subject_line: 'Summer', preheader: 'Long days' },
    }),
  ];
  expect(matchingRows(rows, search).map(({ id }) => id)).toEqual(ids);
});

it.each([
  [0.015, '0.02'],
  [1.005, '1.01'],
  [0.0149, '0.01'],
  [4.35, '4.35'],
  [999.995, '1000.00'],
])('a value of %d is %s on the screen and in the file', (value, text) => {
  const cells = reportRows(combinationRows([reportRow({ value })], {}), false)[1] ?? [];
  expect([amountText(value).replace(',', ''), cells]).toEqual([text, expect.arrayContaining([text])]);
});

it.each([
  ['no currency', undefined, '1,234.50', '0.1235'],
  ['a currency', 'EUR', '€1,234.50', '€0.1235'],
  ['a currency without a sign', 'CHF', 'CHF\u00a01,234.50', 'CHF\u00a00.1235'],
])('amounts of an organization with %s are written in it', (_, currency, amount, share) => {
  expect([amountText(1234.5, 2, currency), amountText(0.1235, 4, currency)]).toEqual([amount, share]);
});

it('by value per email, a combination without a range of it is behind all that have one, in both directions', () => {
  const worth = (id: string, value: number, range: { from: number; to: number } | null) =>
    reportRow({ id, combination: id, sent: 10, value, value_per_send_range: range });
  const range = { from: 1, to: 6 };
  const rows = [worth('lucky', 900, null), worth('poor', 20, range), worth('rich', 50, range)];
  const order = (direction: 'asc' | 'desc') =>
    nameRows(rows, {}, 'value_per_send', direction).map(({ id }) => id);
  expect([order('asc'), order('desc')]).toEqual([
    ['poor', 'rich', 'lucky'],
    ['rich', 'poor', 'lucky'],
  ]);
  // Ranges do not add up.
  const [both] = nameRows([...rows.slice(2), ...rows.slice(2)], {}, 'value_per_send', 'desc');
  expect(both?.figures.value_per_send_range).toBeNull();
});

it('a combination of which nothing was sent has no value per email, and is last in both directions', () => {
  const worth = (id: string, sent: number, value: number) =>
    reportRow({ id, combination: id, sent, clicked: sent, value });
  const rows = [worth('unsent', 0, 1000), worth('poor', 10, 0), worth('rich', 10, 50)];
  const order = (direction: 'asc' | 'desc') =>
    nameRows(rows, {}, 'value_per_send', direction).map(({ id }) => id);
  expect([order('asc'), order('desc')]).toEqual([
    ['poor', 'rich', 'unsent'],
    ['rich', 'poor', 'unsent'],
  ]);
  const cells = reportRows(combinationRows(rows, {}), false).map(row => row.slice(13, 15));
  expect(cells).toEqual([
    ['Value/Send', 'Value/Click'],
    ['', ''],
    ['0.0000', '0.0000'],
    ['5.0000', '5.0000'],
  ]);
});

it.each([
  [57, 800, '7.13%'],
  [1, 800, '0.13%'],
  [201, 20_000, '1.01%'],
  [2, 3, '66.67%'],
  [0, 0, '0.00%'],
])('%d of %d is %s: a half is rounded up', (part, whole, text) => {
  expect(percentage(part, whole)).toBe(text);
});

it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])('%j is no formula in a CSV', text => {
  const row = reportRow({ id: 'aa11', combination: text, assets: { subject_line: text, footer: text } });
  const written = csvOf(reportRows(combinationRows([row], {}), false));
  expect(written.split(`'${text}`)).toHaveLength(4);
  expect(written.replaceAll(`'${text}`, '')).not.toContain(text);
});

describe('combinations of the same assets but one', () => {
  const names = { s1: 'Plain', s2: 'Question', c1: 'Blue button' };
  const combination = (id: string, subject: 's1' | 's2') =>
    reportRow({
      id,
      type: 'asset',
      combination: `${names[subject]} / Blue button`,
      sent: 1,
      asset_ids: { subject_line: subject, cta_text: 'c1', footer: 'f1' },
    });
  const rows = [combination('aa11', 's1'), combination('bb22', 's2')];
  const called = (some: ReturnType<typeof combinationRows>) => some.map(({ title, name }) => [title, name]);
  const expected = [
    ['Plain', 'Plain / Blue button'],
    ['Question', 'Question / Blue button'],
  ];

  it('are called by that one, and their whole name is kept', () => {
    expect(called(combinationRows(rows, names))).toEqual(expected);
    expect(reportRows(combinationRows(rows, names), false).map(([, name]) => name)).toEqual([
      'Combination',
      ...expected.map(([, name]) => name),
    ]);
  });

  it('are called so too where they are grouped by name', () => {
    const twice = [...rows, combination('cc33', 's2')];
    expect(called(nameRows(twice, names, 'sent', 'asc'))).toEqual(expected);
    const nameless = reportRow({ id: 'dd44', type: 'asset', combination: '', asset_ids: { footer: 'f2' } });
    expect(called(nameRows([nameless], names, 'sent', 'asc'))).toEqual([
      ['No description', 'No description'],
    ]);
  });
});
