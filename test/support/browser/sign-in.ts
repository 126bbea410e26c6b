import type { Page } from 'playwright-core';
import type { Stack } from '../stack.ts';
import { press } from './page.ts';

export async function sendCode(page: Page, email: string) {
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send Login Code');
}

/** Requests a code for an address; returns the one that is mailed. */
export async function askForCode(stack: Stack, page: Page, email: string): Promise<string> {
  await sendCode(page, email);
  await page.getByLabel('Login code').waitFor();
  return stack.latestCode(email);
}

export async function verify(page: Page, code: string) {
  await page.getByLabel('Login code').fill('');
  await page.getByLabel('Login code').fill(code);
}
