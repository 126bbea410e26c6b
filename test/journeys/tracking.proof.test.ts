import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newShop } from '../support/answering.ts';
import { accessibilityFaults } from '../support/browser/axe.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/page.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

it('somebody opens an email, follows its link, unsubscribes by mistake, comes back, and leaves by one click', async () => {
  const address = await newShop();
  const mailing = await newMailing(stack, { content: { cta_url: address } });
  const { email, id } = await mailing.due();
  await stack.advance(3 * 60);
  const isSubscribed = async () => {
    const params = { listMember: id };
    return (await stack.call('GET /api/list-members/{listMember}', { ...mailing.as, params })).body
      .is_subscribed;
  };

  const page = await visit('/_local/inbox');
  await page.getByPlaceholder('Only mails to…').fill(email);
  await page.getByRole('link', { name: 'Welcome aboard' }).click();
  const mail = page.frameLocator('iframe');
  const follow = async (name: string) => {
    const opened = page.context().waitForEvent('page');
    await mail.getByRole('link', { name }).click();
    return opened;
  };
  const shopPage = await follow('Look around');
  await heading(shopPage, 'The shop');
  expect(shopPage.url()).toBe(address);
  const [row] = (await stack.call('GET /api/email-sends', mailing.as)).body.data;
  expect(row).toMatchObject({ recipient_email: email, is_opened: true, is_clicked: true });

  const unsubscribe = await follow('Unsubscribe');
  await heading(unsubscribe, 'Unsubscribe from The shop?');
  expect(await unsubscribe.content()).not.toMatch(/Letterflow|Readers/);
  expect(await unsubscribe.locator('header').innerText()).toBe('The shop\nhello@example.com');
  expect(await isSubscribed()).toBe(true);
  expect(await accessibilityFaults(unsubscribe)).toEqual([]);
  await unsubscribe.keyboard.press('Tab');
  await unsubscribe.keyboard.press('Enter');
  await heading(unsubscribe, 'You are unsubscribed');
  expect(await isSubscribed()).toBe(false);
  expect(await accessibilityFaults(unsubscribe)).toEqual([]);
  await press(unsubscribe, 'Subscribe again');
  await heading(unsubscribe, 'You are subscribed again');
  expect(await isSubscribed()).toBe(true);

  const [{ headers }] = (await stack.fetchJson('GET', `/_local/inbox?to=${email}`)).body.messages;
  const [, url = ''] = /^<(.*)>$/.exec(headers['List-Unsubscribe']) ?? [];
  const form = { [headers['List-Unsubscribe-Post'].split('=')[0]]: 'One-Click' };
  expect((await page.request.post(url, { form })).status()).toBe(200);
  expect(await isSubscribed()).toBe(false);
  await unsubscribe.goto(url);
  await heading(unsubscribe, 'You are unsubscribed');
});
