import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { putAll } from '../support/items.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

const found = async ({ token }: Person, name: string): Promise<number> =>
  (await stack.call('POST /api/organizations', { token, body: { name } })).body.id;

async function join(owner: Person, organization: number, guest: Person, role = 'USER') {
  const params = { organization: String(organization) };
  const invited = await stack.call('POST /api/organizations/{organization}/members', {
    token: owner.token,
    params,
    body: { email: guest.email, role },
  });
  await stack.call('POST /api/invitations/accept/{token}', {
    token: guest.token,
    params: { token: invited.body.token },
  });
}

const remove = (owner: Person, organization: number, member: Person) =>
  stack.call('DELETE /api/organizations/{organization}/members/{member}', {
    token: owner.token,
    params: { organization: String(organization), member: member.id },
  });

const inside = (id: number) => ({ activeOrganizationId: String(id) });
const switcher = (page: Page) => page.getByLabel('Active organization');
const chosen = (page: Page) => switcher(page).locator('option:checked').textContent();
const members = (page: Page) => page.getByRole('table', { name: 'Members' });
const pending = (page: Page) => page.getByRole('table', { name: 'Pending invitations' });

describe('two people', () => {
  it('meet: one invites, the other signs in through the link, is promoted, and removed', async () => {
    const owner = await newMember(stack, 'olga@example.com');
    const depot = await found(owner, 'Depot');
    const hers = await visit('/access-control', { token: owner.token, stored: inside(depot) });
    await hers.getByRole('button', { name: 'Invite member' }).first().click();
    const dialog = hers.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('Email is required').waitFor();
    await dialog.getByLabel('Email').fill(' Gustav@Example.com ');
    expect(await dialog.getByLabel('Role').locator('option').allTextContents()).toEqual(['Admin', 'User']);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await hers.getByText('Invitation sent to gustav@example.com.').waitFor();
    await expect.poll(() => pending(hers).locator('tbody').textContent()).toContain('gustav@example.comuser');

    const [mail] = await stack.inbox('gustav@example.com');
    const link = /\/invitations\/accept\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    stack.mustNotBeLogged(link.split('/').at(-1) ?? '');
    const his = await visit(link);
    await his.getByRole('heading', { name: 'You have been invited' }).waitFor();
    await his.getByText('Depot', { exact: true }).waitFor();
    expect(await his.getByText('gustav@example.com').count()).toBe(0);
    const signIn = his.getByRole('main').getByRole('link', { name: 'Sign in' });
    expect(await signIn.getAttribute('href')).toBe(`/login?redirect=${link}`);
    await signIn.click();
    await his.getByLabel('Email').fill('gustav@example.com');
    await his.getByRole('button', { name: 'Send Login Code' }).click();
    await his.getByLabel('Login code').waitFor();
    const code = /^[A-Z2-9]{6}$/m.exec((await stack.inbox('gustav@example.com'))[0]?.text ?? '')?.[0] ?? '';
    await his.getByLabel('Login code').fill(code);
    await his.getByRole('button', { name: 'Verify Code' }).click();
    await his.waitForURL(`**${link}`);
    await his.getByRole('button', { name: 'Read Terms' }).click();
    await his.getByRole('checkbox').check();
    await his.getByRole('button', { name: 'Accept and Continue' }).click();
    await his.getByRole('dialog').waitFor({ state: 'detached' });
    await his.getByRole('button', { name: 'Reject' }).waitFor();
    for (const text of ['Depot', 'olga', 'user', 'gustav@example.com']) {
      expect(await his.getByRole('definition').getByText(text, { exact: true }).count()).toBe(1);
    }
    await his.getByRole('button', { name: 'Accept', exact: true }).click();
    await his.getByText('You have joined Depot.').waitFor();
    await his.waitForURL(`${stack.url()}/`);

    await hers.reload();
    await expect.poll(() => members(hers).locator('tbody tr').count()).toBe(2);
    await hers.getByText('No pending invitations').waitFor();

    await switcher(his).selectOption('Depot');
    await his.getByRole('link', { name: 'Manage' }).click();
    await his.getByText('please contact an admin or owner').waitFor();
    expect(await his.getByRole('button', { name: 'Invite member' }).count()).toBe(0);

    const role = hers.getByLabel('Role of gustav');
    await role.selectOption('Admin');
    await hers.getByText('gustav is now an admin.').waitFor();
    expect(await hers.getByLabel('Role of olga').count()).toBe(0);
    await expect
      .poll(async () => {
        await his.evaluate(() => dispatchEvent(new Event('focus')));
        return his.getByRole('button', { name: 'Invite member' }).count();
      })
      .toBeGreaterThan(0);
    expect(await his.getByRole('button', { name: 'Delete organization' }).count()).toBe(0);
    expect(await his.getByRole('button', { name: /^Remove/ }).count()).toBe(0);

    await hers.getByRole('button', { name: 'Remove gustav' }).focus();
    await hers.keyboard.press('Enter');
    await hers.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await hers.getByText('gustav was removed.').waitFor();
    await expect.poll(() => members(hers).locator('tbody tr').count()).toBe(1);

    // His next call is refused, and that is how he learns of it.
    await his.getByRole('button', { name: 'Save', exact: true }).click();
    await his
      .getByText("You no longer have access to Depot. You are now in gustav's organization.")
      .waitFor();
    await expect.poll(() => members(his).locator('tbody').textContent()).toContain('gustav@example.com');
    expect(await his.getByText('Depot', { exact: true }).count()).toBe(0);
    expect(await his.evaluate(() => localStorage.getItem('activeOrganizationId'))).not.toBe(String(depot));
  });

  it('part: who was removed is brought elsewhere within a minute, wherever they are', async () => {
    const owner = await newMember(stack, 'otto@example.com');
    const guest = await newMember(stack, 'gina@example.com');
    const depot = await found(owner, 'Harbour depot');
    await join(owner, depot, guest);
    const { context } = await visitor({ token: guest.token, stored: inside(depot) });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto('/profile');
    await expect.poll(() => chosen(page)).toBe('Harbour depot');
    await remove(owner, depot, guest);
    await page.clock.runFor(60_000);
    await page.getByText('You no longer have access to Harbour depot.').waitFor();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('activeOrganizationId')))
      .toBe(String(guest.home.id));
  });
});

