import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { focused, hold, runCommand } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { newList } from '../support/list.ts';
import { newcomer, newMember, type Person } from '../support/member.ts';
import { invite, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const listsOf = async ({ token, home }: Person) =>
  (await stack.call('GET /api/email-lists', { token, organization: home.id })).body;
const dialog = (page: Page) => page.getByRole('dialog');
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search pages and commands' });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Runs a command of the palette that leaves the page as it is. */
async function foldSidebar(page: Page) {
  await runCommand(page, 'collapse', 'Collapse');
  await dialog(page).waitFor({ state: 'detached' });
}

/** The calls other than GET that a page has made. */
function changesOf(page: Page): string[] {
  const changes: string[] = [];
  page.on('request', request => {
    if (request.method() !== 'GET') changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return changes;
}

describe('the command palette', () => {
  it('takes Enter for itself, and not for the button or the form that had the focus before', async () => {
    const owner = await newMember(stack);
    const list = await newList(stack, owner);
    const page = await visit(`/email-lists/${list}`, owner);
    const changes = changesOf(page);
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).focus();
    await foldSidebar(page);
    await expect.poll(() => focused(page)).toBe('Deactivate');
    await page.goto(`/email-lists/${list}/members/new`);
    await page.getByLabel('Email').fill('ada@example.com');
    await foldSidebar(page);
    await expect
      .poll(() => page.getByLabel('Email').evaluate(field => field === document.activeElement))
      .toBe(true);
    // The sidebar is folded after Enter: a call that Enter had caused would have been sent by now.
    expect(await page.getByRole('button', { name: 'Collapse sidebar' }).count()).toBe(1);
    expect(changes).toEqual([]);
    expect(await listsOf(owner)).toMatchObject([{ active: true, members_count: 0 }]);
  });

  it('opens over no dialog, not even over one that was opened while the palette was loading', async () => {
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
});

it('before the terms are accepted, no page calls what is refused, and Ctrl-K opens nothing', async () => {
  const refused: string[] = [];
  const page = await visit('/', await newcomer(stack), async prepared => {
    prepared.on('response', response => {
      if (response.status() >= 400) refused.push(response.url());
    });
  });
  for (const path of ['/', '/profile', '/email-lists', '/access-control']) {
    await page.goto(path);
    await dialog(page).getByRole('button', { name: 'Logout' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.waitForLoadState('networkidle');
    expect(await dialog(page).count(), path).toBe(1);
    expect(await page.getByRole('alert').count(), path).toBe(0);
    expect(refused, path).toEqual([]);
  }
});

it('Enter on a row follows the link in it, and does nothing where there is only a button', async () => {
  const owner = await newMember(stack);
  const guest = newAddress('guest');
  await invite(stack, owner, owner.home.id, guest);
  await newList(stack, owner);
  await stack.call('POST /api/tokens', {
    token: owner.token,
    body: { name: 'crm_import', expiration: null },
  });
  const page = await visit('/access-control', owner);
  const changes = changesOf(page);
  await rowOf(page, guest).focus();
  await page.keyboard.press('Enter');
  await page.goto('/profile');
  await rowOf(page, 'crm_import').focus();
  await page.keyboard.press('Enter');
  expect(await dialog(page).count()).toBe(0);
  await page.goto('/email-lists');
  await rowOf(page, 'Customers').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  expect(changes).toEqual([]);
});
