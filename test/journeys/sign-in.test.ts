import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, stored, warns } from '../support/browser/page.ts';
import { askForCode, verify } from '../support/browser/sign-in.ts';
import { newAddress } from '../support/client.ts';
import { proof } from '../support/proof.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

describe('signing in', () => {
  it('takes an address and the code from the mail, and leads to the profile', async () => {
    const page = await visit('/login');
    expect(await page.title()).toBe('Sign in - Letterflow');
    const description = page.locator('meta[name=description]');
    expect(await description.getAttribute('content')).toContain('Sign in to Letterflow with a code');
    for (const text of ['Alpha', 'Sign in to your account', 'Limited access during alpha testing phase']) {
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
    }
    const email = newAddress();
    const code = await askForCode(stack, page, email);
    expect(await page.getByLabel('Login code').getAttribute('placeholder')).toBe('Enter 6-digit code');
    await verify(page, code.toLowerCase());
    await page.waitForURL('**/profile');
    await page.getByRole('button', { name: 'Read Terms' }).click();
    await page.getByRole('checkbox').check();
    await answer(page, 'Accept and Continue');
    await page.getByText(email).waitFor();
    expect(await page.title()).toBe('Profile - Letterflow');
  });

  proof('says when a code is wrong, and takes the right one after it', async () => {
    const page = await visit('/login');
    const code = await askForCode(stack, page, newAddress());
    const place = () => page.getByRole('button', { name: 'Verify Code' }).boundingBox();
    const before = await place();
    await verify(page, 'AAAAAA');
    await warns(page, 'Invalid code. Please try again.');
    expect(await place()).toEqual(before);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('code');
    await verify(page, code);
    await page.waitForURL('**/profile');
  });
});

proof('a token that is no longer good leads back to sign in, and is forgotten', async () => {
  const kept = { sidebarCollapsed: 'true' };
  const page = await visit('/', { token: 'expired', organization: 1, stored: kept });
  await page.waitForURL('**/login#expired');
  await page.getByText('Your session has ended.').waitFor();
  expect(await stored(page)).toEqual(kept);
});

proof('pages of the app lead a visitor to sign in, and then back to them', async () => {
  const page = await visit('/email-lists?q=spring');
  await page.waitForURL('**/login?redirect=/email-lists%3Fq%3Dspring');
  await verify(page, await askForCode(stack, page, newAddress()));
  await page.waitForURL('**/email-lists?q=spring');
});
