import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

// Where toasts are is decided when the app is loaded.
it('toasts cover no title on a phone: they are above it', async () => {
  const page = await visit('/email-lists/nothing', { ...(await newMember(stack)), width: 390 });
  const toast = page.locator('[data-scope=toast][data-part=root][data-state=open]').first();
  await toast.waitFor();
  const heading = page.getByRole('heading', { name: 'Email Lists', level: 1 });
  await heading.waitFor();
  const shown = await boxOf(toast);
  expect(shown.y + shown.height).toBeLessThanOrEqual((await boxOf(heading)).y);
});
