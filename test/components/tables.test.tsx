import { mutate } from 'swr';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import {
  ada,
  assetRow,
  automation,
  colleague,
  invitation,
  list,
  member,
  profile,
  send,
  sendsPage,
  template,
  token,
} from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { dialog, field, focus, isGone, keys, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';
import { extent } from '../support/prove.ts';

const WORDS = 'Customers of the shop in the town by the river, who ordered before the spring';
const ONE_WORD = 'long'.repeat(25);
const ADDRESS = `a.very.long.local.part.of.an.address.with.sixty.characters.xy@${'domain-'.repeat(6)}1.example.com`;
const KEYS = ['note', 'plan', ...Array.from({ length: 6 }, (_, index) => `${index}${ONE_WORD.slice(0, 60)}`)];
const METADATA = KEYS.map(key => ({
  key,
  type: 'string' as const,
  value: key === 'note' ? WORDS.repeat(5) : ONE_WORD,
}));

const lists = [
  { ...list, id: 'l1', name: WORDS },
  { ...list, id: 'l2', name: ONE_WORD, domain: `${'sub-domain.'.repeat(8)}example.com` },
];
const long = { ...ada, email: ADDRESS, metadata: METADATA, email_list: { id: 'l1', name: WORDS } };
const automations = [{ id: 'a1', name: ONE_WORD }];
/** What is as long as it may be, in every table. */
const answers: Answers = {
  ...fakeMembers([long, ...people(2)]).answers,
  'GET /api/email-lists': lists,
  'GET /api/automations': [
    { ...automation, name: WORDS, stop_after_days: 90, delay_days: 14, every_x_days: 30 },
    { ...automation, id: 'a2' },
  ],
  'GET /api/email-templates': [
    { ...template, name: ONE_WORD, subject_line: WORDS.repeat(3), language_code: 'zh-TW' },
  ],
  'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['zh-TW'] },
  'GET /api/automations-for-templates': [],
  'GET /api/automations-for-assets': [],
  'GET /api/email-assets': {
    data: [
      { ...assetRow, name: ONE_WORD, excerpt: WORDS.repeat(3), automations },
      { ...assetRow, id: 'e2', type: 'cta_url', excerpt: `https://example.com/${ONE_WORD}` },
    ],
    current_page: 1,
    last_page: 1,
    total: 2,
    found: 2,
  },
  'GET /api/list-members/{listMember}': long,
  'GET /api/email-sends': sendsPage([]),
  'GET /api/list-member-actions': [
    {
      id: 'x1',
      type: 'click',
      created_at: ada.created_at,
      metadata: {},
      formatted_metadata: { url: `https://example.com/${ONE_WORD}`, subject: WORDS.repeat(3) },
    },
  ],
  'GET /api/organizations/{organization}/members': {
    members: [member, { ...colleague, name: ONE_WORD, email: ADDRESS }],
    next_cursor: null,
    pending_invitations: [{ ...invitation, email: ADDRESS }],
  },
  ...profile,
  'GET /api/tokens': { tokens: [token(ONE_WORD.slice(0, 50))] },
};

const table = (name: string) => page.getByRole('grid', { name });
const cellsOf = (row: Element) => [...row.querySelectorAll('td')].map(cell => cell.getBoundingClientRect());

/** The elements of tables whose content is wider than they are, or that are not within their table. */
const cutOff = () =>
  [...document.querySelectorAll('table')].flatMap(sheet =>
    [...sheet.querySelectorAll<HTMLElement>('th, td, td :not(option)')]
      .filter(element => {
        // In cards, a menu may replace the headers: their row is hidden.
        const { clipPath } = getComputedStyle(element.closest('thead') ?? element);
        if (clipPath !== 'none') return false;
        const { clipPath: own, display } = getComputedStyle(element);
        const { left, right, width } = element.getBoundingClientRect();
        const frame = sheet.getBoundingClientRect();
        const isWider = display !== 'inline' && element.scrollWidth > element.clientWidth;
        return width > 0 && own === 'none' && (isWider || left < frame.left || right > frame.right);
      })
      .map(({ tagName, textContent }) => `${sheet.ariaLabel}: ${tagName} ${textContent}`),
  );

/** Whether the value of a column is below that of the first one. */
const isFolded = (cell: Element) => getComputedStyle(cell).gridRowStart === 'auto';

/** The headers, except of cards, that are not above their column. */
const misplaced = () =>
  [...document.querySelectorAll('table')]
    .filter(({ clientWidth }) => clientWidth >= 600)
    .flatMap(sheet => [...sheet.querySelectorAll<HTMLElement>('th')])
    .filter(header => {
      const cell = header.closest('table')?.querySelector(`td[data-label="${header.dataset.label}"]`);
      return (
        cell && !isFolded(cell) && cell.getBoundingClientRect().left !== header.getBoundingClientRect().left
      );
    })
    .map(({ textContent }) => textContent);

const tooWide = () => Math.max(0, document.documentElement.scrollWidth - innerWidth);

/** Of columns that have no width of their own, the narrowest one. */
const narrowest = (headers: string[]) =>
  Math.min(
    ...[...document.querySelectorAll<HTMLElement>('tbody td')]
      .filter(cell => headers.includes(cell.dataset.label ?? '') && !isFolded(cell))
      .map(cell => Math.round(cell.getBoundingClientRect().width)),
  );

const PAGES: [path: string, tables: string[], headers: string[]][] = [
  ['/email-lists/l1', ['Members'], ['Email', ...KEYS]],
  ['/email-lists', ['Email lists'], ['Name', 'Domain']],
  ['/email-templates', ['Email templates'], ['Template Name', 'Subject Line']],
  ['/email-assets', ['Email assets'], ['Name', 'Content']],
  ['/list-members/m1', ['Metadata', 'Activity'], ['Key', 'Value']],
  ['/access-control', ['Members', 'Pending invitations'], ['Email']],
  ['/profile', ['API Tokens', 'Active sessions'], ['Name']],
];

it.each(extent(PAGES.slice(0, 2), PAGES))(
  'no table of %s cuts anything off, and no text has less than 160 pixels',
  async (path, names, headers) => {
    localStorage.setItem('membersColumns', JSON.stringify({ l1: KEYS }));
    open(path, answers);
    for (const name of names)
      await expect.element(table(name).getByRole('gridcell').first()).toBeInTheDocument();
    for (const width of [320, 1024, 1440]) {
      await page.viewport(width, 900);
      await expect
        .poll(() => [cutOff(), misplaced(), tooWide()], { message: `${width}` })
        .toEqual([[], [], 0]);
    }
    expect(narrowest(headers)).toBeGreaterThanOrEqual(160);
  },
);

it('the chosen columns of members for which there is room are beside the address, the others below it', async () => {
  localStorage.setItem('membersColumns', JSON.stringify({ l1: ['plan', 'note', 'born', 'city', 'code'] }));
  open('/email-lists/l1', answers);
  await shows(table('Members').getByRole('gridcell').first());
  const beside = () =>
    [...document.querySelectorAll('thead th')].filter(header => getComputedStyle(header).clipPath === 'none')
      .length;
  for (const [width, columns] of [
    [1440, 8],
    [1280, 7],
    [1024, 7],
    [788, 5],
  ] as const) {
    await page.viewport(width, 900);
    await expect.poll(beside, { message: `${width}` }).toBe(columns);
  }
});

it('an automation has at most two lines, and the search and the filters of a page one', async () => {
  open('/automations', answers);
  const row = () => document.querySelectorAll('tbody tr[tabindex]')[1];
  await expect.poll(() => Math.round(row()?.getBoundingClientRect().height ?? 0)).toBeGreaterThan(35);
  expect(row()?.getBoundingClientRect().height).toBeLessThanOrEqual(56);
  const search = page.getByRole('searchbox').element();
  expect(search.parentElement?.offsetHeight).toBeLessThanOrEqual(32);
  expect(narrowest(['Name', 'Schedule'])).toBeGreaterThanOrEqual(160);
});

it('a second column moves below the first one where there is little room, and a row becomes a card', async () => {
  open('/email-lists', answers);
  await shows(page.getByRole('link', { name: WORDS }));
  const row = () => document.querySelector('tbody tr') ?? document.body;
  const columns = () => new Set(cellsOf(row()).map(({ x }) => x)).size;
  await expect.poll(columns).toBe(6);
  await page.viewport(788, 900);
  await expect.poll(columns).toBe(5);
  const [name, domain] = cellsOf(row());
  expect(domain?.top).toBeGreaterThanOrEqual(name?.bottom ?? 0);
  expect(domain?.x).toBe(name?.x);

  await page.viewport(390, 844);
  await expect.poll(columns).toBe(4);
  const [title, ...lines] = cellsOf(row());
  const menu = lines.pop();
  const tops = lines.map(({ y }) => y);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(new Set(tops).size).toBe(2);
  expect(menu?.right).toBeGreaterThanOrEqual(title?.right ?? 0);
  // As a card, too, it is a row with named columns, which sort it.
  const cells = row().querySelectorAll('[role=gridcell]');
  expect([...cells].map(({ textContent }) => textContent)).toEqual([
    WORDS,
    'example.com',
    'Not Set',
    '0',
    'Active',
    '',
  ]);
  expect(table('Email lists').getByRole('columnheader').elements()).toHaveLength(6);
  const names = () => [...document.querySelectorAll('tbody a')].map(({ textContent }) => textContent);
  expect(names()).toEqual([WORDS, ONE_WORD]);
  await field('Sort by').selectOptions('Sort by Name, Z to A');
  await expect.poll(names).toEqual([ONE_WORD, WORDS]);
});

const header = () => document.querySelector('thead') ?? document.body;
const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];
const openLong = async (width: number) => {
  await page.viewport(width, 400);
  open('/email-lists/l1?per_page=25', { ...answers, ...fakeMembers(people(22)).answers });
  await expect.poll(() => rows().length).toBe(22);
};

