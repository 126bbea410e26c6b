import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { focused, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const button = (page: Page) => page.getByRole('button', { name: 'Actions for Customers' });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const highlighted = (page: Page) => page.locator('[role=menuitem][data-highlighted]');

/** As on a slow machine: what is left to the next frame comes later than the next key. */
const delayFrames = (page: Page) =>
  page.evaluate(() => {
    const nextFrame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = callback => window.setTimeout(() => nextFrame(callback), 200);
  });

async function lists() {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const page = await visit('/email-lists', owner);
  await button(page).waitFor();
  return { page, list };
}

it('a menu that is opened by keyboard begins with its first entry, and one opened by the pointer with none', async () => {
  const { page } = await lists();
  await delayFrames(page);
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await button(page).press(key);
    await expect.poll(() => highlighted(page).allInnerTexts()).toEqual(['Deactivate']);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => highlighted(page).allInnerTexts()).toEqual(['Edit']);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  await button(page).click();
  await item(page, 'Edit').waitFor();
  await expect
    .poll(() => page.getByRole('menu').evaluate(menu => menu === document.activeElement))
    .toBe(true);
  expect(await highlighted(page).count()).toBe(0);
});

it('Enter that is held down opens a menu and chooses nothing', async () => {
  const { page } = await lists();
  await button(page).focus();
  await page.keyboard.down('Enter');
  await expect.poll(() => highlighted(page).allInnerTexts()).toEqual(['Deactivate']);
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await highlighted(page).allInnerTexts()).toEqual(['Deactivate']);
  await page.keyboard.press('Enter');
  await says(page, 'Customers is inactive: nothing is sent to it.');
});

it('an entry that leads to a page is a link, which also opens in a new tab', async () => {
  const { page, list } = await lists();
  await button(page).click();
  const path = `/email-lists/${list}/edit`;
  expect(await item(page, 'Edit').getAttribute('href')).toBe(path);
  const opened = page.context().waitForEvent('page');
  await item(page, 'Edit').click({ modifiers: ['Control'] });
  await (await opened).waitForURL(`**${path}`);
  expect(new URL(page.url()).pathname).toBe('/email-lists');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });

  await button(page).press('Enter');
  await item(page, 'Edit').waitFor();
  // A single letter: how soon the next one must come is up to the menu.
  await page.keyboard.press('e');
  await expect.poll(() => highlighted(page).allInnerTexts()).toEqual(['Edit']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Edit Customers', level: 1 }).waitFor();
  await expect.poll(() => focused(page)).toBe('Edit Customers');
  await page.goBack();
  await button(page).click();
  await item(page, 'Edit').click();
  await page.getByRole('heading', { name: 'Edit Customers', level: 1 }).waitFor();
});
