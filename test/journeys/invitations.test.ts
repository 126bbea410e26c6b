import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, rowActionByKeyboard, says, stopClock } from '../support/browser/page.ts';
import { newMember, type Person } from '../support/member.ts';
import { invite, mailedInvitation, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

let owner: Person;
let depot: number;
beforeAll(async () => {
  owner = await newMember(stack, 'owner');
  depot = await newOrganization(stack, owner);
});

const inviteToDepot = (guest: Person, role?: 'ADMIN' | 'USER') =>
  invite(stack, owner, depot, guest.email, role);
const pathOf = (token: string) => `/invitations/accept/${token}`;
const isMember = async ({ token }: Person) =>
  (await stack.call('GET /api/organizations', { token })).body.some(({ id }: { id: number }) => id === depot);

const withClock = (page: Page) => page.clock.install();
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'invit' });
const ownersPage = () => visit('/access-control', { ...owner, organization: depot });

async function isHomeAfterTwoSeconds(page: Page) {
  await page.clock.runFor(2000);
  await page.waitForURL(`${stack.url()}/`);
}

async function isError(page: Page, message: string) {
  await page.getByRole('heading', { name: 'Invitation Error', level: 1 }).waitFor();
  await says(page, message);
  await page.getByRole('link', { name: 'Back to dashboard' }).waitFor();
}

describe('the banner', () => {
  it('shows one invitation, leads to it, and is gone once it is answered', async () => {
    const guest = await newMember(stack);
    const token = await inviteToDepot(guest, 'ADMIN');
    const page = await visit('/', guest, withClock);
    await says(page, 'You have been invited to join Depot as admin');
    await page.getByRole('link', { name: 'View invitation' }).click();
    await page.waitForURL(`**${pathOf(token)}`);
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    expect(await page.title()).toBe('Invitation - Letterflow');
    expect(await banner(page).count()).toBe(0);
    await stopClock(page);
    await press(page, 'Reject');
    await page.getByText('You have rejected the invitation to Depot.').waitFor();
    await isHomeAfterTwoSeconds(page);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await expect.poll(() => banner(page).count()).toBe(0);
    expect(await isMember(guest)).toBe(false);
  });

  it('counts several, and leads to the profile, which lists them', async () => {
    const guest = await newMember(stack);
    await inviteToDepot(guest);
    await invite(stack, owner, owner.home.id, guest.email, 'ADMIN');
    const page = await visit('/', guest, withClock);
    await says(page, 'You have 2 pending organization invitations');
    await page.getByRole('link', { name: 'View all invitations' }).click();
    await page.getByRole('heading', { name: 'Pending Organization Invitations', exact: true }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Depot' });
    expect(await entry.getByText('Invited as user', { exact: true }).count()).toBe(1);
    expect(await entry.getByText(/^Expires [A-Z][a-z]{2} \d{1,2}, \d{4}$/).count()).toBe(1);
    await entry.getByRole('link', { name: 'View' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await stopClock(page);
    await press(page, 'Accept');
    await page.getByText('You have joined Depot.').waitFor();
    await isHomeAfterTwoSeconds(page);
    expect(await isMember(guest)).toBe(true);
    await page.getByText("You have been invited to join owner's organization as admin").waitFor();
  });

  it('stays dismissed for the session, until there is another invitation', async () => {
    const guest = await newMember(stack);
    await inviteToDepot(guest);
    const page = await visit('/', guest);
    await press(page, 'Dismiss');
    await banner(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await banner(page).count()).toBe(0);
    await invite(stack, owner, owner.home.id, guest.email);
    await page.reload();
    await page.getByText("You have been invited to join owner's organization as user").waitFor();
    await press(page, 'Logout');
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('looks for new invitations every 5 minutes', async () => {
    const guest = await newMember(stack);
    const page = await visit('/', guest, withClock);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await inviteToDepot(guest);
    await page.clock.runFor(5 * 60_000);
    await page.getByText('You have been invited to join Depot as user').waitFor();
  });

  it('and the list on the profile are not there when nobody has invited', async () => {
    const page = await visit('/profile', await newMember(stack));
    await page.getByText('No API tokens created yet.').waitFor();
    expect(await page.getByText(/invit/i).count()).toBe(0);
  });
});

describe('the link of an invitation', () => {
  it('leads back to it when the session has ended meanwhile', async () => {
    const token = await inviteToDepot(await newMember(stack));
    const page = await visit(pathOf(token), { token: 'ended' });
    await page.waitForURL(`**/login?redirect=${pathOf(token)}`);
  });

  it('of one that was cancelled says so, also when it was open while that happened', async () => {
    const guest = await newMember(stack);
    await inviteToDepot(guest);
    const page = await visit(await mailedInvitation(stack, guest.email), guest);
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();

    const hers = await ownersPage();
    await rowActionByKeyboard(hers, guest.email, 'Cancel invitation');
    await answer(hers, 'Cancel invitation');
    await hers.getByText('Invitation cancelled.').waitFor();
    expect(await hers.getByText(guest.email).count()).toBe(0);

    await press(page, 'Accept');
    await isError(page, 'This invitation has been cancelled.');
    expect(await isMember(guest)).toBe(false);
  });

  it('ends when its address is invited again', async () => {
    const guest = await newMember(stack);
    await inviteToDepot(guest);
    const first = await mailedInvitation(stack, guest.email);
    const hers = await ownersPage();
    await rowActionByKeyboard(hers, guest.email, 'Invite again');
    await hers.getByText(`Invitation sent to ${guest.email} again.`).waitFor();
    const second = await mailedInvitation(stack, guest.email);
    expect(second).not.toBe(first);
    const page = await visit(first, guest);
    await isError(page, 'This invitation does not exist any more.');
    await page.goto(second);
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  });

  it('of one that was accepted or rejected says so', async () => {
    const guest = await newMember(stack);
    const token = await inviteToDepot(guest);
    await stack.call('POST /api/invitations/accept/{token}', { token: guest.token, params: { token } });
    const page = await visit(await mailedInvitation(stack, guest.email), guest);
    await isError(page, 'This invitation has already been accepted.');
  });
});
