import { describe, expect, it } from 'vitest';
import { CODE_USED_UP, WRONG_CODE } from '#shared/login-code.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says, warns } from '../support/browser/page.ts';
import { askForCode, sendCode, verify } from '../support/browser/sign-in.ts';
import { newAddress } from '../support/client.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

describe('signing in', () => {
  it('says when a code was entered wrongly too often, and offers a new one at once', async () => {
    const page = await visit('/login');
    const email = newAddress();
    const first = await askForCode(stack, page, email);
    for (let i = 0; i < 5; i++) {
      const answered = page.waitForResponse('**/api/login/verify');
      await verify(page, 'AAAAAA');
      await answered;
      await warns(page, i < 4 ? WRONG_CODE : CODE_USED_UP);
    }
    await page.getByLabel('Login code').fill(first);
    expect(await page.getByRole('button', { name: 'Verify Code' }).isDisabled()).toBe(true);
    await press(page, 'Resend code');
    await says(page, 'Check your inbox: the newest code is the one that works.');
    expect(await page.getByText(CODE_USED_UP).count()).toBe(0);
    expect(await page.getByLabel('Login code').inputValue()).toBe('');
    await page.keyboard.type(await stack.latestCode(email));
    await page.waitForURL('**/profile');
  });

  it('goes back to another address', async () => {
    const [wrong, right] = [newAddress(), newAddress()];
    const page = await visit('/login');
    await askForCode(stack, page, wrong);
    await press(page, 'Use a different email');
    expect(await page.getByLabel('Email').inputValue()).toBe(wrong);
    await verify(page, await askForCode(stack, page, right));
    await page.getByText(right).waitFor();
  });

  it('mails another code after a wait', async () => {
    const email = newAddress();
    const page = await visit('/login', {}, ({ clock }) => clock.install());
    const first = await askForCode(stack, page, email);
    expect(await page.getByRole('button', { name: /^Resend code in/ }).isDisabled()).toBe(true);
    await page.clock.runFor(31_000);
    await press(page, 'Resend code');
    await page.getByText('Check your inbox: the newest code is the one that works.').waitFor();
    const second = await stack.latestCode(email);
    expect(second).not.toBe(first);
    await verify(page, second);
    await page.waitForURL('**/profile');
  });
});

describe('where signing in leads', () => {
  it('a signed-in user is redirected within the site', async () => {
    const page = await visit('/login?redirect=/profile', await newMember(stack));
    await page.waitForURL('**/profile');
  });
});

describe('when a code cannot be sent', () => {
  it('says that only whitelisted addresses are let in', async () => {
    const page = await visit('/login');
    await stack.admittingOnly([], async () => {
      await sendCode(page, 'stranger@elsewhere.test');
      await warns(
        page,
        'Alpha access only: Currently, only whitelisted addresses are allowed. Contact us to request alpha access.',
      );
      const contact = page.getByRole('link', { name: 'Contact us' });
      expect(await contact.getAttribute('href')).toMatch(/^mailto:access@localhost/);
    });
  });
});
