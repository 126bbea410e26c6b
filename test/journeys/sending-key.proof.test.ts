import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fact, press, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const KEY = 'key-0123456789abcdef';

it('a sending key is set, tested and replaced, and never shown', async () => {
  stack.mustNotBeLogged(KEY);
  const owner = await newMember(stack);
  const page = await visit(`/email-lists/${await newList(stack, owner)}/edit`, owner);
  const key = page.getByLabel('Sending key', { exact: true });
  await press(page, 'Save key');
  await says(page, 'Sending key is required');
  await key.fill('wrong');
  expect(await key.getAttribute('type')).toBe('password');
  await press(page, 'Show sending key');
  expect(await key.getAttribute('type')).toBe('text');
  await page.getByLabel('Region').selectOption('EU');
  await press(page, 'Save key');
  await says(page, 'Invalid');

  await press(page, 'Replace key');
  expect(await key.inputValue()).toBe('');
  await key.fill(KEY);
  await page.getByLabel('Webhook signing key (optional)', { exact: true }).fill(KEY);
  await press(page, 'Save key');
  await says(page, 'Valid');
  expect(await fact(page, 'Last tested').textContent()).not.toBe('Never');
  expect(await fact(page, 'Region').textContent()).toBe('EU');
  expect(await page.content()).not.toContain(KEY);
  await press(page, 'Remove webhook signing key');
  await answer(page, 'Remove webhook signing key');
  await expect.poll(() => fact(page, 'Webhook signing key').textContent()).toBe('Not Set');
  await says(page, 'Valid');
});
