import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { focused, press, query, says } from '../support/browser/page.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, lastingPage, allow } = sharedBrowser(stack.url);
const lasting = lastingPage().page;
const PIECES = '/_local/pieces';

async function pieces(search = ''): Promise<Page> {
  await lasting().goto(`${PIECES}${search}`);
  return lasting();
}

const rows = (page: Page) => page.getByRole('table', { name: 'Examples' }).locator('tbody tr');
const firstRow = async (page: Page) => (await rows(page).first().locator('td.primary').textContent()) ?? '';

describe('a data table', () => {
  it('keeps page, sort and search in the address', async () => {
    const page = await pieces();
    await expect.poll(() => firstRow(page)).toBe('Example 01');
    await press(page, 'Next page');
    await expect.poll(() => firstRow(page)).toBe('Example 06');
    expect(query(page)).toBe('?page=2');
    await press(page, 'Count');
    await expect.poll(() => query(page)).toBe('?sort=count&direction=desc');
    const order = () => page.getByRole('columnheader', { name: 'Count' }).getAttribute('aria-sort');
    await expect.poll(order).toBe('descending');
    await press(page, 'Count');
    await expect.poll(() => query(page)).toBe('?sort=count&direction=asc');
    await page.getByLabel('Search examples').fill('1');
    await expect.poll(() => query(page)).toBe('?sort=count&direction=asc&search=1');
    const found = await firstRow(page);
    await page.reload();
    await expect.poll(() => firstRow(page)).toBe(found);
    expect(await page.getByLabel('Search examples').inputValue()).toBe('1');
  });

  it('goes back through its pages with the browser', async () => {
    const page = await pieces('?page=2');
    await expect.poll(() => firstRow(page)).toBe('Example 06');
    await press(page, 'Last page');
    await expect.poll(() => firstRow(page)).toBe('Example 21');
    await page.goBack();
    await expect.poll(() => firstRow(page)).toBe('Example 06');
  });

  it('is walked with the arrow keys, and from a row Tab leads to its menu', async () => {
    const page = await pieces();
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toContain('Example 02');
    await page.keyboard.press('End');
    expect(await focused(page)).toContain('Example 05');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect(await focused(page)).toContain('Example 01');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'Actions for Example 01' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toContain('Example 01');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Actions for Example 01' }).waitFor();
  });

  it('has rows of 36 and a header of 32 pixels, also while loading', async () => {
    const page = await pieces();
    const heights = () =>
      rows(page).evaluateAll(all => all.map(row => Math.round(row.getBoundingClientRect().height)));
    await expect.poll(heights).toEqual(Array(5).fill(36));
    const head = page.getByRole('table', { name: 'Examples' }).locator('thead tr');
    expect((await head.boundingBox())?.height).toBe(32);
    await press(page, 'loading');
    await expect.poll(heights).toEqual(Array(5).fill(36));
  });

  it('says why there is nothing and offers a way on, and offers a retry after a failure', async () => {
    const page = await pieces('?search=zzz');
    await says(page, 'No example matches your search');
    await press(page, 'Clear search');
    await expect.poll(() => firstRow(page)).toBe('Example 01');
    await press(page, 'failed');
    await page.getByText('Letterflow is taking too long to answer.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await expect.poll(() => firstRow(page)).toBe('Example 01');
  });
});

describe('a form', () => {
  it('checks by the contract before it sends', async () => {
    const page = await pieces();
    await press(page, 'Save');
    await says(page, 'Name is required');
    await page.getByLabel('Name', { exact: true }).fill('a b');
    await says(page, 'Name can only contain letters, numbers, and underscores');
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  });

  it('shows what the server refuses at its field, or for the form', async () => {
    const page = await pieces();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('taken');
    await press(page, 'Save');
    await says(page, 'An example with this name already exists');
    expect(await name.evaluate(field => field === document.activeElement)).toBe(true);
    await name.fill('broken');
    await press(page, 'Save');
    await says(page, 'Something went wrong on our side. Please try again.');
    await name.fill('fine');
    await press(page, 'Save');
    await says(page, 'Saved.');
    expect(await page.getByText('Something went wrong on our side.').count()).toBe(0);
  });

  it('asks before it is left with unsaved changes, and not once they are saved', async () => {
    const page = await pieces();
    const leave = page.getByRole('link', { name: 'Leave this page' });
    await page.getByLabel('Note').fill('Something');
    await leave.click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    // Until it is gone the page takes no input.
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note').inputValue()).toBe('Something');
    await page.getByLabel('Name', { exact: true }).fill('fine');
    await press(page, 'Save');
    await says(page, 'Saved.');
    await leave.click();
    await page.waitForURL('**/_local/elsewhere');
  });

  it('is left without saving when that is confirmed', async () => {
    const page = await pieces();
    await page.getByLabel('Note').fill('Something');
    await page.getByRole('link', { name: 'Leave this page' }).click();
    await press(page, 'Leave');
    await page.waitForURL('**/_local/elsewhere');
  });
});

describe('dialogs', () => {
  it('close with Escape, and give the focus back', async () => {
    const page = await pieces();
    const opener = page.getByRole('button', { name: 'Open a dialog' });
    await opener.click();
    await page.getByRole('dialog', { name: 'A dialog' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate(button => button === document.activeElement)).toBe(true);
  });

  it('close with a click beside them, and not with one inside', async () => {
    const page = await pieces();
    await press(page, 'Open a dialog');
    const dialog = page.getByRole('dialog', { name: 'A dialog' });
    await dialog.click({ position: { x: 20, y: 20 } });
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
  });

  it('that ask before deleting begin at the harmless answer', async () => {
    const page = await pieces();
    await press(page, 'Delete something');
    await page.getByRole('dialog', { name: 'Delete “Example 01”?' }).waitFor();
    expect(await focused(page)).toBe('Cancel');
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    await says(page, 'Deleted.');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('stay open with the reason when it did not work', async () => {
    const page = await pieces();
    await press(page, 'Delete and fail');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Example 02 is still in use.').waitFor();
  });
});

describe('small pieces', () => {
  it('a toast goes after 3000 ms, and not while it is pointed at', async () => {
    // What Playwright does for a clock, in the frame of the hostile email too.
    allow(/^Blocked script execution in 'about:srcdoc'/);
    const page = await visit(PIECES, {}, ({ clock }) => clock.install({ time: '2026-01-01T12:00:00Z' }));
    await page.clock.pauseAt('2026-01-01T13:00:00Z');
    const one = page.getByText('A toast: info.');
    await press(page, 'Toast: info');
    await one.waitFor();
    await page.clock.runFor(2990);
    expect(await one.isVisible()).toBe(true);
    // Beside the 3000 ms the time in which it fades.
    await page.clock.runFor(300);
    await expect.poll(() => one.count()).toBe(0);
    await press(page, 'Toast: info');
    await one.hover();
    await page.clock.runFor(10_000);
    expect(await one.isVisible()).toBe(true);
  });

  it('a tooltip shows on focus, describes its button, and goes with Escape', async () => {
    const page = await pieces();
    const target = page.getByRole('button', { name: 'Has a tooltip' });
    await page.getByRole('button', { name: 'Copy' }).focus();
    await page.keyboard.press('Tab');
    const tip = page.getByRole('tooltip');
    await tip.waitFor();
    // The attribute is set after the tooltip has been painted.
    const id = await tip.getAttribute('id');
    await expect.poll(() => target.getAttribute('aria-describedby')).toBe(id);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
  });

  it('a copy button copies and says so', async () => {
    const page = await pieces();
    await press(page, 'Copy');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('A text to copy');
  });

  it('a busy button keeps the focus', async () => {
    const page = await pieces();
    await press(page, 'Becomes busy');
    const busy = page.getByRole('button', { name: 'Saving...' });
    expect(await busy.getAttribute('aria-disabled')).toBe('true');
    expect(await focused(page)).toBe('Saving...');
  });
});
