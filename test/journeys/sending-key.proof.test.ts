import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fact, press, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const KEY = 'key-0123456789abcdef';
const as = ({ token, home }: Person, list: string) => ({ token, organization: home.id, params: { list } });

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

it('a user sees the sending key, but leaves it to an admin or owner', async () => {
  const owner = await newMember(stack);
  const user = await newMember(stack);
  await join(stack, owner, owner.home.id, user);
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}/edit`, { ...user, organization: owner.home.id });
  await says(page, 'To set, replace or test the sending key, please contact an admin or owner.');
  expect(await page.getByRole('button', { name: /key|connection/ }).count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('Renamed by a user');
  await press(page, 'Save');
  await says(page, 'List saved.');
  const { body } = await stack.call('GET /api/email-lists/{list}', as(owner, list));
  expect(body.name).toBe('Renamed by a user');
});
