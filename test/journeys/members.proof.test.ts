import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import {
  answer,
  chosen,
  press,
  REVALIDATED_AGAIN,
  rowActionByKeyboard,
  says,
  stopClock,
  stored,
} from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { newMember } from '../support/member.ts';
import { invite, join, mailedInvitation, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const members = (page: Page) => page.getByRole('grid', { name: 'Members' });
const pending = (page: Page) => page.getByRole('grid', { name: 'Pending invitations' });

async function twoPeople(role: 'ADMIN' | 'USER' = 'USER') {
  const [owner, guest] = [await newMember(stack, 'olga'), await newMember(stack, 'gustav')];
  const organization = await newOrganization(stack, owner, 'Depot');
  await join(stack, owner, organization, guest, role);
  const hers = await visit('/access-control', { ...owner, organization });
  const his = await visit('/access-control', { ...guest, organization }, ({ clock }) => clock.install());
  return { owner, guest, organization, hers, his };
}

it('an owner invites somebody by their address', async () => {
  const owner = await newMember(stack);
  const organization = await newOrganization(stack, owner, 'Depot');
  const page = await visit('/access-control', { ...owner, organization });
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  const dialog = page.getByRole('dialog');
  await press(page, 'Send invitation');
  await dialog.getByText('Email is required').waitFor();
  const email = newAddress('gustav');
  await dialog.getByLabel('Email').fill(` ${email.toUpperCase()} `);
  const roles = dialog.getByLabel('Role').locator('option');
  expect(await roles.allTextContents()).toEqual(['Admin', 'User', 'Viewer']);
  await press(page, 'Send invitation');
  await says(page, `Invitation sent to ${email}.`);
  await expect.poll(() => pending(page).locator('tbody').textContent()).toContain(`${email}user`);
  expect(await mailedInvitation(stack, email)).not.toBe('');
});

it('an invited person signs in through the link, accepts the terms, and joins', async () => {
  const owner = await newMember(stack, 'olga');
  const organization = await newOrganization(stack, owner, 'Depot');
  const email = newAddress('gustav');
  await invite(stack, owner, organization, email);
  const link = await mailedInvitation(stack, email);
  const page = await visit(link, {}, ({ clock }) => clock.install());
  await page.getByRole('heading', { name: 'You have been invited' }).waitFor();
  await says(page, 'Depot');
  expect(await page.getByText(email).count()).toBe(0);
  const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
  expect(await signIn.getAttribute('href')).toBe(`/login?redirect=${link}`);
  await signIn.click();
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send Login Code');
  await page.getByLabel('Login code').waitFor();
  await page.getByLabel('Login code').fill(await stack.latestCode(email));
  await page.waitForURL(`**${link}`);
  await page.getByRole('button', { name: 'Read Terms' }).click();
  await page.getByRole('checkbox').check();
  await answer(page, 'Accept and Continue');
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  for (const text of ['Depot', 'olga', 'user', email]) {
    expect(await page.getByRole('definition').getByText(text, { exact: true }).count()).toBe(1);
  }
  await stopClock(page);
  await press(page, 'Accept');
  await page.getByText('You have joined Depot.').waitFor();
  await page.clock.runFor(2000);
  await page.waitForURL(`${stack.url()}/`);
  await page.clock.resume();
  await page.getByRole('link', { name: 'Manage' }).click();
  await expect.poll(() => members(page).locator('tbody tr').count()).toBe(2);
});

it('a user may only look; a new admin sees their rights when they come back to the tab', async () => {
  const { hers, his } = await twoPeople();
  await his.getByText('please contact an admin or owner').waitFor();
  expect(await his.getByRole('button', { name: 'Invite member' }).count()).toBe(0);
  await hers.getByText('No pending invitations').waitFor();
  await hers.getByLabel('Role of gustav').selectOption('Admin');
  await says(hers, 'gustav is now an admin.');
  expect(await hers.getByLabel('Role of olga').count()).toBe(0);
  await his.clock.runFor(REVALIDATED_AGAIN);
  await his.evaluate(() => dispatchEvent(new Event('focus')));
  await his.getByRole('button', { name: 'Invite member' }).first().waitFor();
  expect(await his.getByRole('button', { name: 'Delete organization' }).count()).toBe(0);
  expect(await his.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
});

it('a removed member sees it after their next request, and continues in their own organization', async () => {
  const { guest, organization, hers, his } = await twoPeople('ADMIN');
  await his.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await rowActionByKeyboard(hers, 'gustav', 'Remove');
  await answer(hers, 'Remove member');
  await says(hers, 'gustav was removed.');
  await expect.poll(() => members(hers).locator('tbody tr').count()).toBe(1);

  await press(his, 'Save');
  await says(his, "You no longer have access to Depot. You are now in gustav's organization.");
  await expect.poll(() => members(his).locator('tbody').textContent()).toContain(guest.email);
  expect(await his.getByText('Depot', { exact: true }).count()).toBe(0);
  expect((await stored(his)).activeOrganizationId).not.toBe(String(organization));
});

it('a removed member is switched to their own organization within a minute, on any page', async () => {
  const [owner, guest] = [await newMember(stack), await newMember(stack)];
  const organization = await newOrganization(stack, owner, 'Harbour depot');
  await join(stack, owner, organization, guest);
  const page = await visit('/profile', { ...guest, organization }, ({ clock }) => clock.install());
  await expect.poll(() => chosen(page)).toBe('Harbour depot');
  await stack.call('DELETE /api/organizations/{organization}/members/{member}', {
    token: owner.token,
    params: { organization: String(organization), member: guest.id },
  });
  await page.clock.runFor(60_000);
  await page.getByText('You no longer have access to Harbour depot.').waitFor();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await expect.poll(async () => (await stored(page)).activeOrganizationId).toBe(String(guest.home.id));
});
