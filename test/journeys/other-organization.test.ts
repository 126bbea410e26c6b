import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { chosen, hold, press, says, stored, switchTo } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor, allow } = sharedBrowser(stack.url);

const SWITCHED = 'Switched to Depot, which this list belongs to.';
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** Somebody whose second organization, Depot, has a list with a member. They are in their first one. */
async function ownerOfTwo() {
  const owner = await newMember(stack);
  const depot = await newOrganization(stack, owner, 'Depot');
  const there = { ...owner, home: { id: depot, name: 'Depot' } };
  const list = await newList(stack, there);
  await addMembers(stack, there, list, [{ email: 'ada@example.com' }]);
  const { body } = await stack.call('GET /api/email-lists/{list}/members', {
    token: owner.token,
    organization: depot,
    params: { list },
  });
  return { owner: { ...owner, organization: owner.home.id }, depot, list, member: body.data[0].id as string };
}

/** The organizations within which this is asked for, in order. */
function asked(page: Page, path: string): number[] {
  const organizations: number[] = [];
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (pathname === `/api${path}`) organizations.push(Number(request.headers()['x-active-organization']));
  });
  return organizations;
}

const remove = (owner: Person, organization: number, member: string) =>
  stack.call('DELETE /api/organizations/{organization}/members/{member}', {
    token: owner.token,
    params: { organization: String(organization), member },
  });

