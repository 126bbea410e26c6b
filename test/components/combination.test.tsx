import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { CombinationReport, RecentSend } from '#shared/reporting.ts';
import { type Answers, refusal } from '../support/components/api.ts';
import { combinationReport, reportRow } from '../support/components/examples.ts';
import { dialog, field, heading, isGone, keys, leadsTo, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { linesIn } from '../support/csv-cells.ts';
import { proof } from '../support/proof.ts';

const ROUTE = 'GET /api/reporting/combinations/{combination}';
const PATH = '/reporting/combinations/aa11';

const spring = reportRow({
  id: 'aa11',
  template_id: 'aa11',
  combination: 'Spring',
  template_name: 'Spring',
  sent: 1000,
  opened: 400,
  machine_opened: 250,
  clicked: 30,
  unsub_clicked: 6,
  unsubscribed: 4,
  value: 1234.5,
  assets: {
    subject_line: 'Spring is here',
    preheader: 'At last',
    pre_cta_content: 'Hello',
    cta_text: 'Look',
    cta_url: 'https://example.com',
    after_cta_content: 'Bye',
    footer: '{{UNSUB_LINK}}',
  },
});
const pieces = reportRow({
  id: 'aa11',
  type: 'asset',
  template_id: null,
  template_name: null,
  combination: 'Short / Green',
  sent: 10,
  clicked: 1,
  asset_ids: { subject_line: 's1' },
  assets: { subject_line: 'Short' },
});
const sends: RecentSend[] = Array.from({ length: 100 }, (_, nth) => ({
  id: `e${nth}`,
  recipient: `reader${nth}@example.com`,
  list_member_id: nth === 0 ? 'm1' : null,
  email_list: 'Customers',
  automation: 'welcome',
  sent_at: '2026-11-23T08:00:00Z',
  is_opened: nth === 0,
  is_clicked: false,
}));

type Asked = { query: URLSearchParams };
const answering = (row = spring, more: Partial<CombinationReport> = {}): Answers => ({
  [ROUTE]: ({ query }: Asked) => ({ ...combinationReport(query, row, sends), ...more }),
});

const cells = (table: string) =>
  [...document.querySelectorAll(`[aria-label="${table}"] tbody tr`)].map(one =>
    [...one.querySelectorAll('td')].map(cell => cell.innerText),
  );

const saved = watchSavedFile();

beforeEach(() => {
  vi.setSystemTime('2026-11-23T09:30:00Z');
  return () => vi.useRealTimers();
});

it('the page of a combination shows the events and recipients of a template, its seven parts and their sources', async () => {
  open(PATH, answering());
  await expect.element(heading('Template: Spring')).toBeVisible();
  const summary = page.getByLabelText('Performance Summary');
  for (const text of ['1,000', '400', '40.0% (37.0–43.1%)', '30', '6', '4', '1,234.50', '1.2345 per send']) {
    await expect.element(summary.getByText(text, { exact: true })).toBeVisible();
  }
  expect(cells('Daily Performance')[0]).toEqual([
    'Nov 23, 2026',
    '1,000',
    '400',
    '250',
    '30',
    '6',
    '4',
    '40.0%',
    '3.0%',
    '0.4%',
  ]);
  expect(cells('Daily Performance').length).toBe(30);
  const chart = page.getByRole('table', { name: /^Chart of the sent emails/ });
  await expect
    .element(chart.getByRole('row', { name: /^Nov 23, 2026 0 1,000 40\.0% 3\.0%$/ }))
    .toBeInTheDocument();
  await expect.element(heading('Recent Sends (100 of 1,000)')).toBeVisible();
  expect(cells('Recent Sends').length).toBe(25);
  await leadsTo('reader0@example.com', '/list-members/m1');
  await expect
    .element(summary.getByRole('link', { name: '6 with their unsubscribe link followed: show who' }))
    .toHaveAttribute(
      'href',
      '/sending-log?combination=aa11&status=unsub_clicked&from=2026-10-25&to=2026-11-23',
    );
  await expect
    .element(
      page
        .getByRole('grid', { name: 'Daily Performance' })
        .getByRole('link', { name: '250 opened by a machine: show who' }),
    )
    .toHaveAttribute(
      'href',
      '/sending-log?combination=aa11&status=machine_opened&from=2026-11-23&to=2026-11-23',
    );
  await summary.getByRole('button', { name: /^Machine opened: / }).click();
  await says(/had their picture loaded by a machine/);
  await page.getByRole('tab', { name: 'Parts' }).click();
  for (const text of ['Spring is here', 'At last', 'Hello', 'Look', 'Bye', '{{UNSUB_LINK}}']) {
    await expect.element(page.getByRole('definition').filter({ hasText: text }).first()).toBeVisible();
  }
  await expect
    .element(page.getByRole('link', { name: 'Spring', exact: true }))
    .toHaveAttribute('href', '/email-templates/aa11');
});

it('the page names a combination of assets, with its ID to copy and its assets', async () => {
  open(PATH, answering(pieces));
  await expect.element(heading('Asset Combination')).toBeVisible();
  await says('Short / Green');
  await press('Copy ID');
  expect(await navigator.clipboard.readText()).toBe('aa11');
  await leadsTo('Subject Line', '/email-assets/s1');
});

it('the page of a combination keeps what is deleted, without a link to it', async () => {
  open(PATH, answering({ ...spring, is_deleted: true }));
  await says('Deleted');
  await says('The template is deleted. Its texts stay here.');
});

proof(
  'the range of a combination is that of the report which led here, and the way back is kept with it',
  async () => {
    const asked: string[] = [];
    const { router } = open('/profile', {
      'GET /api/tokens': { tokens: [] },
      'GET /api/user/sessions': { sessions: [] },
      'GET /api/reporting/combinations': refusal(422),
      [ROUTE]: ({ query }: Asked) => {
        asked.push(String(query));
        return combinationReport(query, spring);
      },
    });
    const report = '/reporting?search=spring&from=2026-11-01&to=2026-11-20';
    const range = { start_date: '2026-11-01', end_date: '2026-11-20' };
    await router.navigate(PATH, { state: { ...range, type: 'template', report } });
    await expect.element(field('Start date')).toHaveValue('2026-11-01');
    expect(asked).toEqual(['start_date=2026-11-01&end_date=2026-11-20&type=template']);
    await press('Last 7 days');
    await expect.element(field('Start date')).toHaveValue('2026-11-17');
    await expect.poll(() => asked.at(-1)).toBe('start_date=2026-11-17&end_date=2026-11-23&type=template');
    await page.getByRole('link', { name: 'Back to Report' }).click();
    await expect.poll(() => router.state.location.pathname + router.state.location.search).toBe(report);
  },
);

proof('the page says that a combination is missing, as one of others is', async () => {
  open(PATH, { [ROUTE]: refusal(404, 'There is no such combination.') });
  await says('Combination not found');
  await expect.element(page.getByRole('link', { name: 'Back to Report' })).toBeVisible();
});

proof('a dialog explains how a program reports value, for assets too', async () => {
  open(PATH, answering(pieces));
  await press('API');
  await expect.element(dialog()).toBeVisible();
  await expect.element(dialog().getByText(/"emailTemplateCombinationId": "aa11"/)).toBeVisible();
  await expect
    .element(dialog().getByText('https://example.com/shop?combination={{template_combination_id}}'))
    .toBeVisible();
  await dialog().getByRole('button', { name: 'Copy' }).click();
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain(`curl -X POST '${location.origin}/api/v1/value'`);
  expect(copied).toContain("-H 'X-Active-Organization: 1'");
  expect(copied).toContain("-H 'Idempotency-Key: order-1001'");
  await keys('{Escape}');
  await isGone(dialog());
});

proof('the page of a combination saves the days as CSV', async () => {
  open(`${PATH}?from=2026-11-22&to=2026-11-23`, answering());
  await press('Export to CSV');
  await expect.poll(() => saved()?.name).toBe('email-combination-aa11_2026-11-22_to_2026-11-23.csv');
  expect(linesIn(await saved()?.content.text())).toEqual([
    'Date,Sent,Opened,Machine Opened,Clicked,Unsub Clicked,Unsubscribed,Open Rate,Click Rate,Unsub Rate,Value',
    '2026-11-22,0,0,0,0,0,0,0.00%,0.00%,0.00%,0.00',
    '2026-11-23,1000,400,250,30,6,4,40.00%,3.00%,0.40%,1234.50',
  ]);
});
