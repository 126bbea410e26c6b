import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newAsset, newAutomation, newTemplate } from '../content.ts';
import { newLog } from '../example-log.ts';
import { addMembers, newList } from '../list.ts';
import { newcomer, newMember } from '../member.ts';
import { invite, join, newOrganization } from '../organization.ts';
import { newReported } from '../reported.ts';
import type { Stack } from '../stack.ts';
import { newFailedDelivery, newWebhook } from '../webhooks.ts';
import { accessibilityFaults } from './axe.ts';
import { press, rowAction } from './page.ts';
import { forgetShifts } from './shifts.ts';

/** A state of a page to inspect, other than its initial one: with axe, in both themes and both widths. */
export type Look = {
  name: string;
  path: string | ((scene: Scene) => string);
  /** The user who sees it, by default the owner; null is a visitor without a session. */
  who?: keyof Scene['tokens'] | null;
  /** The state changes what is around the pages, and stays until the app is loaded again. */
  isAround?: true;
  until: (page: Page) => Promise<unknown>;
};

export type Scene = Awaited<ReturnType<typeof newScene>>;

export async function newScene(stack: Stack) {
  const [owner, colleague, invited] = await Promise.all(
    ['owner', 'colleague', 'invited'].map(name => newMember(stack, name)),
  );
  const newly = await newcomer(stack);
  if (!owner || !colleague || !invited) throw new Error('There is nobody to look');
  const organization = await newOrganization(stack, owner, 'Depot');
  await join(stack, owner, organization, colleague);
  const second = await newOrganization(stack, owner, 'Night post');
  for (const id of [organization, second]) await invite(stack, owner, id, invited.email);
  const body = { name: 'crm_import', expiration: null };
  await stack.call('POST /api/tokens', { token: invited.token, body });

  const there = { ...owner, home: { id: organization, name: 'Depot' } };
  const list = await newList(stack, there);
  await addMembers(stack, there, list, [{ email: 'ada@example.com', signed_up_at: '2026-03-01' }]);
  const members = await stack.call('GET /api/email-lists/{list}/members', {
    token: owner.token,
    organization,
    params: { list },
  });
  const automation = await newAutomation(stack, there, { lists: [list] });
  const template = await newTemplate(stack, there, { automation_ids: [automation] });
  await newLog(stack, { organization, list, automation, template, emails: ['ada@example.com'] });
  await newReported(stack, there, template);
  const webhook = await newWebhook(stack, there, list, { url: 'https://example.com/hooks' });
  const place = { organization, list, webhook: webhook.id };
  await newFailedDelivery(stack, { ...place, member: members.body.data[0].id });
  const sequence = await stack.call('POST /api/sequences', {
    token: owner.token,
    organization,
    body: { name: 'Onboarding', email_list_ids: [list], steps: [{ delay_days: 0 }, { delay_days: 3 }] },
  });
  const [written] = sequence.body.steps;
  await newTemplate(stack, there, { name: 'First step', automation_ids: [written.automation_id] });
  const broadcast = async (fields: object) => {
    const body = { email_list_ids: [list], email_template_ids: [template], ...fields };
    return (await stack.call('POST /api/broadcasts', { token: owner.token, organization, body })).body.id;
  };
  const asset = await newAsset(stack, there, { type: 'pre_cta_content', automation_ids: [automation] });
  return {
    organization,
    list,
    automation,
    sequence: sequence.body.id as string,
    draft: (await broadcast({ name: 'Spring sale' })) as string,
    template,
    asset,
    listMember: members.body.data[0].id as string,
    tokens: { newcomer: newly.token, owner: owner.token, colleague: colleague.token, invited: invited.token },
  };
}

/** Expects that nothing is wider than the window, and that axe finds no faults. If rules are given, only these are checked. */
export async function expectGoodLook(page: Page, rules?: string[]): Promise<void> {
  const seen = await page.evaluate(
    () => `${innerWidth} pixels, dark: ${matchMedia('(prefers-color-scheme: dark)').matches}`,
  );
  expect(await accessibilityFaults(page, rules), seen).toEqual([]);
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(tooWide, seen).toBeLessThanOrEqual(0);
}

/**
 * Navigates as the history of the browser would, without loading the app again. It goes by another page, so that no state of
 * the previous page is left.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const push = (to: string) =>
    page.evaluate(url => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
  await push('/nothing');
  await heading('Page not found')(page);
  await page.mouse.move(0, 0);
  await forgetShifts(page);
  await push(path);
}

export const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

export const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown).waitFor();

type Role = Parameters<Page['getByRole']>[0];
export const element = (role: Role, name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).waitFor();

export const pressed =
  (button: string, until: Look['until'] = page => page.getByRole('dialog').waitFor()) =>
  async (page: Page) => {
    await press(page, button);
    await until(page);
  };

export const chosen =
  (row: string, action: string, until: Look['until'] = page => page.getByRole('dialog').waitFor()) =>
  async (page: Page) => {
    await rowAction(page, row, action);
    await until(page);
  };