it('members beyond the first hundred are shown page by page, and the keyboard goes on with the first new one', async () => {
  const owner = await newMember(stack, 'many@example.com');
  const depot = await found(owner, 'Depot');
  const ids = Array.from({ length: 120 }, () => randomUUID());
  await putAll(
    stack,
    ids.flatMap(id => [
      { PK: `ORG#${depot}`, SK: `MEMBER#${id}`, user_id: id, role: 'USER' },
      { PK: `USER#${id}`, SK: 'PROFILE', id, name: 'Colleague', email: `${id}@example.com` },
    ]),
  );
  const page = await visit('/access-control', { token: owner.token, stored: inside(depot) });
  const rows = members(page).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByRole('button', { name: 'Show more members' }).press('Enter');
  await expect.poll(() => rows.count()).toBe(121);
  await expect.poll(() => rows.nth(100).evaluate(row => row === document.activeElement)).toBe(true);
  expect(await page.getByRole('button', { name: 'Show more members' }).count()).toBe(0);
});

it('a manager is told when the server does not answer, and nothing has changed', async () => {
  allow(/502/);
  const owner = await newMember(stack, 'manager@example.com');
  const depot = await found(owner, 'Depot');
  await join(owner, depot, await newMember(stack, 'colleague@example.com'));
  await stack.call('POST /api/organizations/{organization}/members', {
    token: owner.token,
    params: { organization: String(depot) },
    body: { email: 'guest@example.com', role: 'USER' },
  });
  const page = await visit('/access-control', { token: owner.token, stored: inside(depot) });
  await page.getByText('guest@example.com').waitFor();
  await page.route('**/api/organizations/*/{members,invitations}{,/*}', route =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 502, body: '' }),
  );
  const told = (message: string) => page.getByRole('alert').getByText(message, { exact: true }).waitFor();
  const dialog = page.getByRole('dialog');

  const role = page.getByLabel('Role of colleague');
  await role.selectOption('Admin');
  await told('Failed to update member role');
  await expect.poll(() => role.inputValue()).toBe('USER');
  await page.getByRole('button', { name: 'Remove colleague' }).click();
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await told('Failed to remove member');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the invitation of guest@example.com' }).click();
  await dialog.getByRole('button', { name: 'Cancel invitation' }).click();
  await told('Failed to cancel invitation');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Invite guest@example.com again' }).click();
  await told('Failed to send invitation');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await dialog.getByLabel('Email').fill('colleague@example.com');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await dialog.getByText('Failed to send invitation', { exact: true }).waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await told('This person is a member of the organization already.');
});