proof('the header of a long table stays in sight, below the top bar and dialogs', async () => {
  const isOnTop = () => {
    const { x, y } = header().getBoundingClientRect();
    return header().contains(document.elementFromPoint(x + 20, y + 10));
  };
  await openLong(700);
  rows().at(-1)?.scrollIntoView();
  await expect.poll(() => header().getBoundingClientRect().y).toBe(42);
  expect(isOnTop()).toBe(true);
  await page.viewport(1440, 400);
  await expect.poll(() => header().getBoundingClientRect().y).toBe(0);
  await keys('{Control>}k{/Control}');
  await shows(dialog());
  expect(isOnTop()).toBe(false);
  await keys('{Escape}');
  await isGone(dialog());
});

proof('the header of a long table covers no row that gets the focus', async () => {
  await openLong(1440);
  rows().at(-1)?.focus();
  const covered: number[] = [];
  for (let row = 20; row > 6; row--) {
    await keys('{ArrowUp}');
    const top = rows()[row]?.getBoundingClientRect().y ?? 0;
    if (top < header().getBoundingClientRect().bottom) covered.push(row);
  }
  await expect.poll(() => rows().indexOf(document.activeElement as HTMLElement)).toBe(7);
  expect(covered).toEqual([]);
});

it('a failed refresh moves nothing, and is tried again', async () => {
  await page.viewport(320, 900);
  const { api } = open('/email-lists', { ...answers, 'GET /api/email-lists': [] });
  const places = () =>
    [...document.querySelectorAll('main :is(h1, h2, p, td.primary)')].map(
      element => element.getBoundingClientRect().top + scrollY,
    );
  await says('No email lists yet');
  const before = places();
  api.answer({ 'GET /api/email-lists': DOWN });
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to' });
  void mutate(() => true);
  await shows(alert);
  expect(places()).toEqual(before);
  api.answer({ 'GET /api/email-lists': [] });
  await alert.getByRole('button', { name: 'Try again' }).click();
  await isGone(alert);
  expect(places()).toEqual(before);
});

