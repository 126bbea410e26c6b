import { it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { says } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visitor } = sharedBrowser(stack.url);

it('where the storage is blocked, the login says why one cannot sign in', async () => {
  const { email } = await newMember(stack);
  const { context, open } = await visitor();
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('It is blocked.', 'SecurityError');
      },
    });
  });
  const page = await open('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Login Code' }).click();
  await page.route('**/api/login/verify', route => route.fulfill({ json: { token: 'any' } }));
  await page.getByLabel('Login code').fill('ABCDEF');
  await says(
    page,
    'This browser does not let Letterflow store anything, so you cannot be signed in. Allow it in its settings and try again.',
  );
});
