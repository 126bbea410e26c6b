import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { DOWN, press, REVALIDATED_AGAIN } from '../support/browser/page.ts';
import { newAsset, newAutomation, newTemplate } from '../support/content.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { invite, join } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor, allow } = sharedBrowser(stack.url);

const WIDTHS = [320, 390, 768, 1024, 1263, 1440, 2560];
const WORDS = 'Customers of the shop in the town by the river, who ordered before the spring';
const ONE_WORD = 'long'.repeat(25);
const KEYS = ['note', 'plan', ...Array.from({ length: 6 }, (_, index) => `${index}${ONE_WORD.slice(0, 60)}`)];
const LONG_PART = 'a.very.long.local.part.of.an.address.with.sixty.characters.xy';

let owner: Person;
let list: string;
let listMember: string;

/** What is as long as it may be, in every table. */
beforeAll(async () => {
  owner = await newMember(stack, 'owner');
  list = await newList(stack, owner, { name: WORDS });
  await newList(stack, owner, { name: ONE_WORD, domain: `${'sub-domain.'.repeat(8)}example.com` });
  await addMembers(stack, owner, list, [
    {
      email: `${LONG_PART}@${'domain-'.repeat(6)}1.example.com`,
      ...Object.fromEntries(KEYS.map(key => [key, key === 'note' ? WORDS.repeat(5) : ONE_WORD])),
    },
    ...people(60),
  ]);
  await newTemplate(stack, owner, { name: ONE_WORD, subject_line: WORDS.repeat(3), language_code: 'zh-TW' });
  const automation = await newAutomation(stack, owner, { name: ONE_WORD });
  await newAsset(stack, owner, { name: ONE_WORD, value: WORDS.repeat(3), automation_ids: [automation] });
  await newAsset(stack, owner, { type: 'cta_url', value: `https://example.com/${ONE_WORD}` });
  const guest = await newMember(stack, LONG_PART);
  await join(stack, owner, owner.home.id, guest);
  await invite(stack, owner, owner.home.id, `${LONG_PART}@${'domain-'.repeat(6)}2.example.com`);
  const body = { name: ONE_WORD.slice(0, 50), expiration: null };
  await stack.call('POST /api/tokens', { token: owner.token, body });
  const members = await stack.call('GET /api/email-lists/{list}/members', {
    token: owner.token,
    organization: owner.home.id,
    params: { list },
  });
  listMember = members.body.data[0].id;
});

const table = (page: Page, name: string) => page.getByRole('grid', { name });

/** The elements of tables whose content is wider than they are, or that are not within their table. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
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
    ),
  );

/** The headers, except of cards, that are not above their column. */
const misplaced = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter(({ clientWidth }) => clientWidth >= 600)
      .flatMap(sheet => [...sheet.querySelectorAll('th:not([data-folded])')])
      .filter(header => {
        const column = header.getAttribute('data-label');
        const cell = header.closest('table')?.querySelector(`td[data-label="${column}"]`);
        return cell && cell.getBoundingClientRect().left !== header.getBoundingClientRect().left;
      })
      .map(({ textContent }) => textContent),
  );

it.each([0, 3, 8])(
  'no table cuts anything off from 320 to 2560 pixels, with %i more columns',
  async count => {
    const membersColumns = JSON.stringify({ [list]: KEYS.slice(0, count) });
    const { context } = await visitor({ ...owner, stored: { membersColumns } });
    const page = await context.newPage();
    const pages = [[`/email-lists/${list}`, 'Members'], ...(count > 0 ? [] : others())];
    for (const [path = '', ...names] of pages) {
      await page.goto(path);
      for (const name of names) await table(page, name).locator('tbody tr[tabindex]').first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await cutOff(page), `${path}, ${width}`).toEqual([]);
        expect(await misplaced(page), `${path}, ${width}`).toEqual([]);
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(tooWide, `${path}, ${width}`).toBeLessThanOrEqual(0);
      }
      for (const name of names)
        expect((await table(page, name).boundingBox())?.width).toBeLessThanOrEqual(1280);
    }
  },
);

const others = () => [
  ['/email-lists', 'Email lists'],
  ['/email-templates', 'Email templates'],
  ['/email-assets', 'Email assets'],
  [`/list-members/${listMember}`, 'Metadata', 'Activity'],
  ['/access-control', 'Members', 'Pending invitations'],
  ['/profile', 'API Tokens', 'Active sessions'],
];

