import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const MOST = 25;

it('an onboarding of three emails takes at most 25 clicks and fields, from the list to active', async () => {
  const person = await newMember(stack);
  await newList(stack, person);
  const page = await visit('/automations', person);
  let done = 0;
  const click = (target: Locator) => target.click().then(() => done++);
  const press = (name: string) => click(page.getByRole('button', { name, exact: true }));
  const fill = (name: string, text: string) =>
    page
      .getByRole('textbox', { name, exact: true })
      .fill(text)
      .then(() => done++);
  await click(page.getByRole('link', { name: '+ New sequence' }));
  await fill('Name', 'Onboarding');
  await press('Create sequence');
  await press('Write email: When they are added');
  await fill('CTA Text', 'Begin');
  await fill('CTA URL', 'https://example.com/begin');
  for (const [subject, save] of [
    ['Welcome', 'Save and write the next'],
    ['Three things to try', 'Save and write the next'],
    ['How is it going?', 'Save'],
  ] as const) {
    await fill('Subject Line', subject);
    await fill('Pre-CTA Content', `Hello, this is about: ${subject}`);
    await press(save);
    await page.locator('ol').getByText(subject, { exact: true }).waitFor();
  }
  await press('Activate');
  await page.getByText('Onboarding is active.').waitFor();
  expect(done).toBeLessThanOrEqual(MOST);
});
