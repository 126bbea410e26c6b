import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { newAsset, newAutomation, newTemplate } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const KEY = 'key-0123456789abcdef';

async function scene() {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  stack.mustNotBeLogged(KEY);
  await stack.call('PUT /api/email-lists/{list}/mailgun-key', {
    token: owner.token,
    organization: owner.home.id,
    params: { list },
    body: { mailgun_sending_key: KEY },
  });
  await addMembers(stack, owner, list, [{ email: 'ada@example.com', first_name: 'Ada' }]);
  const automation = await newAutomation(stack, owner, { name: 'welcome', lists: [list] });
  const automation_ids = [automation];
  const content = { subject_line: 'Hello {{first_name}}', preheader: 'Good to have you.' };
  await newTemplate(stack, owner, { ...content, automation_ids });
  const asset = await newAsset(stack, owner, { automation_ids });
  return { owner, path: `/email-assets/${asset}` };
}

async function openPreview(page: Page) {
  await press(page, 'Generate Email Preview for welcome');
  const dialog = page.getByRole('dialog', { name: 'Email Preview: welcome' });
  await dialog.waitFor();
  return dialog;
}

it('a preview shows an email as a member would get it, as HTML and as plain text', async () => {
  const { owner, path } = await scene();
  const page = await visit(path, owner);
  const dialog = await openPreview(page);
  await dialog.getByText('The shop', { exact: true }).waitFor();
  await dialog.getByText('<hello@example.com>').waitFor();
  await dialog.getByText('Hello Ada', { exact: true }).waitFor();
  await dialog.getByText('Good to have you.', { exact: true }).waitFor();
  const email = dialog.frameLocator('iframe[title="Email preview"]');
  await email.getByText('Hello Ada, this is number').waitFor();
  expect(await dialog.locator('iframe').getAttribute('sandbox')).toBe(
    'allow-popups allow-popups-to-escape-sandbox',
  );
  const sheet = email.locator('.sheet');
  const background = () => sheet.evaluate(element => getComputedStyle(element).backgroundColor);
  expect(await background()).toBe('rgb(255, 255, 255)');
  await press(page, 'Dark');
  await expect.poll(background).toBe('rgb(41, 37, 36)');
  await press(page, 'Phone');
  await expect.poll(async () => (await dialog.locator('iframe').boundingBox())?.width).toBe(390);
  await dialog.getByRole('tab', { name: 'Plain Text View' }).click();
  const text = await dialog.getByRole('region', { name: 'Plain text' }).textContent();
  expect(text?.split('\n').slice(0, 3)).toEqual(['Hello Ada', '', 'Good to have you.']);
});

it('a test email arrives as it was previewed, marked as a test, with links that are not tracked', async () => {
  const { owner, path } = await scene();
  const page = await visit(path, owner);
  const dialog = await openPreview(page);
  await dialog.getByText('Hello Ada', { exact: true }).waitFor();
  await press(page, 'Send test email to me');
  await says(page, `A test email was sent to ${owner.email}.`);
  const [message] = await stack.inbox(owner.email);
  expect(message).toMatchObject({ provider: 'mailgun', subject: '[Test] Hello Ada' });
  expect(message?.html).toContain('href="https://shop.example.com/start"');
  expect(message?.text).toContain('https://shop.example.com/start');
});

it('on a phone the preview is above the buttons of the form, behind a button', async () => {
  const owner = await newMember(stack);
  const page = await visit('/email-assets/new', { ...owner, width: 390 });
  await page.getByLabel('Content', { exact: true }).fill('Hello {{first_name}}');
  expect(await page.locator('iframe').count()).toBe(0);
  await press(page, 'Show preview');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Hello Ada').waitFor();
  await preview.getByLabel('first_name').press('Enter');
  await preview.getByText('Hello Ada').waitFor();
  expect(page.url()).toMatch(/new$/);
  const create = page.getByRole('button', { name: 'Create Email Asset', exact: true });
  const [above, below] = await Promise.all([preview.boundingBox(), create.boundingBox()]);
  expect(above?.y).toBeLessThan(below?.y ?? 0);
  const frame = await page.locator('iframe').boundingBox();
  expect(frame?.width).toBeLessThanOrEqual(390);
});
