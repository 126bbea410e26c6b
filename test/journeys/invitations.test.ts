import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

let owner: Person;
let depot: number;

beforeAll(async () => {
  owner = await newMember(stack, 'owner@example.com');
  depot = (await stack.call('POST /api/organizations', { token: owner.token, body: { name: 'Depot' } })).body
    .id;
});

async function invite(guest: Person, role = 'USER', organization = depot): Promise<string> {
  const { body } = await stack.call('POST /api/organizations/{organization}/members', {
    token: owner.token,
    params: { organization: String(organization) },
    body: { email: guest.email, role },
  });
  return body.token;
}

const answer = (guest: Person, as: 'accept' | 'reject', token: string) =>
  stack.call(`POST /api/invitations/${as}/{token}`, { token: guest.token, params: { token } });
const pathOf = (token: string) => `/invitations/accept/${token}`;
const isMember = async ({ token }: Person) =>
  (await stack.call('GET /api/organizations', { token })).body.some(({ id }: { id: number }) => id === depot);

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'invit' });
const isError = (page: Page, message: string) =>
  Promise.all([
    page.getByRole('heading', { name: 'Invitation Error', level: 1 }).waitFor(),
    page.getByText(message, { exact: true }).waitFor(),
    page.getByRole('link', { name: 'Back to dashboard' }).waitFor(),
  ]);

