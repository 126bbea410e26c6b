import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { CombinationsReport, ReportRow } from '#shared/reporting.ts';
import type { Answers } from '../support/components/api.ts';
import { DOWN, held } from '../support/components/api.ts';
import { daysReport, organization, reportOf, reportRow } from '../support/components/examples.ts';
import {
  button,
  field,
  focus,
  isGone,
  keys,
  leadsTo,
  press,
  says,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { linesIn } from '../support/csv-cells.ts';
import { proof } from '../support/proof.ts';

const REPORT = 'GET /api/reporting/combinations';
const TODAY = '2026-11-23T09:30:00Z';

const spring = reportRow({
  id: 'aa11',
  template_id: 'aa11',
  combination: 'Spring',
  template_name: 'Spring',
  sent: 1000,
  opened: 400,
  machine_opened: 250,
  clicked: 30,
  unsubscribed: 4,
  value: 1234.5,
  assets: { subject_line: 'Spring is here', cta_text: 'Look around' },
});
const summer = reportRow({
  id: 'bb22',
  type: 'asset',
  template_id: null,
  combination: 'Short / Green',
  can_edit: false,
  sent: 500,
  opened: 100,
  clicked: 60,
  unsubscribed: 1,
  value: 60,
  assets: { subject_line: 'Summer', preheader: 'Long days' },
});
const same = reportRow({
  id: 'cc33',
  type: 'asset',
  template_id: null,
  combination: 'Short / Green',
  can_edit: false,
  sent: 300,
  clicked: 3,
});
const nameless = reportRow({
  id: 'dd44',
  type: 'asset',
  template_id: null,
  combination: '',
  can_edit: false,
  is_deleted: true,
  sent: 7,
});
const all = [spring, summer, same, nameless];

const answering = (rows: ReportRow[], more: Partial<CombinationsReport> = {}): Answers => ({
  [REPORT]: ({ query }: { query: URLSearchParams }) => ({ ...reportOf(query, rows), ...more }),
});

function asking(rows: ReportRow[] = all) {
  const asked: Record<string, string>[] = [];
  const answers: Answers = {
    [REPORT]: ({ query }: { query: URLSearchParams }) => {
      asked.push(Object.fromEntries(query));
      return reportOf(query, rows);
    },
  };
  return { asked, answers };
}

const loaded = () => says('Spring is here');
const row = (name: string | RegExp) => page.getByRole('row', { name });
const texts = () =>
  [...document.querySelectorAll('[aria-label=Combinations] tbody tr')].map(one =>
    [...one.querySelectorAll<HTMLElement>('td:not(.actions)')].map(cell => cell.innerText.split('\n')[0]),
  );
const headers = () =>
  [...document.querySelectorAll('[aria-label=Combinations] th:not(.actions)')].map(one =>
    one.getAttribute('data-label'),
  );

const saved = watchSavedFile();

beforeEach(() => {
  vi.setSystemTime(TODAY);
  return () => vi.useRealTimers();
});

it('the range of a report is the last 30 days, which load by themselves', async () => {
  const { asked, answers } = asking();
  open('/reporting', answers);
  await loaded();
  expect(asked).toEqual([
    { start_date: '2026-10-25', end_date: '2026-11-23', sort_by: 'sent', sort_direction: 'desc' },
  ]);
});

proof('the range of a report is that of the address, and a preset changes it there', async () => {
  const { asked, answers } = asking();
  const { router } = open('/reporting?from=2026-01-01&to=2026-01-31', answers);
  await expect.element(field('Start date')).toHaveValue('2026-01-01');
  await press('Last 7 days');
  await expect.poll(() => router.state.location.search).toBe('?from=2026-11-17&to=2026-11-23');
  await expect.element(field('Start date')).toHaveValue('2026-11-17');
  await expect.poll(() => asked.map(({ start_date }) => start_date)).toEqual(['2026-01-01', '2026-11-17']);
  await press('Last 30 days');
  await expect.poll(() => router.state.location.search).toBe('');
});

proof('the range of a report needs both dates, in their order', async () => {
  const { asked, answers } = asking();
  open('/reporting', answers);
  await loaded();
  await field('End date').fill('');
  await press('Generate Report');
  await warns('Please select both start and end dates');
  await field('End date').fill('2026-10-01');
  await press('Generate Report');
  await warns('The end date must not be before the start date');
  expect(asked.length).toBe(1);
  await field('Start date').fill('2026-09-01');
  await press('Generate Report');
  await expect.poll(() => asked.at(-1)?.start_date).toBe('2026-09-01');
  await isGone(page.getByText('The end date must not be before the start date'));
});

proof('the range of a report is chosen in a calendar of two months, by keyboard', async () => {
  open('/reporting', answering(all));
  await loaded();
  await focus(button('Choose in a calendar'));
  await keys('{Enter}');
  const calendar = page.getByRole('application');
  await expect.element(calendar.getByRole('grid').first()).toBeVisible();
  expect(calendar.getByRole('grid').elements().length).toBe(2);
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toMatch(/^Starting range from Sunday, October 25, 2026/);
  await keys('{ArrowDown}{Enter}');
  await expect.element(field('Start date')).toHaveValue('2026-11-01');
  await expect.element(field('End date')).toHaveValue('');
  await keys('{ArrowRight}{ArrowRight}{Enter}');
  await expect.element(field('End date')).toHaveValue('2026-11-04');
  await isGone(calendar);
  await expect.element(button('Choose in a calendar')).toHaveFocus();
});

it('the range of a report is chosen in one month on a phone', async () => {
  await page.viewport(390, 844);
  open('/reporting', answering(all));
  await press('Choose in a calendar');
  await expect.element(page.getByRole('application').getByRole('grid').first()).toBeVisible();
  expect(page.getByRole('application').getByRole('grid').elements().length).toBe(1);
  await keys('{Escape}');
  await isGone(page.getByRole('application'));
});

const BASE = ['Combination', 'Automation', 'Sent', 'Open-%', 'Click-%', 'Unsub-%', 'Value', 'Value/Send'];
const NAMED = { automation_names: { a1: 'welcome', a2: 'spring_sale' } };

it('the report shows rates with one decimal and their range on focus, value with two, and per send with four', async () => {
  await page.viewport(1280, 900);
  const sent = { ...spring, automation_ids: ['a1', 'a2'] };
  open('/reporting', answering([sent, nameless], NAMED));
  await loaded();
  expect(headers()).toEqual(BASE);
  expect(texts()).toEqual([
    ['Spring', 'welcome and 1 more', '1,000', '40.0%', '3.0%', '0.4%', '1,234.50', '1.2345'],
    ['No description', '–', '7', '0.0%', '0.0%', '0.0%', '0.00', '0.0000'],
  ]);
  const table = page.getByRole('grid', { name: 'Combinations' }).element();
  expect(table.scrollWidth).toBe(table.clientWidth);
  const rate = page.getByRole('button', { name: '3.0%: 30 of 1,000 (3.00%), 95% range 2.1–4.3%' });
  await focus(rate);
  await expect.element(page.getByRole('tooltip').getByText(/95% range 2\.1–4\.3%$/)).toBeVisible();
  const explained = page.getByRole('button', {
    name: /holds the true rate with a confidence of 95% if each person got one email, and is too narrow if not\.$/,
  });
  expect(explained.elements()).toHaveLength(3);
});

it('value per send has a bar of its range, which is said on focus, and long amounts stay in one line', async () => {
  await page.viewport(1280, 900);
  const ranged = { ...spring, value: 1_234_567.8, value_per_send_range: { from: 0.9, to: 1.75 } };
  open('/reporting', {
    ...answering([ranged, nameless]),
    'GET /api/organizations': [{ ...organization, currency: 'CHF' }],
  });
  await loaded();
  const value = page.getByRole('button', {
    name: 'CHF 1.2345 per email, 95% range CHF 0.9000 to CHF 1.7500',
  });
  await focus(value);
  await expect.element(page.getByRole('tooltip').getByText(/95% range CHF/)).toBeVisible();
  const amount = page.getByText('CHF 1,234,567.80').last().element();
  const cell = amount.closest('td') as HTMLElement;
  expect(amount.getClientRects()).toHaveLength(1);
  expect(cell.scrollWidth).toBe(cell.clientWidth);
});

proof(
  'the report shows further columns where there is room, and others that are chosen, which the address keeps',
  async () => {
    await page.viewport(1920, 900);
    const { router } = open('/reporting', answering([spring]));
    await loaded();
    expect(headers().slice(BASE.length)).toEqual(['Opened', 'Clicked']);
    await press(/^Columns/);
    const list = page.getByRole('dialog', { name: 'Columns' });
    for (const name of ['ID', 'Value/Click', 'Unsubscribed', 'Automation'])
      await list.getByText(name, { exact: true }).click();
    await expect.poll(() => router.state.location.search).toContain('columns=sent%2C');
    expect(headers()).toEqual([
      ...BASE.filter(name => name !== 'Automation'),
      'Opened',
      'Clicked',
      'Unsubscribed',
      'Value/Click',
      'ID',
    ]);
    expect(texts()[0]?.slice(-2)).toEqual(['41.1500', 'aa11']);
  },
);

it('a row of the report has its ID to copy, and leads to its emails', async () => {
  open('/reporting', answering([spring]));
  await loaded();
  await press('Actions for Spring');
  await expect
    .element(page.getByRole('menuitem', { name: 'Show its emails' }))
    .toHaveAttribute('href', '/sending-log?combination=aa11&status=sent&from=2026-10-25&to=2026-11-23');
  await page.getByRole('menuitem', { name: 'Copy ID' }).click();
  await says('ID copied');
  expect(await navigator.clipboard.readText()).toBe('aa11');
});

it('on a phone the report has cards, and a menu that sorts them, which a wide page does not have', async () => {
  await page.viewport(390, 844);
  const { asked, answers } = asking();
  open('/reporting', answers);
  await loaded();
  expect(headers()).toEqual(['Combination', 'Sent', 'Open-%', 'Click-%', 'Value']);
  const menu = page.getByRole('combobox', { name: 'Sort by' });
  await menu.selectOptions('Sort by Click-%, lowest first');
  await expect.poll(() => asked.at(-1)).toMatchObject({ sort_by: 'click_rate', sort_direction: 'asc' });
  await page.viewport(1440, 900);
  await expect.poll(() => menu.elements()).toEqual([]);
});

const DAYS = 'GET /api/reporting/days';
const series = () => page.getByRole('table', { name: /^Chart of the sent emails/ });
const pointNames = () =>
  series()
    .getByRole('rowheader')
    .elements()
    .map(({ textContent }) => textContent);

it('the chart of the report has the days of the range and those before, by day or by week, and its points are read by keys', async () => {
  const { router } = open('/reporting?from=2026-11-10&to=2026-11-23', {
    ...answering(all),
    [DAYS]: ({ query }: { query: URLSearchParams }) => daysReport(query, all),
  });
  await expect.element(series()).toBeInTheDocument();
  expect(pointNames()).toHaveLength(14);
  await expect
    .element(series().getByRole('row', { name: /^Nov 23, 2026 0 1,807 27\.7% 5\.1%$/ }))
    .toBeInTheDocument();
  await focus(page.getByRole('group', { name: /^Chart of the sent emails/ }));
  await keys('{End}');
  await says('Nov 23, 2026: 1,807 sent, 27.7% opened, 5.1% clicked. Nov 9, 2026: nothing sent');
  await press('By week');
  await expect.poll(() => router.state.location.search).toContain('by=week');
  expect(pointNames()).toEqual(['Nov 10 – Nov 16, 2026', 'Nov 17 – Nov 23, 2026']);
});

proof(
  'a chart of the report that could not be loaded is loaded after a retry, beside the report',
  async () => {
    const { api } = open('/reporting', { ...answering(all), [DAYS]: DOWN });
    await says('Failed to load the chart. Please try again.');
    await loaded();
    api.answer({ [DAYS]: ({ query }: { query: URLSearchParams }) => daysReport(query, all) });
    await press('Try again');
    await expect.element(series()).toBeInTheDocument();
  },
);

proof(
  'the report asks for another order: a new column begins with the most, the same one is turned round',
  async () => {
    const { asked, answers } = asking();
    const { router } = open('/reporting', answers);
    await loaded();
    await press('Click-%');
    await expect.poll(() => asked.at(-1)).toMatchObject({ sort_by: 'click_rate', sort_direction: 'desc' });
    await press('Click-%');
    await expect.poll(() => asked.at(-1)).toMatchObject({ sort_by: 'click_rate', sort_direction: 'asc' });
    expect(router.state.location.search).toBe('?sort=click_rate&direction=asc');
    await press('Sent');
    await expect.poll(() => router.state.location.search).toBe('');
  },
);

proof('the report is searched', async () => {
  open('/reporting', answering(all));
  await loaded();
  await field('Search by ID, subject line or content').fill('LONG days');
  await expect.poll(() => texts().map(([, , sent]) => sent)).toEqual(['500']);
  await field('Search by ID, subject line or content').fill('nothing of the kind');
  await says('No combinations match your search criteria.');
});

it('the report groups by name: sums, and rates of the sums, without IDs', async () => {
  await page.viewport(1280, 900);
  open('/reporting?group=name', answering(all));
  await says('No description');
  expect(headers()).toEqual(BASE);
  expect(texts().map(cells => cells.slice(0, 6))).toEqual([
    ['Spring', '–', '1,000', '40.0%', '3.0%', '0.4%'],
    ['Short / Green', '–', '800', '12.5%', '7.9%', '0.1%'],
    ['No description', '–', '7', '0.0%', '0.0%', '0.0%'],
  ]);
  await isGone(button(/^Actions for/));
  await press('Click-%');
  await expect
    .poll(() => texts().map(([name]) => name))
    .toEqual(['Short / Green', 'Spring', 'No description']);
  await says('3 names');
});

it('the report leads from a number to the people behind it', async () => {
  open('/reporting?columns=clicked', answering(all));
  await leadsTo(
    '30 clicked: show who',
    '/sending-log?combination=aa11&status=clicked&from=2026-10-25&to=2026-11-23',
  );
  await leadsTo('93 clicked: show who', '/sending-log?status=clicked&from=2026-10-25&to=2026-11-23');
});

proof('the report shows many combinations in pages', async () => {
  const many = Array.from({ length: 120 }, (_, nth) => reportRow({ id: `id${nth}`, sent: 120 - nth }));
  const { router } = open('/reporting', answering(many));
  await says('120 combinations');
  await says('Page 1 of 3');
  expect(texts().length).toBe(50);
  await press('Next page');
  await expect.poll(() => texts()[0]?.[2]).toBe('70');
  expect(router.state.location.search).toBe('?page=2');
});

it('the report has a table by mailbox provider, with rates, and says how many emails are from before', async () => {
  const gmail = {
    mailbox: 'gmail',
    sent: 1000,
    opened: 400,
    clicked: 30,
    bounced: 5,
    complained: 1,
  } as const;
  const none = { mailbox: 'yahoo', sent: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 } as const;
  await open('/reporting', answering(all, { mailbox_providers: [gmail, none] }));
  const table = page.getByRole('grid', { name: 'Mailbox providers' });
  await expect
    .element(
      table.getByRole('row', { name: /^Gmail 1,000 400 \(40.00%\) 30 \(3.00%\) 5 \(0.50%\) 1 \(0.10%\)/ }),
    )
    .toBeVisible();
  expect(table.getByRole('row').elements()).toHaveLength(2);
  await says(/Sent before this was counted, and not listed: 807\.$/);
});

it('the report says what is left out, cut or not counted yet', async () => {
  open(
    '/reporting',
    answering(all, { left_out: 3, texts_cut_at: 200, counted_until: '2026-11-23T09:12:00.000Z' }),
  );
  await says(/^3 combinations with less in the sorted column are not listed\./);
  await says(/Texts are cut after 200 characters here/);
  await says('Counting is behind: what happened after Nov 23, 2026, 09:12 UTC may be missing.');
});

it('a click on a row of the report opens the combination, and tells it the range, the type and the way back', async () => {
  const { router } = open('/reporting?group=&from=2026-11-01&to=2026-11-20', {
    ...answering(all),
    'GET /api/reporting/combinations/{combination}': held().answer() as never,
  });
  await row(/^Spring/)
    .getByText('1,234.50')
    .click();
  await expect.poll(() => router.state.location.pathname).toBe('/reporting/combinations/aa11');
  expect(router.state.location.state).toEqual({
    start_date: '2026-11-01',
    end_date: '2026-11-20',
    type: 'template',
    report: '/reporting?group=&from=2026-11-01&to=2026-11-20',
  });
});

const PUT = 'PUT /api/email-templates/{emailTemplate}';

it('the templates that the user may edit are paused in the report, which is shown at once, and activated again', async () => {
  const others = reportRow({ id: 'ee55', combination: 'Of others', can_edit: false });
  const { api } = open('/reporting', { ...answering([...all, others]), [PUT]: {} as never });
  await press('Pause Spring');
  await isGone(button('Pause Of others'));
  await isGone(button('Pause Short / Green'));
  await says('Template paused successfully');
  await expect.element(row(/^Spring/).getByText('Inactive')).toBeVisible();
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-templates/aa11', body: { is_active: false } }]);
  await press('Activate Spring');
  await says('Template activated successfully');
  await isGone(row(/^Spring/).getByText('Inactive'));
});

proof('the report keeps its rows where only their order failed', async () => {
  const { api } = open('/reporting', answering(all));
  await loaded();
  api.answer({ [REPORT]: DOWN });
  await press('Click-%');
  await warns('Failed to load sorted data. Please try again.');
  await loaded();
});

it('the report saves what is shown as CSV, without formulas', async () => {
  const tricky = reportRow({
    id: 'ff66',
    combination: '=1+1',
    automation_ids: ['a1', 'a2'],
    sent: 2,
    machine_opened: 3,
    clicked: 1,
    value: 0.5,
    assets: { subject_line: 'One, "two"\nthree' },
  });
  open('/reporting?search=ff66&from=2026-11-01&to=2026-11-20', answering([...all, tricky], NAMED));
  await page.getByRole('button', { name: 'Export to CSV' }).click();
  await expect.poll(() => saved()?.name).toBe('email-combinations-report_2026-11-01_to_2026-11-20.csv');
  expect(linesIn(await saved()?.content.text())).toEqual([
    'ID,Combination,Automation,Sent,Opened,Machine Opened,Clicked,Unsubscribed,Open-%,Click-%,Unsub-%,Conversions,Value,Value/Send,Value/Click,' +
      'Subject Line,Preheader,Pre-CTA Content,CTA Text,CTA URL,After-CTA Content,Footer',
    `ff66,'=1+1,welcome, spring_sale,2,0,3,1,0,0.00%,50.00%,0.00%,0,0.50,0.2500,0.5000,One, "two"\nthree,,,,,,`,
  ]);
});
