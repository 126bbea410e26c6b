import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { SUPPRESSED } from '../../shared/list-member.ts';
import { freshBrowser } from '../support/browser.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

const membersOf = async ({ token, home }: Person, list: string, query = '') =>
  (
    await stack.fetchJson('GET', `/api/email-lists/${list}/members${query}`, {
      headers: { authorization: `Bearer ${token}`, 'x-active-organization': String(home.id) },
    })
  ).body;
const memberOf = async ({ token, home }: Person, member: string) =>
  (
    await stack.call('GET /api/list-members/{listMember}', {
      token,
      organization: home.id,
      params: { listMember: member },
    })
  ).body;
const addresses = (page: Page) =>
  page.getByRole('table', { name: 'Members' }).locator('tbody tr td:first-child').allTextContents();
const told = (page: Page, message: string) => page.getByText(message, { exact: true }).waitFor();
const query = (page: Page) => new URL(page.url()).search;
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

it('members are added one after another, with what is known of them', async () => {
  const owner = await newMember(stack, 'members@example.com');
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}`, { token: owner.token });
  await page.getByRole('link', { name: 'Add a member' }).click();
  await page.getByRole('heading', { name: 'Add member to Customers', level: 1 }).waitFor();

  await press(page, 'Add member');
  await told(page, 'Email is required');
  await page.getByLabel('Email').fill('not an address');
  await told(page, 'Enter a valid email address');
  await page.getByLabel('Email').fill(' Ada@Example.com ');
  await press(page, 'Add metadata');
  await press(page, 'Remove row 1');
  expect(await focused(page)).toBe('Add metadata');
  await press(page, 'Add metadata');
  await page.getByLabel('Key').fill('plan');
  await page.getByLabel('Value').fill('007');
  await told(page, 'Text');
  await press(page, 'Add metadata');
  await page.getByLabel('Key').nth(1).fill('plan');
  await page.getByLabel('Value').nth(1).fill('2026-02-30');
  await press(page, 'Add and continue');
  await told(page, 'This key is there already');
  await page.getByLabel('Key').nth(1).fill('signed_up');
  await press(page, 'Add and continue');
  await told(page, 'This date does not exist');
  await page.getByLabel('Value').nth(1).fill('2026-02-28T09:30:00Z');
  await told(page, 'Date');
  await press(page, 'Add and continue');
  await told(page, 'ada@example.com was added.');
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  expect(await page.getByLabel('Key').count()).toBe(0);
  expect(await page.getByLabel('Email').evaluate(element => element === document.activeElement)).toBe(true);
  await page.getByLabel('Email').fill('ADA@example.com');
  await press(page, 'Add member');
  await told(page, 'This email is already in the list');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Subscribed').uncheck();
  await press(page, 'Add member');

  await expect.poll(() => addresses(page)).toEqual(['ada@example.com', 'grace@example.com']);
  await page.goBack();
  await expect.poll(() => addresses(page)).toEqual(['ada@example.com', 'grace@example.com']);
  const [ada] = (await membersOf(owner, list)).data;
  expect(await memberOf(owner, ada.id)).toMatchObject({
    is_subscribed: true,
    metadata: [
      { key: 'plan', type: 'string', value: '007' },
      { key: 'signed_up', type: 'datetime', value: '2026-02-28T09:30:00Z' },
    ],
  });
  await stack.fetchJson('POST', '/_local/drain');
  await page.clock.install();
  await page.reload();
  const counts = () => page.locator('dl[aria-label=Members] dd').allTextContents();
  await expect.poll(counts).toEqual(['2', '1', '1']);
  await page.getByRole('region', { name: 'Date columns' }).getByText('signed_up').waitFor();
  await addMembers(stack, owner, list, [{ email: 'third@example.com' }]);
  await page.clock.runFor(11_000);
  await told(page, '3 members');
});

it('a member is opened, described, unsubscribed, subscribed again, and deleted', async () => {
  const owner = await newMember(stack, 'member@example.com');
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [
    { email: 'ada@example.com', plan: '12.5', signed_up: '2026-02-28T09:30:00Z' },
    { email: 'grace@example.com' },
  ]);
  const [ada] = (await membersOf(owner, list)).data;
  const page = await visit(`/email-lists/${list}?per_page=25`, { token: owner.token });
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
  const entries = () => page.getByRole('table', { name: 'Metadata' }).locator('tbody tr').allTextContents();
  await expect
    .poll(entries)
    .toEqual(['planText12.5EditRemove', 'signed_upDateFeb 28, 2026, 09:30 UTCEditRemove']);
  const dialog = page.getByRole('dialog');
  await press(page, 'Add metadata');
  await dialog.getByLabel('Key').fill('plan');
  await page.keyboard.press('Escape');
  await dialog.getByText('What you entered has not been saved.').waitFor();
  await dialog.getByLabel('Value').fill('12.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This key is there already').waitFor();
  await dialog.getByLabel('Key').fill('orders');
  await dialog.getByText('Kept as: number').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Metadata added.');
  await press(page, 'Edit plan');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await entries()).toContain('planText12.5EditRemove');
  await press(page, 'Edit signed_up');
  await dialog.getByLabel('Value').fill('2026-03-01');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Metadata saved.');
  await press(page, 'Remove plan');
  await told(page, 'plan was removed.');
  expect(await focused(page)).toContain('signed_up');
  await expect.poll(entries).toEqual(['ordersNumber12.5EditRemove', 'signed_upDateMar 1, 2026EditRemove']);
  expect((await memberOf(owner, ada.id)).metadata).toEqual([
    { key: 'orders', type: 'number', value: 12.5 },
    { key: 'signed_up', type: 'datetime', value: '2026-03-01' },
  ]);
  await press(page, 'Undo');
  expect(await focused(page)).toContain('signed_up');
  await expect.poll(entries).toHaveLength(3);
  await expect.poll(async () => (await memberOf(owner, ada.id)).metadata).toHaveLength(3);

  const activity = () =>
    page.getByRole('table', { name: 'Activity' }).locator('tbody tr td:first-child').allTextContents();
  const subscribed = async () => (await memberOf(owner, ada.id)).is_subscribed;
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).dblclick();
  await expect.poll(subscribed).toBe(false);
  await expect.poll(activity).toEqual(['Unsubscribed', 'Subscribed']);
  expect(await dialog.count()).toBe(0);
  await page.getByRole('link', { name: 'Customers' }).click();
  const row = page.getByRole('row', { name: 'ada@example.com' });
  await row.getByText('Unsubscribed', { exact: true }).waitFor();
  await press(page, 'Undo');
  await row.getByText('Subscribed', { exact: true }).waitFor();
  expect(await subscribed()).toBe(true);
  await page.goBack();
  await press(page, 'Unsubscribe');
  await press(page, 'Subscribe');
  await dialog.getByText('Subscribe them again only if they asked for it themselves.').waitFor();
  await dialog.getByRole('button', { name: 'Subscribe' }).click();
  await expect.poll(subscribed).toBe(true);
  await expect
    .poll(activity)
    .toEqual(['Subscribed', 'Unsubscribed', 'Subscribed', 'Unsubscribed', 'Subscribed']);

  await press(page, 'Copy address');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ada@example.com');
  await press(page, 'Delete');
  await dialog.getByText('ada@example.com is removed from Customers').waitFor();
  await dialog.getByRole('button', { name: 'Delete member' }).click();
  await told(page, 'ada@example.com was deleted from Customers.');
  await expect.poll(() => addresses(page)).toEqual(['grace@example.com']);
  expect(query(page)).toBe('?per_page=25');

  const name = `${'long'.repeat(20)}  name`;
  await newList(stack, owner, { name });
  await page.goto(`/list-members/${ada.id}`);
  await told(page, 'Member not found');
  await page.waitForURL('**/email-lists');
  await page.getByRole('button', { name: 'Delete long' }).click();
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await dialog.getByRole('textbox').fill(`${'long'.repeat(20)} name`);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'was deleted.' }).last().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Delete long' }).count()).toBe(0);
});

it('who unsubscribed and was deleted comes back unsubscribed, and that is said', async () => {
  const owner = await newMember(stack, 'returning@example.com');
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'away@example.com' }]);
  const [{ id: member }] = (await membersOf(owner, list)).data;
  const who = { token: owner.token, organization: owner.home.id, params: { listMember: member } };
  await stack.call('PUT /api/list-members/{listMember}', { ...who, body: { is_subscribed: false } });
  await stack.call('DELETE /api/list-members/{listMember}', who);
  const page = await visit(`/email-lists/${list}/members/new`, { token: owner.token });
  await page.getByLabel('Email').fill('away@example.com');
  await press(page, 'Add member');
  await told(page, 'away@example.com unsubscribed before, and was therefore added as unsubscribed.');
  expect(await membersOf(owner, list)).toMatchObject({ data: [{ is_subscribed: false }] });
});

it('who cannot be mailed any more cannot be subscribed, and the page says why', async () => {
  const owner = await newMember(stack, 'suppressed@example.com');
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'gone@example.com' }]);
  const [member] = (await membersOf(owner, list)).data;
  const stored = await memberOf(owner, member.id);
  const { context } = await visitor({ token: owner.token });
  await context.route('**/api/list-members/*', route =>
    route.fulfill({
      json: { ...stored, is_subscribed: false, suppression: 'bounce', metadata: { plan: 'team' } },
    }),
  );
  const page = await context.newPage();
  await page.goto(`/list-members/${member.id}`);
  await told(page, SUPPRESSED.bounce);
  expect(await page.getByRole('button', { name: 'Subscribe' }).isDisabled()).toBe(true);
  await page.getByRole('row', { name: 'plan Text team' }).waitFor();
});

it('members are paged by their neighbours, by the ends, and by the address of a page', async () => {
  const owner = await newMember(stack, 'pages@example.com');
  const list = await newList(stack, owner);
  const all = people(47).map(({ email }) => email);
  await addMembers(stack, owner, list, people(47));
  const page = await visit(`/email-lists/${list}`, { token: owner.token });
  const asked: URLSearchParams[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    if (url.pathname.endsWith(`${list}/members`) && url.pathname.startsWith('/api/'))
      asked.push(url.searchParams);
  });
  const shows = (from: number, to: number) => expect.poll(() => addresses(page)).toEqual(all.slice(from, to));
  const lastAsked = () => ({ page: asked.at(-1)?.get('page'), cursor: asked.at(-1)?.has('cursor') });
  await shows(0, 10);
  await told(page, '47 members');
  await press(page, 'Next page');
  await shows(10, 20);
  expect(lastAsked()).toEqual({ page: '2', cursor: true });
  expect(query(page)).toBe('?page=2');
  await page.reload();
  await shows(10, 20);
  await press(page, 'Last page');
  await shows(40, 47);
  expect(lastAsked()).toEqual({ page: '5', cursor: false });
  await page.getByText('Page 5 of 5').waitFor();
  await press(page, 'Previous page');
  await shows(30, 40);
  expect(lastAsked()).toEqual({ page: '4', cursor: true });
  await page.goBack();
  await shows(40, 47);
  await press(page, 'First page');
  await shows(0, 10);
  await page.getByLabel('Rows per page').selectOption('25');
  await shows(0, 25);
  await page.goto(`/email-lists/${list}?page=2`);
  await shows(25, 47);
  await page.goto(`/email-lists/${list}?page=9`);
  await page.getByText('Page 2 of 2').waitFor();
  await press(page, 'First page');
  await shows(0, 25);
});

it('a search begins at once, says how far it has looked, and goes on until it is stopped', async () => {
  const owner = await newMember(stack, 'search@example.com');
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [...people(12), { email: 'ada@example.com' }]);
  const page = await visit(`/email-lists/${list}?page=2`, { token: owner.token });
  await page.getByText('Page 2 of 2').waitFor();
  await page.getByLabel('Search members').fill(' ADA ');
  await expect.poll(() => addresses(page)).toEqual(['ada@example.com']);
  expect(query(page)).toBe('?search=ADA');
  await page.getByLabel('Search members').fill('son0003');
  await expect.poll(() => addresses(page)).toEqual(['person0003@example.com']);
  await told(page, 'Searched all 13 members');
  await page.getByLabel('Search members').fill('nobody');
  await told(page, 'No member of this list has “nobody” in the address.');
  await press(page, 'Clear search');
  await told(page, '13 members');

  // A list of a million, of which each answer has looked at 40,000.
  const held: (() => void)[] = [];
  await page.route('**/members?*search=rare*', async route => {
    const url = new URL(route.request().url());
    const step = Number(url.searchParams.get('cursor') ?? 0) + 1;
    if (step === 4) await new Promise<void>(resolve => held.push(resolve));
    const found =
      step === 2 || step === 3 ? [{ ...MEMBER, id: `m${step}`, email: `rare${step}@example.com` }] : [];
    const searched = { members: step * 40_000, of: 1_000_000, complete: false };
    await route
      .fulfill({ json: { ...PAGE, data: found, searched, next_cursor: String(step) } })
      .catch(() => undefined);
  });
  await page.getByLabel('Search members').fill('rare');
  await told(page, 'Searched 40,000 of 1,000,000 members');
  await told(page, 'Nothing found so far');
  expect(await page.getByRole('button', { name: 'Clear search' }).count()).toBe(0);
  await press(page, 'Search further');
  await told(page, 'Searching: 120,000 of 1,000,000 members');
  expect(await addresses(page)).toEqual(['rare2@example.com', 'rare3@example.com']);
  await expect.poll(() => held.length).toBe(1);
  await press(page, 'Stop');
  await told(page, 'Searched 120,000 of 1,000,000 members');
  expect(await page.getByRole('button', { name: 'Search further' }).isVisible()).toBe(true);
  for (const release of held) release();
});

const MEMBER = {
  id: 'm',
  email: 'rare@example.com',
  is_subscribed: true,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const PAGE = { current_page: 1, last_page: 2, total: 1_000_000, previous_cursor: null };

it('a search has pages too, back and forth', async () => {
  const owner = await newMember(stack, 'searchpages@example.com');
  const list = await newList(stack, owner);
  const all = people(23).map(({ email }) => email);
  await addMembers(stack, owner, list, people(23));
  const page = await visit(`/email-lists/${list}?search=person`, { token: owner.token });
  const shows = (from: number, to: number) => expect.poll(() => addresses(page)).toEqual(all.slice(from, to));
  await shows(0, 10);
  await told(page, 'Addresses that begin with this text');
  await press(page, 'Next page');
  await shows(10, 20);
  await press(page, 'Next page');
  await shows(20, 23);
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  await press(page, 'Previous page');
  await shows(10, 20);
  await page.reload();
  await shows(10, 20);
  await press(page, 'Previous page');
  await shows(0, 10);
  await page.goto(`/email-lists/${list}?search=person&page=3`);
  await shows(0, 10);
});

it('when the server does not answer, the member stays as it is, and the page says so', async () => {
  allow(/50[02]/);
  const owner = await newMember(stack, 'failing@example.com');
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'ada@example.com', plan: 'team' }]);
  const [{ id }] = (await membersOf(owner, list)).data;
  const page = await visit(`/list-members/${id}`, { token: owner.token });
  await page.getByRole('button', { name: 'Remove plan' }).waitFor();
  let reply: { status: number; body?: string; json?: unknown } = { status: 502, body: '' };
  await page.route('**/api/list-members{,/**}', route =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill(reply),
  );
  await press(page, 'Unsubscribe');
  await told(page, 'Failed to update subscription status');
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).waitFor();
  await press(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete member' }).click();
  await told(page, 'Failed to delete member');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('link', { name: 'Add member' }).click();
  await page.getByLabel('Email').fill('grace@example.com');
  await press(page, 'Add member');
  await told(page, 'An unexpected error occurred. Please try again.');
  reply = { status: 500, body: '' };
  await press(page, 'Add member');
  await told(page, 'An error occurred: this email may already be in the list');
  reply = { status: 500, json: { message: 'Out of paper.' } };
  await press(page, 'Add member');
  await told(page, 'An error occurred: Out of paper.');
  await page.getByRole('link', { name: 'Email Lists' }).first().click();
  await press(page, 'Leave');
  await page.getByRole('heading', { name: 'Email Lists' }).waitFor();
  expect((await membersOf(owner, list)).data).toMatchObject([
    { email: 'ada@example.com', is_subscribed: true },
  ]);

  await page.route(`**/api/email-lists/${list}/members?*`, route => route.fulfill({ status: 502, body: '' }));
  await page.goto(`/email-lists/${list}`);
  await told(page, 'Failed to fetch list members. Please try again');
});
