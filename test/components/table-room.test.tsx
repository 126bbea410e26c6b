import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  assetRow,
  automation,
  keyedList,
  list,
  profile,
  session,
  template,
  token,
} from '../support/components/examples.ts';
import { open } from '../support/components/render.tsx';

const LONG = 'Customers who ordered in the shop by the river before the spring';
const KEYS = Array.from({ length: 8 }, (_, index) => `column ${index}`);
const listMember = {
  id: 'm1',
  email: 'somebody.with.a.long.name@shop.example.com',
  email_list_id: 'l1',
  email_list: { id: 'l1', name: LONG },
  is_subscribed: true,
  created_at: list.created_at,
  updated_at: list.created_at,
  metadata: KEYS.map(key => ({ key, type: 'string' as const, value: LONG })),
  metadata_json: '{}',
  suppression: null,
};
const welcome = { ...automation, name: LONG, stop_after_days: 90, delay_days: 14, every_x_days: 30 };
const answers = {
  ...profile,
  'GET /api/tokens': { tokens: [token('API')] },
  'GET /api/user/sessions': { sessions: [session] },
  'GET /api/email-lists': [{ ...keyedList, name: LONG, domain: 'news.shop.example.com' }],
  'GET /api/email-lists/{list}': { ...list, members_count: 1 },
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'GET /api/email-lists/{list}/members': {
    data: [listMember],
    current_page: 1,
    last_page: 1,
    total: 1,
    found: null,
    previous_cursor: null,
    next_cursor: null,
    searched: null,
  },
  'GET /api/list-members/{listMember}': listMember,
  'GET /api/list-member-actions': [],
  'GET /api/automations-for-templates': [],
  'GET /api/automations': [welcome, { ...automation, id: 'a2' }],
  'GET /api/automations-for-assets': [],
  'GET /api/email-assets': {
    data: [{ ...assetRow, name: LONG, excerpt: LONG.repeat(3) }],
    current_page: 1,
    last_page: 1,
    total: 1,
    found: 1,
  },
  'GET /api/email-templates': [{ ...template, name: LONG, subject_line: LONG }],
  'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en' as const] },
};

const cellsOf = (name: string) => [
  ...document.querySelectorAll<HTMLElement>(`[aria-label="${name}"] tbody tr[tabindex] td`),
];
/** Of columns whose width is not that of a number, a date or a status. */
const textWidths = (name: string, headers: string[]) =>
  cellsOf(name)
    .filter(({ dataset }) => headers.includes(dataset.label ?? '') && !dataset.folded)
    .map(cell => Math.round(cell.getBoundingClientRect().width));

it.each([
  ['/email-lists', 'Email lists', ['Name', 'Domain']],
  ['/email-lists/l1', 'Members', ['Email', ...KEYS]],
  ['/automations', 'Automations', ['Name', 'Schedule']],
  ['/email-assets', 'Email assets', ['Name', 'Content']],
  ['/email-templates', 'Email templates', ['Template Name', 'Subject Line']],
  ['/list-members/m1', 'Metadata', ['Key', 'Value']],
  ['/profile', 'API Tokens', ['Name']],
])('on %s, no column of text is narrower than 160 pixels', async (path, name, headers) => {
  localStorage.setItem('membersColumns', JSON.stringify({ l1: KEYS }));
  open(path, answers);
  for (const width of [1440, 1366, 1280]) {
    await page.viewport(width, 900);
    await expect.poll(() => cellsOf(name).length).toBeGreaterThan(0);
    await expect
      .poll(() => Math.min(...textWidths(name, headers)), { message: `${width}` })
      .toBeGreaterThanOrEqual(160);
  }
});

it('as many chosen columns as there is room for are beside the address, the others below it', async () => {
  localStorage.setItem('membersColumns', JSON.stringify({ l1: KEYS }));
  open('/email-lists/l1', answers);
  const beside = () =>
    cellsOf('Members').filter(({ dataset }) => dataset.label?.startsWith('column') && !dataset.folded).length;
  await expect.poll(beside).toBe(3);
  await page.viewport(1280, 900);
  await expect.poll(beside).toBe(2);
  await page.viewport(1024, 900);
  await expect.poll(beside).toBe(0);
});

it('an automation is one line', async () => {
  open('/automations', answers);
  const row = () => document.querySelectorAll('tbody tr[tabindex]')[1];
  await expect.poll(() => Math.round(row()?.getBoundingClientRect().height ?? 0)).toBe(36);
});

it.each([
  ['/email-lists/l1', 'Search members'],
  ['/email-templates', 'Search by name or subject'],
  ['/email-assets', 'Search by name or content'],
])('the search and the filters of %s are in one line', async (path, search) => {
  open(path, answers);
  const field = page.getByLabelText(search);
  await expect.element(field).toBeVisible();
  await expect.poll(() => field.element().parentElement?.offsetHeight).toBeLessThanOrEqual(32);
});