proof('no setting of a list, however long, makes its form wider than the window', async () => {
  const domain = `${`${'a'.repeat(60)}.`.repeat(3)}example.com`;
  const long = { ...list, name: 'W'.repeat(100), domain };
  open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': long, 'GET /api/email-lists': [long] });
  await says(new RegExp(`Sending keys of ${domain}`));
  for (const width of [320, 768, 1440]) {
    await page.viewport(width, 900);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

proof(
  'on a phone, the bar of the selected members does not hide the row that was selected, nor one that is reached by keyboard',
  async () => {
    await page.viewport(390, 844);
    open('/email-lists/l1', fakeMembers(people(12)).answers);
    await says('12 members');
    const row = (index: number) => document.querySelectorAll<HTMLElement>('tbody tr')[index];
    const bar = page.getByRole('region', { name: 'Selected members' });
    row(3)?.scrollIntoView({ block: 'end' });
    const box = row(3)?.querySelector('input');
    box?.focus({ preventScroll: true });
    box?.click();
    await shows(bar);
    const isFree = (index: number) =>
      (row(index)?.getBoundingClientRect().bottom ?? Number.NaN) <= bar.element().getBoundingClientRect().top;
    await expect.poll(() => isFree(3)).toBe(true);
    row(3)?.focus();
    for (const index of [4, 5, 6]) {
      await keys('{ArrowDown}');
      await expect.poll(() => isFree(index)).toBe(true);
    }
  },
);

proof('on a phone, a field that gets the focus is below the top bar, with its label', async () => {
  await page.viewport(390, 500);
  open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': list, 'GET /api/email-lists': [list] });
  const sender = field('Sender name');
  await shows(sender);
  const label = () => page.getByText('Sender name', { exact: true }).element().getBoundingClientRect();
  const bar = () => page.getByRole('banner').element().getBoundingClientRect().bottom;
  scrollBy(0, sender.element().getBoundingClientRect().top);
  expect(label().top).toBeLessThan(bar());
  await focus(sender);
  expect(label().top).toBeGreaterThanOrEqual(bar());
});

proof('toasts cover no title on a wide screen: they are in the corner at the end of the page', async () => {
  open('/email-lists/nothing', {
    'GET /api/email-lists/{list}': refusal(404, 'Not found'),
    'GET /api/email-lists/{list}/datetime-metadata-columns': refusal(404),
    'GET /api/email-lists/{list}/members': refusal(404),
    'GET /api/email-lists': [],
  });
  await shows(page.getByRole('heading', { name: 'Email Lists', level: 1 }));
  const toast = () => document.querySelector('[data-scope=toast][data-part=root][data-state=open]');
  await expect.poll(() => toast()?.getBoundingClientRect().top).toBeGreaterThan(450);
});

it.each([
  ['Sending log', '/sending-log', { 'GET /api/email-sends': sendsPage([send, { ...send, id: 's2' }]) }],
  ['Email lists', '/email-lists', { 'GET /api/email-lists': [list] }],
  ['Members', '/email-lists/l1', { ...fakeMembers(people(2)).answers, 'GET /api/email-lists': [list] }],
] as [string, string, Answers][])(
  'on a phone, a card of %s is at most 120 px high',
  async (name, path, more) => {
    await page.viewport(390, 844);
    open(path, { ...answers, ...more });
    const heights = () =>
      [...table(name).element().querySelectorAll('tbody tr:has(.primary)')].map(
        row => row.getBoundingClientRect().height,
      );
    await shows(table(name).getByRole('row').nth(1));
    await expect.poll(() => Math.max(...heights())).toBeLessThanOrEqual(120);
    expect(heights().length).toBeGreaterThan(0);
    expect(cutOff()).toEqual([]);
  },
);
