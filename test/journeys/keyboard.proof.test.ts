import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { hold } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const dialog = (page: Page) => page.getByRole('dialog');
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search pages and commands' });

it('the command palette opens over no dialog, not even over one that was opened while the palette was loading', async () => {
  const owner = await newMember(stack);
  const organization = await newOrganization(stack, owner, 'Depot');
  const page = await visit('/access-control', { ...owner, organization });
  const release = await hold(page, '**/command-palette*.js');
  const deletion = page.getByRole('button', { name: 'Delete organization' });
  const typed = page.getByRole('textbox', { name: 'Type “Depot” to confirm' });
  await deletion.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Enter');
  await typed.waitFor();
  const loaded = page.waitForResponse('**/command-palette*.js');
  release();
  await (await loaded).finished();
  expect(await dialog(page).count()).toBe(1);
  expect(await typed.evaluate(field => field === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+k');
  expect(await dialog(page).count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
});
