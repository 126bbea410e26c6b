import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

/** The name of what has the focus: its label, else its text. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLBodyElement) return 'the body';
    if (activeElement instanceof HTMLInputElement && activeElement.labels?.[0])
      return activeElement.labels[0].textContent;
    const text = activeElement instanceof HTMLElement ? activeElement.innerText : undefined;
    return activeElement?.getAttribute('aria-label') ?? text;
  });
const focusMovesTo = (page: Page, name: unknown) => expect.poll(() => focus(page)).toEqual(name);

/** Like a click, but by keyboard. */
async function enter(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

it('the focus goes to the heading after going back, also to the page that was opened first', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const page = await visit('/email-lists', owner);
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await enter(page, 'Columns');
  await page.getByRole('dialog', { name: 'Columns' }).getByText('No metadata yet.').waitFor();
  await page.goBack();
  await focusMovesTo(page, 'Email Lists');
  await page.goto(`/email-lists/${list}`);
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  expect(await focus(page)).toBe('the body');
});
