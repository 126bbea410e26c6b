import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { chosen, focused, press, says, switcher } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);
const PIECES = '/_local/pieces';

type Box = { x: number; y: number; width: number; height: number };

async function boxOf(target: Locator): Promise<Box> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The own organization, and others that only this page sees. */
async function withOrganizations(count: number): Promise<Page> {
  const { token, home } = await newMember(stack);
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    ...home,
    id: home.id + index + 1,
    name: `Depot ${index + 1}`,
    is_default: false,
  }));
  return visit('/profile', { token }, page =>
    page.route('**/api/organizations', route => route.fulfill({ json: [home, ...others] })),
  );
}

describe('the switcher', () => {
  it('is a menu that acts on a choice, not on each arrow key, and gives the focus back', async () => {
    const page = await withOrganizations(3);
    const before = await chosen(page);
    await switcher(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Depot 1' }).waitFor();
    await page
      .locator('[data-highlighted]')
      .getByText(before ?? '')
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-highlighted]').getByText('Depot 1').waitFor();
    expect(await chosen(page)).toBe(before);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await chosen(page)).toBe(before);
    await expect.poll(() => focused(page)).toContain(before);

    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Depot 1' }).waitFor();
    await page.keyboard.press('d');
    await page.locator('[data-highlighted]').getByText('Depot 1').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page)).toBe('Depot 1');
  });

  it('offers to create an organization, and to manage them', async () => {
    const page = await withOrganizations(2);
    await switcher(page).click();
    await page.getByRole('menuitem', { name: 'Create organization' }).click();
    await page.getByRole('dialog', { name: 'Create organization' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await switcher(page).click();
    await page.getByRole('menuitem', { name: 'Manage organizations' }).click();
    await page.waitForURL('**/access-control');
  });

  it('is a search from six organizations on', async () => {
    const page = await withOrganizations(6);
    await switcher(page).click();
    await page.getByRole('combobox', { name: 'Search your organizations' }).fill('depot 5');
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['DDepot 5']);
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page)).toBe('Depot 5');
  });
});

describe('toasts', () => {
  const toasts = (page: Page) => page.locator('[data-scope=toast][data-part=root][data-state=open]');

  it('are at most three, the newest ones', async () => {
    const page = await visit(PIECES);
    for (const tone of ['success', 'error', 'warning', 'info']) await press(page, `Toast: ${tone}`);
    await says(page, 'A toast: info.');
    await expect.poll(() => toasts(page).count()).toBe(3);
    expect(await page.getByText('A toast: success.').count()).toBe(0);
  });

  it('that are equal join, with one Undo for all of them', async () => {
    const page = await visit(PIECES);
    await press(page, 'Toast: info');
    await press(page, 'Toast: info');
    await says(page, 'A toast: info.');
    await press(page, 'Toast with Undo');
    await says(page, 'A toast: done.');
    await press(page, 'Toast with Undo');
    await says(page, '2 toasts: done.');
    await expect.poll(() => toasts(page).count()).toBe(2);
    await press(page, 'Undo all');
    await says(page, 'A toast: undone.');
    await expect.poll(() => page.getByText('toasts: done.').count()).toBe(0);
  });

  it.each([1440, 390])('cover no title, no search and no pager, %i px wide', async width => {
    const page = await visit('/email-lists/nothing', { ...(await newMember(stack)), width });
    await toasts(page).first().waitFor();
    await page.getByRole('heading', { name: 'Email Lists', level: 1 }).waitFor();
    const shown = await boxOf(toasts(page).first());
    const heading = await boxOf(page.getByRole('heading', { level: 1 }));
    expect(overlap(shown, heading)).toBe(false);
    const main = await boxOf(page.getByRole('main'));
    // On a wide screen over the sidebar, where no page has anything.
    if (width === 1440) expect(shown.x).toBeLessThan(main.x);
    else expect(shown.y + shown.height).toBeLessThanOrEqual(heading.y);
  });
});

describe('on a phone', () => {
  it('long entries of the palette and long titles keep their lines apart', async () => {
    const long = 'Depot_of_the_northern_post_district '.repeat(4).trim();
    const { token, home } = await newMember(stack);
    const organizations = [home, { ...home, id: home.id + 1, name: long, is_default: false }];
    const page = await visit('/', { token, width: 390 }, prepared =>
      prepared.route('**/api/organizations', route => route.fulfill({ json: organizations })),
    );
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const search = page.getByRole('dialog').getByRole('button', { name: 'Search' });
    expect(await search.getByText('Ctrl K').isVisible()).toBe(false);
    await search.tap();
    await page.getByRole('option', { name: `Switch to ${long}` }).waitFor();
    const options = await page.getByRole('option').all();
    const boxes = await Promise.all(options.map(boxOf));
    for (const [index, box] of boxes.entries()) {
      const next = boxes[index + 1];
      if (next) expect(box.y + box.height).toBeLessThanOrEqual(next.y + 0.5);
    }
    for (const option of options) {
      expect(await option.evaluate(item => item.scrollHeight <= item.clientHeight)).toBe(true);
    }
  });

  it('controls are 44 pixels high, inputs do not make it zoom, and no tooltip opens by itself', async () => {
    const page = await visit(PIECES, { width: 390 });
    expect((await boxOf(page.getByRole('button', { name: 'Primary' }))).height).toBe(44);
    const input = page.getByLabel('Name', { exact: true });
    expect((await boxOf(input)).height).toBe(44);
    expect(await input.evaluate(field => getComputedStyle(field).fontSize)).toBe('16px');
    await page.getByRole('button', { name: 'Has a tooltip' }).tap();
    await page.getByRole('button', { name: 'Has a tooltip' }).focus();
    expect(await page.getByRole('tooltip').count()).toBe(0);
  });
});

it('a button keeps its width while its action runs', async () => {
  const page = await visit(PIECES);
  const { width } = await boxOf(page.getByRole('button', { name: 'Becomes busy' }));
  await press(page, 'Becomes busy');
  expect((await boxOf(page.getByRole('button', { name: 'Saving...' }))).width).toBe(width);
});

it('the question about unsaved input moves nothing, and goes when one types on', async () => {
  const page = await visit('/profile?open=token', await newMember(stack));
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Token name');
  await name.fill('import');
  const before = await boxOf(dialog);
  const field = await boxOf(name);
  await page.keyboard.press('Escape');
  await dialog.getByText('What you entered has not been saved.').waitFor();
  expect(await boxOf(dialog)).toEqual(before);
  expect(await boxOf(name)).toEqual(field);
  await name.fill('import_2');
  expect(await dialog.getByText('What you entered has not been saved.').count()).toBe(0);
  await page.keyboard.press('Escape');
  await press(page, 'Discard');
  await dialog.waitFor({ state: 'detached' });
});
