import type { Page } from 'playwright-core';
import { addMembers, newList } from '../list.ts';
import { newMember } from '../member.ts';
import type { Stack } from '../stack.ts';
import type { sharedBrowser } from './browser.ts';

type Visit = ReturnType<typeof sharedBrowser>['visit'];

export const table = (page: Page) => page.getByRole('grid', { name: 'Members' });
export const names = async (page: Page) =>
  (await table(page).getByRole('link').allTextContents()).map(email => email.split('@')[0]);

export const member = (name: string, fields: object = {}) => ({ email: `${name}@example.com`, ...fields });

export async function listWith(
  stack: Stack,
  visit: Visit,
  members: { email: string; [field: string]: unknown }[],
  search = '',
) {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, members);
  const page = await visit(`/email-lists/${list}${search}`, owner);
  await table(page).getByRole('link').first().waitFor();
  const headers = { authorization: `Bearer ${owner.token}`, 'x-active-organization': `${owner.home.id}` };
  async function storedWith(status: string) {
    const path = `/api/email-lists/${list}/members?per_page=100&status=${status}`;
    const { body } = await stack.fetchJson('GET', path, { headers });
    return body.data.map(({ email }: { email: string }) => email.split('@')[0]);
  }
  return { owner, list, page, storedWith };
}
