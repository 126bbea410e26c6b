import type { Page, Route } from 'playwright-core';

export const says = (page: Page, message: string) => page.getByText(message, { exact: true }).waitFor();

export const warns = (page: Page, message: string) =>
  page.getByRole('alert').getByText(message, { exact: true }).waitFor();

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export async function choose(page: Page, menu: string, action: string) {
  await press(page, menu);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
export const rowAction = (page: Page, row: string, action: string) =>
  choose(page, `Actions for ${row}`, action);

const highlighted = (page: Page, name: string) =>
  page.getByRole('menuitem', { name, exact: true }).and(page.locator('[data-highlighted]'));

export async function rowActionByKeyboard(page: Page, row: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  const actions = await page.getByRole('menuitem').allInnerTexts();
  for (const name of actions.slice(0, actions.indexOf(action))) {
    await highlighted(page, name).waitFor();
    await page.keyboard.press('ArrowDown');
  }
  await highlighted(page, action).waitFor();
  await page.keyboard.press('Enter');
}

/** Types into the command palette, and presses Enter once this option is the highlighted one. */
export async function runCommand(page: Page, typed: string, option: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search pages and commands' }).fill(typed);
  await page.getByRole('option', { name: option }).and(page.locator('[data-highlighted]')).waitFor();
  await page.keyboard.press('Enter');
}

export async function answer(page: Page, name: string) {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

export const switcher = (page: Page) => page.getByRole('button', { name: 'Active organization:' });
export const chosen = (page: Page) => switcher(page).locator('[title]').getAttribute('title');
export async function switchTo(page: Page, organization: string) {
  await switcher(page).click();
  await page.getByRole('menuitem', { name: organization, exact: true }).click();
}

export const query = (page: Page) => new URL(page.url()).search;
export const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element instanceof HTMLElement ? (element.ariaLabel ?? element.innerText) : '';
  });
export const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }));

export const DOWN = { status: 502, body: '' };

export const fail = (page: Page, calls: string | RegExp) => page.route(calls, route => route.fulfill(DOWN));

export async function hold(page: Page, calls: string, then = (route: Route) => route.continue()) {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route(calls, async route => {
    await held;
    await then(route);
  });
  return release;
}

/** Stops the clock of the page: timers run only with `page.clock.runFor`. The clock must be installed. */
export const stopClock = (page: Page) => page.clock.pauseAt(Date.now() + 1000);

/** This many milliseconds after a page was loaded, focusing its tab revalidates its data. */
export const REVALIDATED_AGAIN = 6_000;

export const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByRole('definition');
