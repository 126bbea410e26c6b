import { mutate } from 'swr';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Answers, DOWN } from '../support/components/api.ts';
import {
  ada,
  assetRow,
  colleague,
  invitation,
  list,
  member,
  profile,
  template,
  token,
} from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { dialog, isGone, keys, press } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const WIDTHS = [320, 390, 768, 1024, 1263, 1440, 2560];
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
  'GET /api/automations': [],
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
        const { clipPath, display } = getComputedStyle(element);
        const { left, right, width } = element.getBoundingClientRect();
        const frame = sheet.getBoundingClientRect();
        const isWider = display !== 'inline' && element.scrollWidth > element.clientWidth;
        return width > 0 && clipPath === 'none' && (isWider || left < frame.left || right > frame.right);
      })
      .map(({ tagName, textContent }) => `${sheet.ariaLabel}: ${tagName} ${textContent}`),
  );

/** The headers, except of cards, that are not above their column. */
const misplaced = () =>
  [...document.querySelectorAll('table')]
    .filter(({ clientWidth }) => clientWidth >= 600)
    .flatMap(sheet => [...sheet.querySelectorAll<HTMLElement>('th:not([data-folded])')])
    .filter(header => {
      const cell = header.closest('table')?.querySelector(`td[data-label="${header.dataset.label}"]`);
      return cell && cell.getBoundingClientRect().left !== header.getBoundingClientRect().left;
    })
    .map(({ textContent }) => textContent);

const tooWide = () => Math.max(0, document.documentElement.scrollWidth - innerWidth);

it.each([
  ['/email-lists/l1', 0, ['Members']],
  ['/email-lists/l1', 3, ['Members']],
  ['/email-lists/l1', 8, ['Members']],
  ['/email-lists', 0, ['Email lists']],
  ['/email-templates', 0, ['Email templates']],
  ['/email-assets', 0, ['Email assets']],
  ['/list-members/m1', 0, ['Metadata', 'Activity']],
  ['/access-control', 0, ['Members', 'Pending invitations']],
  ['/profile', 0, ['API Tokens', 'Active sessions']],
])(
  'on %s, with %i more columns, no table cuts anything off from 320 to 2560 pixels',
  async (path, count, names) => {
    localStorage.setItem('membersColumns', JSON.stringify({ l1: KEYS.slice(0, count) }));
    open(path, answers);
    for (const name of names)
      await expect.element(table(name).getByRole('gridcell').first()).toBeInTheDocument();
    for (const width of WIDTHS) {
      await page.viewport(width, 900);
      await expect
        .poll(() => [cutOff(), misplaced(), tooWide()], { message: `${width}` })
        .toEqual([[], [], 0]);
    }
    for (const name of names)
      expect(table(name).element().getBoundingClientRect().width).toBeLessThanOrEqual(1280);
  },
);

it('a second column moves below the first one where there is little room, and a row becomes a card', async () => {
  open('/email-lists', answers);
  await expect.element(page.getByRole('link', { name: WORDS })).toBeVisible();
  const row = () => document.querySelector('tbody tr') ?? document.body;
  const columns = () => new Set(cellsOf(row()).map(({ x }) => x)).size;
  await expect.poll(columns).toBe(6);
  await page.viewport(1024, 900);
  await expect.poll(columns).toBe(5);
  const [name, domain] = cellsOf(row());
  expect(domain?.top).toBeGreaterThanOrEqual(name?.bottom ?? 0);
  expect(domain?.x).toBe(name?.x);

  await page.viewport(390, 844);
  await expect.poll(columns).toBe(2);
  const [title, ...lines] = cellsOf(row());
  const menu = lines.pop();
  const tops = lines.map(({ y }) => y);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(new Set(tops).size).toBe(4);
  expect(menu?.y).toBe(title?.y);
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
  await press('Name');
  await expect.poll(names).toEqual([ONE_WORD, WORDS]);
});

describe('the header of a long table', () => {
  const header = () => document.querySelector('thead') ?? document.body;
  const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];
  const openLong = async () => {
    open('/email-lists/l1?per_page=100', { ...answers, ...fakeMembers(people(60)).answers });
    await expect.poll(() => rows().length).toBe(60);
  };

  it.each([
    [1440, 0],
    // Below the top bar.
    [700, 42],
  ])('stays in sight, and below dialogs, in a window of %i pixels', async (width, top) => {
    const isOnTop = () => {
      const { x, y } = header().getBoundingClientRect();
      return header().contains(document.elementFromPoint(x + 20, y + 10));
    };
    await page.viewport(width, 900);
    await openLong();
    rows().at(-1)?.scrollIntoView();
    await expect.poll(() => header().getBoundingClientRect().y).toBe(top);
    expect(isOnTop()).toBe(true);
    await keys('{Control>}k{/Control}');
    await expect.element(dialog()).toBeVisible();
    expect(isOnTop()).toBe(false);
    await keys('{Escape}');
    await isGone(dialog());
  });

  it('covers no row that gets the focus', async () => {
    await openLong();
    rows().at(-1)?.focus();
    const covered: number[] = [];
    for (let row = 58; row > 14; row--) {
      await keys('{ArrowUp}');
      const top = rows()[row]?.getBoundingClientRect().y ?? 0;
      if (top < header().getBoundingClientRect().bottom) covered.push(row);
    }
    await expect.poll(() => rows().indexOf(document.activeElement as HTMLElement)).toBe(15);
    expect(covered).toEqual([]);
  });
});

it.each([
  ['/access-control', 1440],
  ['/email-lists', 320],
])('on %s, %i pixels wide, a failed refresh moves nothing, and is tried again', async (path, width) => {
  await page.viewport(width, 900);
  const { api } = open(path, { ...answers, 'GET /api/email-lists': [] });
  const places = () =>
    [...document.querySelectorAll('main :is(h1, h2, p, td.primary)')].map(
      element => element.getBoundingClientRect().top + scrollY,
    );
  await expect.element(page.getByText(/^(2 members|No email lists yet)$/)).toBeVisible();
  const before = places();
  api.answer({ 'GET /api/email-lists': DOWN, 'GET /api/organizations/{organization}/members': DOWN });
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to' });
  void mutate(() => true);
  await expect.element(alert).toBeVisible();
  expect(places()).toEqual(before);
  api.answer({ ...answers, 'GET /api/email-lists': [] });
  await alert.getByRole('button', { name: 'Try again' }).click();
  await isGone(alert);
  expect(places()).toEqual(before);
});