it('a second column moves below the first one where there is little room, and a row becomes a card', async () => {
  const page = await visit('/email-lists', owner);
  const row = table(page, 'Email lists').getByRole('row').filter({ hasText: WORDS });
  const boxes = async () => {
    const all = await row.getByRole('gridcell').all();
    return Promise.all(
      all.map(async cell => (await cell.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
    );
  };
  await row.waitFor();
  const columns = async () => new Set((await boxes()).map(({ x }) => x)).size;
  expect(await columns()).toBe(6);
  await page.setViewportSize({ width: 1024, height: 900 });
  await expect.poll(columns).toBe(5);
  const [name, domain] = await boxes();
  expect(domain?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  expect(domain?.x).toBe(name?.x);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(columns).toBe(2);
  const [title, ...lines] = await boxes();
  const menu = lines.pop();
  const tops = lines.map(({ y }) => y);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(new Set(tops).size).toBe(4);
  expect(menu?.y).toBe(title?.y);
  // As a card, too, it is a row with named columns, which sort it.
  expect(await row.getByRole('gridcell').allTextContents()).toEqual([
    WORDS,
    'example.com',
    'Not Set',
    '61',
    'Active',
    '',
  ]);
  expect(await table(page, 'Email lists').getByRole('columnheader').allTextContents()).toHaveLength(6);
  const names = () => table(page, 'Email lists').getByRole('link').allTextContents();
  expect(await names()).toEqual([WORDS, ONE_WORD]);
  await press(page, 'Name');
  await expect.poll(names).toEqual([ONE_WORD, WORDS]);
});

it('on touch, what one presses is 44 pixels high, and inputs do not make the page zoom', async () => {
  const page = await visit(`/email-lists/${list}`, { ...owner, width: 390 });
  const heightOf = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.height;
  const search = page.getByLabel('Search members');
  const size = page.getByLabel('Rows per page');
  await expect.poll(() => heightOf('Next page')).toBe(44);
  for (const field of [search, size]) {
    expect((await field.boundingBox())?.height).toBe(44);
    expect(await field.evaluate(element => getComputedStyle(element).fontSize)).toBe('16px');
  }
  await page.goto('/email-lists');
  await table(page, 'Email lists').getByRole('link').first().waitFor();
  expect(await heightOf(`Actions for ${WORDS}`)).toBe(44);
  expect(await heightOf('Name')).toBe(44);
});

it('the header of a long table stays in sight, and below dialogs; so does a row that gets the focus', async () => {
  const page = await visit(`/email-lists/${list}?per_page=100`, owner);
  const header = page.locator('thead');
  const isOnTop = () =>
    header.evaluate(element => {
      const { x, y } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + 20, y + 10));
    });
  for (const [width, top] of [
    [1440, 0],
    // Below the top bar.
    [700, 42],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await table(page, 'Members').getByRole('link').first().scrollIntoViewIfNeeded();
    await table(page, 'Members').getByRole('link').last().scrollIntoViewIfNeeded();
    await expect.poll(async () => (await header.boundingBox())?.y).toBe(top);
    expect(await isOnTop()).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await isOnTop()).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = table(page, 'Members').locator('tbody tr');
  await rows.nth(60).focus();
  for (let steps = 0; steps < 50; steps++) await page.keyboard.press('ArrowUp');
  const head = await header.boundingBox();
  const row = await rows.nth(10).boundingBox();
  expect(row?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
});

it.each([
  ['/access-control', 1440],
  ['/email-lists', 320],
])('on %s, %i pixels wide, a failed refresh moves nothing, and is tried again', async (path, width) => {
  allow(/502/);
  const page = await visit(path, { ...(await newMember(stack)), width }, ({ clock }) => clock.install());
  const places = () =>
    page
      .locator('main :is(h1, h2, p, td.primary)')
      .evaluateAll(all => all.map(element => element.getBoundingClientRect().top + scrollY));
  await page.getByText(/^(1 member|No email lists yet)$/).waitFor();
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(REVALIDATED_AGAIN);
  const before = await places();
  await page.route(/\/api\/(email-lists|organizations\/\d+\/members)/, route => route.fulfill(DOWN));
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to' });
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect.poll(() => alert.count()).toBe(1);
  expect(await places()).toEqual(before);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => alert.count()).toBe(0);
  expect(await places()).toEqual(before);
});