it('the address of a list of another organization of one’s own opens it there, again after a reload', async () => {
  const { owner, depot, list } = await ownerOfTwo();
  const page = await visit(`/email-lists/${list}?search=ada`, owner);
  await says(page, SWITCHED);
  await heading(page, 'Customers');
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  expect(await chosen(page)).toBe('Depot');
  expect((await stored(page)).activeOrganizationId).toBe(String(depot));
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/email-lists/${list}?search=ada`);
  await page.reload();
  await heading(page, 'Customers');
  expect(await page.getByText('Switched to').count()).toBe(0);
});

it('so does that of its form, of a new member, and of a member', async () => {
  const { owner, list, member } = await ownerOfTwo();
  const page = await visit('/profile', owner);
  for (const [path, title, noun] of [
    [`/email-lists/${list}/edit`, 'Edit Customers', 'list'],
    [`/email-lists/${list}/members/new`, 'Add member to Customers', 'list'],
    [`/list-members/${member}`, 'ada@example.com', 'list member'],
  ] as const) {
    await page.evaluate(id => localStorage.setItem('activeOrganizationId', String(id)), owner.home.id);
    await page.goto(path);
    await says(page, `Switched to Depot, which this ${noun} belongs to.`);
    await heading(page, title);
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

it('back and forth, each page is shown in its own organization; a switch by hand still leads to the lists', async () => {
  const { owner, list } = await ownerOfTwo();
  const here = await newList(stack, owner, { name: 'Readers' });
  const page = await visit(`/email-lists/${here}`, owner);
  await heading(page, 'Readers');
  await page.goto(`/email-lists/${list}`);
  await heading(page, 'Customers');
  await page.goBack();
  await heading(page, 'Readers');
  await expect.poll(() => chosen(page)).toBe(owner.home.name);
  await page.goForward();
  await heading(page, 'Customers');
  await expect.poll(() => chosen(page)).toBe('Depot');
  await switchTo(page, owner.home.name);
  await heading(page, 'Email Lists');
  expect(new URL(page.url()).pathname).toBe('/email-lists');
  await link(page, 'Readers').waitFor();
});

it('the other tabs stay in their organization', async () => {
  const { owner, list } = await ownerOfTwo();
  const here = await newList(stack, owner, { name: 'Readers' });
  const { open } = await visitor(owner);
  const first = await open(`/email-lists/${here}`);
  await heading(first, 'Readers');
  const second = await open(`/email-lists/${list}`);
  await heading(second, 'Customers');
  await first.bringToFront();
  await first.evaluate(() => dispatchEvent(new Event('focus')));
  expect(await chosen(first)).toBe(owner.home.name);
  await first.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email Lists' }).click();
  await link(first, 'Readers').waitFor();
});

it('with one organization, nothing more is asked', async () => {
  const foreign = await newList(stack, await newMember(stack));
  const reader = await newMember(stack);
  let within: number[] = [];
  const page = await visit(`/email-lists/${foreign}`, reader, async prepared => {
    within = asked(prepared, `/email-lists/${foreign}`);
  });
  await says(page, 'Email list not found');
  await says(page, 'No email lists yet');
  expect(within).toEqual([reader.home.id]);
});

it('what belongs to others is not found, after each organization of one’s own was asked once', async () => {
  const { owner, depot } = await ownerOfTwo();
  const foreign = await newList(stack, await newMember(stack));
  let within: number[] = [];
  const page = await visit(`/email-lists/${foreign}`, owner, async prepared => {
    within = asked(prepared, `/email-lists/${foreign}`);
  });
  await says(page, 'Email list not found');
  await says(page, 'No email lists yet');
  expect(within).toEqual([owner.home.id, depot]);
  expect(await chosen(page)).toBe(owner.home.name);
});

it('an organization that one was removed from has it no more', async () => {
  const { owner, depot, list } = await ownerOfTwo();
  const guest = await newMember(stack);
  await join(stack, owner, depot, guest);
  const page = await visit('/email-lists', { ...guest, organization: guest.home.id });
  await expect.poll(() => chosen(page)).toBe(guest.home.name);
  await remove(owner, depot, guest.id);
  // The organizations that the page knows are those before the removal.
  await page.route('**/api/organizations', route =>
    route.fulfill({ json: [guest.home, { ...guest.home, id: depot, name: 'Depot', is_default: false }] }),
  );
  await page.goto(`/email-lists/${list}`);
  await says(page, 'Email list not found');
  expect(await chosen(page)).toBe(guest.home.name);
});

it('while an organization does not answer, it is unknown where a list is; opened again, it is looked for again', async () => {
  allow(/502/);
  const { owner, depot, list } = await ownerOfTwo();
  const page = await visit('/email-lists', owner);
  await says(page, 'No email lists yet');
  const inDepot = (headers: Record<string, string>) => headers['x-active-organization'] === String(depot);
  await page.route(`**/api/email-lists/${list}`, route =>
    inDepot(route.request().headers()) ? route.fulfill({ status: 502, body: '' }) : route.continue(),
  );
  await page.goto(`/email-lists/${list}`);
  await says(page, 'Failed to fetch email list details');
  expect(await chosen(page)).toBe(owner.home.name);
  await page.unrouteAll();
  await press(page, 'Try again');
  await says(page, SWITCHED);
});

it('a list that was shown and is deleted is looked for nowhere else', async () => {
  const { owner, depot } = await ownerOfTwo();
  const list = await newList(stack, owner, { name: 'Readers' });
  const page = await visit(`/email-lists/${list}/edit`, owner);
  await page.getByLabel('Name', { exact: true }).fill('Gone');
  const within = asked(page, `/email-lists/${list}`);
  await stack.call('DELETE /api/email-lists/{list}', {
    token: owner.token,
    organization: owner.home.id,
    params: { list },
  });
  await press(page, 'Save');
  await says(page, 'Email list not found');
  await heading(page, 'Email Lists');
  expect(within).not.toContain(depot);
});

it('who goes on while the organizations are asked stays where they went', async () => {
  const { owner, list } = await ownerOfTwo();
  let release = () => {};
  const page = await visit(`/email-lists/${list}`, owner, async prepared => {
    release = await hold(prepared, `**/api/email-lists/${list}`);
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await heading(page, 'Profile');
  release();
  await page.getByText('This browser').waitFor();
  expect(await page.getByText('Switched to').count()).toBe(0);
  expect(await chosen(page)).toBe(owner.home.name);
  expect(new URL(page.url()).pathname).toBe('/profile');
});

it('nothing is typed into a form before its list is found, and what is typed elsewhere is kept', async () => {
  const { owner, depot, list } = await ownerOfTwo();
  let release = () => {};
  let within: number[] = [];
  const page = await visit(`/email-lists/${list}/members/new`, owner, async prepared => {
    within = asked(prepared, `/email-lists/${list}`);
    release = await hold(prepared, `**/api/email-lists/${list}`);
  });
  await expect.poll(() => within).toEqual([owner.home.id]);
  expect(await page.getByLabel('Email').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Create organization' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Half a na');
  release();
  await says(page, SWITCHED);
  expect(within).toEqual([owner.home.id, depot, depot]);
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Half a na');
  await page.getByLabel('Email').waitFor();
});
