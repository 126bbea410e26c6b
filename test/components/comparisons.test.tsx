import axe from 'axe-core';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AutomationComparison, Comparing, Comparisons } from '#shared/comparisons.ts';
import type { Verdict } from '#shared/report/significance.ts';
import { type Answers, DOWN } from '../support/components/api.ts';
import { combinationReport, reportOf, reportRow } from '../support/components/examples.ts';
import { button, isGone, press, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const ROUTE = 'GET /api/reporting/comparisons';
const PATH = '/reporting/combinations/aa11';

const row = (id: string, name: string, verdict: Verdict = 'no_difference') => ({
  id,
  name,
  sent: 1000,
  clicked: 30,
  conversions: 3,
  verdict,
  ratio_from: { better: 1.12, worse: 0.4 }[verdict as string] ?? null,
  ratio_to: { better: 1.6, worse: 0.9 }[verdict as string] ?? null,
  detectable_ratio: verdict === 'no_difference' ? 1.42 : null,
});
const comparing = (result: Comparing['result'], ...rows: Comparing['rows']): Comparing => ({
  result,
  rows,
  left_out: 0,
});
const [spring, summer] = [row('aa11', 'Spring'), row('bb22', 'Summer')];
const same = comparing('no_difference', spring, summer);
const automation = (fields: Partial<AutomationComparison> = {}): AutomationComparison => ({
  automation_id: 'a1',
  automation: 'welcome',
  has_uneven_shares: false,
  combinations: same,
  parts: [],
  ...fields,
});
const pieces = automation({
  combinations: comparing(
    'difference',
    row('aa11', 'Short / Go', 'better'),
    row('bb22', 'Long / Go', 'worse'),
  ),
  parts: [
    {
      part: 'subject_line',
      ...comparing('difference', row('s1', 'Short', 'better'), row('s2', 'Long', 'worse')),
    },
    {
      part: 'cta_text',
      ...comparing('not_enough_data', row('c1', 'Go', 'not_enough_data'), row('c2', 'Look')),
    },
  ],
});

const combination = reportRow({
  id: 'aa11',
  type: 'asset',
  template_id: null,
  template_name: null,
  combination: 'Short / Go',
  sent: 1000,
  clicked: 30,
  asset_ids: { subject_line: 's1', cta_text: 'c1', footer: 'f1' },
});

type Asked = { query: URLSearchParams };
const reports: Answers = {
  'GET /api/reporting/combinations': ({ query }: Asked) => reportOf(query, [combination]),
  'GET /api/reporting/combinations/{combination}': ({ query }: Asked) =>
    combinationReport(query, combination),
};
const answering = (automations: AutomationComparison[], more: Partial<Comparisons> = {}): Answers => ({
  ...reports,
  [ROUTE]: { by: 'clicks', since: '2026-10-01', automations, not_compared: [], counted_until: null, ...more },
});
const group = (name: string) => page.getByRole('group', { name: `Comparison in ${name}` });
const sentences = (name: string) =>
  (group(name).element() as HTMLElement).innerText
    .replaceAll(/[\u2068\u2069]/g, '')
    .split('\n')
    .filter(Boolean);

const converting = automation({
  combinations: comparing(
    'difference',
    { ...row('aa11', 'Spring', 'better'), conversions: 45 },
    { ...row('bb22', 'Summer', 'worse'), conversions: 30 },
  ),
  parts: [
    {
      part: 'subject_line',
      ...comparing('difference', row('s1', 'Short', 'better'), row('s2', 'Long', 'worse')),
    },
  ],
});
const byBoth = (byConversions: AutomationComparison): Answers => ({
  ...answering([]),
  [ROUTE]: ({ query }: Asked) => {
    const by = query.get('by') === 'conversions' ? 'conversions' : 'clicks';
    const automations = [by === 'clicks' ? automation() : byConversions];
    return { by, since: '2026-10-01', automations, not_compared: [], counted_until: null };
  },
});

it('combinations are compared by conversions on demand, in words and in numbers', async () => {
  await open('/reporting', byBoth(converting));
  await says('No difference found: 42% would have shown in half of cases');
  await press('By conversions');
  await expect
    .poll(() => sentences('welcome'))
    .toContain('“Spring” leads to conversions more often than “Summer”: 4.5% against 3.0%, 12% to 60% more');
});

it('the page of a combination compares it and its parts by conversions on demand', async () => {
  await open(PATH, byBoth(converting));
  await says('No difference found: 42% would have shown in half of cases');
  await press('By conversions');
  await expect
    .poll(() => sentences('welcome'))
    .toEqual([
      'In welcome, this combination',
      'Leads to conversions more often than the rest: 12% to 60% more',
      'Subject Line “Short”: Leads to conversions more often than the rest: 12% to 60% more',
    ]);
});

it('where no conversion names its email, a comparison by conversions says how they are reported', async () => {
  const none = comparing('not_enough_data', { ...spring, conversions: 0 }, { ...summer, conversions: 0 });
  await open('/reporting', byBoth(automation({ combinations: none })));
  await press('By conversions');
  await says(/^No conversion names its email yet/);
  await expect
    .element(page.getByRole('link', { name: 'How to report conversions' }))
    .toHaveAttribute('href', '/help#value');
});

it('comparisons by conversions that cannot be loaded say so, and leave those by clicks', async () => {
  const { api } = await open('/reporting', byBoth(converting));
  await shows(group('welcome'));
  api.answer({ [ROUTE]: DOWN });
  await press('By conversions');
  await says(/^Failed to load comparisons/);
  await press('By clicks');
  await shows(group('welcome'));
});

it('above the table, an automation with a difference has a sentence for its combinations and one for each part, whatever the range', async () => {
  const { api, router } = open('/reporting', answering([pieces]));
  await expect.element(group('welcome')).toBeVisible();
  expect(sentences('welcome')).toEqual([
    'welcome',
    '“Short / Go” is clicked more often than “Long / Go”: 12% to 60% more',
    'Subject Line: “Short” is clicked more often than “Long”: 12% to 60% more',
    'CTA Text: Not enough data yet',
    'Details',
  ]);
  await says(
    'Of emails sent since Oct 1, 2026, of each automation by itself, whatever the range of the report',
  );
  await expect.element(page.getByRole('button', { name: /It may be looked at every day/ })).toBeVisible();
  await press('Last 7 days');
  await expect.poll(() => router.state.location.search).not.toBe('');
  expect(api.count(ROUTE)).toBe(1);
  // The table of the same emails.
  await page.getByRole('link', { name: 'Show the report since Oct 1, 2026' }).click();
  await expect.poll(() => router.state.location.search).toMatch(/from=2026-10-01/);
});

it('an automation whose content was not sent in equal shares says so', async () => {
  const skewed = automation({ automation_id: 'a2', automation: 'skewed', has_uneven_shares: true });
  open('/reporting', answering([automation(), skewed]));
  await press('Show all 2 automations');
  await says(/was not sent so in the last weeks/);
  expect(sentences('skewed').join(' ')).toContain('equal shares');
  expect(sentences('welcome').join(' ')).not.toContain('equal shares');
});

it('a comparison shows what a sentence is made of, and leads to the combinations', async () => {
  open(
    '/reporting',
    answering([
      {
        ...pieces,
        parts: [],
        combinations: { ...same, rows: [spring, { ...summer, clicked: 31 }], left_out: 3 },
      },
    ]),
  );
  await page.getByText('Details', { exact: true }).click();
  await says('3 more with fewer emails are not listed.');
  const table = page.getByRole('grid', { name: 'Combinations of welcome' });
  await expect
    .element(table.getByRole('button', { name: '3.0%: 30 of 1,000 (3.00%), 95% range 2.1–4.3%' }).first())
    .toBeVisible();
  await expect
    .element(table.getByRole('link', { name: 'Summer' }))
    .toHaveAttribute('href', '/reporting/combinations/bb22');
  // The one that is clicked most often is the first.
  const names = table.getByRole('link').elements();
  expect(names.map(({ textContent }) => textContent)).toEqual(['Summer', 'Spring']);
});

proof('a comparison tells apart what is called the same, and names what has no name', async () => {
  const rows = [row('aa11', 'Go', 'better'), row('bb22', 'Go', 'better'), row('cc33', '', 'better')];
  open('/reporting', answering([automation({ combinations: comparing('difference', ...rows) })]));
  await expect.element(group('welcome')).toBeVisible();
  expect(sentences('welcome')[1]).toBe(
    '“Go” (aa11), “Go” (bb22), and cc33 are clicked more often than the rest: 12% to 60% more',
  );
});

proof(
  'the comparisons begin with the automations in which something differs, and show the others when they are asked for',
  async () => {
    const others = Array.from({ length: 6 }, (_, nth) =>
      automation({ automation_id: `o${nth}`, automation: `other ${nth}` }),
    );
    open('/reporting', answering([...others, pieces]));
    await expect.element(group('welcome')).toBeVisible();
    const groups = page.getByRole('group', { name: /^Comparison in/ });
    expect(groups.elements().length).toBe(1);
    await press('Show all 7 automations');
    await expect.element(group('other 5')).toBeVisible();
    await isGone(button('Show all 7 automations'));
  },
);

it('the report says where nothing can be compared', async () => {
  const not_compared = ['North', 'South'].map(name => ({ automation_id: name, automation: name }));
  open('/reporting', answering([], { not_compared }));
  await says(/^No automation has sent two different combinations since Oct 1, 2026/);
  await says('North and South are not compared: what they have sent is counted together.');
});

proof(
  'the page of a combination says how it and its parts do, in each automation that sends it',
  async () => {
    open(PATH, answering([pieces, automation({ automation_id: 'a2', automation: 'winter' })]));
    await expect.element(group('winter')).toBeVisible();
    expect(sentences('welcome')).toEqual([
      'In welcome, this combination',
      'Clicked more often than the rest: 12% to 60% more',
      'Subject Line “Short”: Clicked more often than the rest: 12% to 60% more',
      'CTA Text “Go”: Not enough data yet',
    ]);
    expect(sentences('winter')).toEqual([
      'In winter, this combination',
      'No difference found: 42% would have shown in half of cases',
    ]);
    await says(/^Of emails sent since Oct 1, 2026/);
  },
);

it.each([
  [0, 'No automation has sent it beside another combination since Oct 1, 2026.'],
  [1, 'It is not among the combinations with the most emails, which alone are listed here.'],
])(
  'the page of a combination says where it is not compared, with %d that are not listed',
  async (left_out, sentence) => {
    const combinations = comparing('no_difference', row('bb22', 'Summer'), row('cc33', 'Winter'));
    open(PATH, answering([automation({ combinations: { ...combinations, left_out } })]));
    await says(sentence);
  },
);

proof('long names of a comparison take more lines on a phone, and axe finds nothing', async () => {
  await page.viewport(390, 844);
  const long = 'Averyveryverylongname'.repeat(4).slice(0, 80);
  const rows = [row('aa11', long, 'better'), row('bb22', `${long} `, 'worse')];
  const parts = [{ part: 'subject_line' as const, ...comparing('difference', ...rows) }];
  open(
    '/reporting',
    answering([automation({ automation: long, combinations: comparing('difference', ...rows), parts })]),
  );
  await expect.element(group(long)).toBeVisible();
  await page.getByText('Details', { exact: true }).click();
  await expect.element(page.getByRole('grid', { name: `Combinations of ${long}` })).toBeVisible();
  const box = group(long).element();
  expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth);
  expect(box.getBoundingClientRect().right).toBeLessThanOrEqual(390);
  const { violations } = await axe.run(box);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