describe('the banner', () => {
  it('tells of one invitation, leads to it, and is gone once it is answered', async () => {
    const guest = await newMember(stack, 'one@example.com');
    const token = await invite(guest, 'ADMIN');
    const page = await visit('/', { token: guest.token });
    await page.getByText('You have been invited to join Depot as admin', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View invitation' }).click();
    await page.waitForURL(`**${pathOf(token)}`);
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    expect(await page.title()).toBe('Invitation - Letterflow');
    expect(await banner(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('You have rejected the invitation to Depot.').waitFor();
    await page.waitForURL(`${stack.url()}/`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await banner(page).count()).toBe(0);
    expect(await isMember(guest)).toBe(false);
  });

  it('counts several, and leads to the profile, which lists them', async () => {
    const guest = await newMember(stack, 'many@example.com');
    await invite(guest);
    await invite(guest, 'ADMIN', owner.home.id);
    const page = await visit('/', { token: guest.token });
    await page.getByText('You have 2 pending organization invitations', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View all invitations' }).click();
    await page.getByRole('heading', { name: 'Pending Organization Invitations', exact: true }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Depot' });
    expect(await entry.getByText('Invited as user', { exact: true }).count()).toBe(1);
    expect(await entry.getByText(/^Expires [A-Z][a-z]{2} \d{1,2}, \d{4}$/).count()).toBe(1);
    await entry.getByRole('link', { name: 'View' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('You have joined Depot.').waitFor();
    await page.waitForURL(`${stack.url()}/`);
    expect(await isMember(guest)).toBe(true);
    await page.getByText("You have been invited to join owner's organization as admin").waitFor();
  });

  it('stays dismissed for the session, until there is another invitation', async () => {
    const guest = await newMember(stack, 'dismiss@example.com');
    await invite(guest);
    const { open } = await visitor({ token: guest.token });
    const page = await open('/');
    await banner(page).getByRole('button', { name: 'Dismiss' }).click();
    await banner(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await banner(page).count()).toBe(0);
    await invite(guest, 'USER', owner.home.id);
    await page.reload();
    await page.getByText("You have been invited to join owner's organization as user").waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('looks for new invitations every 5 minutes', async () => {
    const guest = await newMember(stack, 'later@example.com');
    const { context } = await visitor({ token: guest.token });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await invite(guest);
    await page.clock.runFor(5 * 60_000);
    await page.getByText('You have been invited to join Depot as user').waitFor();
  });

  it('says nothing when it cannot know; the profile does', async () => {
    allow(/502/);
    const guest = await newMember(stack, 'unknown@example.com');
    await invite(guest);
    const { context } = await visitor({ token: guest.token });
    const page = await context.newPage();
    await page.route('**/api/user/invitations', route => route.fulfill({ status: 502, body: '' }));
    await page.goto('/profile');
    await page.getByText('Failed to load invitations', { exact: true }).waitFor();
    expect(await page.getByText('Failed to load notifications').count()).toBe(0);
    await page.unroute('**/api/user/invitations');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Invited as user').waitFor();
  });

  it('and the list on the profile are not there when nobody has invited', async () => {
    const guest = await newMember(stack, 'nobody@example.com');
    const page = await visit('/profile', { token: guest.token });
    await page.getByText('No API tokens created yet.').waitFor();
    expect(await page.getByText(/invit/i).count()).toBe(0);
  });
});

describe('the link of an invitation', () => {
  it('leads back to it when the session has ended meanwhile', async () => {
    const guest = await newMember(stack, 'ended@example.com');
    const token = await invite(guest);
    const page = await visit(pathOf(token), { token: 'ended' });
    await page.waitForURL(`**/login?redirect=${pathOf(token)}`);
  });

  it('opened with another address says whose it is', async () => {
    const guest = await newMember(stack, 'right@example.com');
    await invite(guest);
    const link = /\/invitations\/accept\/([\w-]+)/.exec((await stack.inbox(guest.email))[0]?.text ?? '');
    stack.mustNotBeLogged(link?.[1] ?? '');
    const page = await visit(link?.[0] ?? '', { token: owner.token });
    await isError(
      page,
      "This invitation was sent to right@example.com, but you're logged in as owner@example.com.",
    );
    await page.getByRole('link', { name: 'Back to dashboard' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  it('that leads to no invitation says so', async () => {
    const page = await visit(pathOf('nothing'), { token: owner.token });
    await isError(page, 'This invitation does not exist any more.');
  });

  it('of one that was cancelled says so, also when that happens under the eyes of its reader', async () => {
    const guest = await newMember(stack, 'cancelled@example.com');
    await invite(guest);
    const link = /\/invitations\/accept\/[\w-]+/.exec((await stack.inbox(guest.email))[0]?.text ?? '')?.[0];
    const page = await visit(link ?? '', { token: guest.token });
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();

    const hers = await visit('/access-control', {
      token: owner.token,
      stored: { activeOrganizationId: String(depot) },
    });
    await hers.getByRole('button', { name: 'Cancel the invitation of cancelled@example.com' }).focus();
    await hers.keyboard.press('Enter');
    await hers.getByRole('dialog').getByRole('button', { name: 'Cancel invitation' }).click();
    await hers.getByText('Invitation cancelled.').waitFor();
    expect(await hers.getByText('cancelled@example.com').count()).toBe(0);

    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await isError(page, 'This invitation has been cancelled.');
    expect(await isMember(guest)).toBe(false);
  });

  it('ends when its address is invited again', async () => {
    const guest = await newMember(stack, 'again@example.com');
    await invite(guest);
    const linkNow = async () =>
      /\/invitations\/accept\/[\w-]+/.exec((await stack.inbox(guest.email))[0]?.text ?? '')?.[0] ?? '';
    const first = await linkNow();
    const hers = await visit('/access-control', {
      token: owner.token,
      stored: { activeOrganizationId: String(depot) },
    });
    await hers.getByRole('button', { name: 'Invite again@example.com again' }).focus();
    await hers.keyboard.press('Enter');
    await hers.getByText('Invitation sent to again@example.com again.').waitFor();
    const second = await linkNow();
    expect(second).not.toBe(first);
    const page = await visit(first, { token: guest.token });
    await isError(page, 'This invitation does not exist any more.');
    await page.goto(second);
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  });

  it('of one that was accepted or rejected says so', async () => {
    const guest = await newMember(stack, 'used@example.com');
    await invite(guest);
    const link = /\/invitations\/accept\/([\w-]+)/.exec((await stack.inbox(guest.email))[0]?.text ?? '');
    await answer(guest, 'accept', link?.[1] ?? '');
    const page = await visit(link?.[0] ?? '', { token: guest.token });
    await isError(page, 'This invitation has already been accepted.');
  });

  it.each([
    ['Accept', 'Failed to accept invitation'],
    ['Reject', 'Failed to reject invitation'],
  ])('lets one try again when %s fails', async (button, message) => {
    allow(/502/);
    const guest = await newMember(stack, `retry.${button.toLowerCase()}@example.com`);
    const page = await visit(pathOf(await invite(guest)), { token: guest.token });
    await page.route('**/api/invitations/*/*', route =>
      route.request().method() === 'POST' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
    await page.unroute('**/api/invitations/*/*');
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(`${stack.url()}/`);
    expect(await isMember(guest)).toBe(button === 'Accept');
  });

  it('says when it cannot be looked up, and looks again', async () => {
    allow(/502/);
    const guest = await newMember(stack, 'lookup@example.com');
    const token = await invite(guest);
    const { context } = await visitor({ token: guest.token });
    const page = await context.newPage();
    await page.route('**/api/invitations/validate/*', route => route.fulfill({ status: 502, body: '' }));
    await page.goto(pathOf(token));
    await isError(page, 'Failed to load invitation details');
    await page.unroute('**/api/invitations/validate/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  });

  it('ends after 7 days', async () => {
    const guest = await newMember(stack, 'expired@example.com');
    await invite(guest);
    const link = /\/invitations\/accept\/[\w-]+/.exec((await stack.inbox(guest.email))[0]?.text ?? '')?.[0];
    await stack.advance(7 * 24 * 60 * 60 + 60, { outage: true });
    const page = await visit(link ?? '', { token: guest.token });
    await isError(page, 'This invitation has expired. Ask for a new one.');
  });
});
