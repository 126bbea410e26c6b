import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityFaults, freshBrowser } from '../support/browser.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, allow } = freshBrowser(stack.url);

type View = {
  name: string;
  path: string | (() => string);
  who: 'nobody' | 'newcomer' | 'member' | 'colleague' | 'invited';
  /** Brings the page into the state that is looked at. */
  until: (page: Page) => Promise<void>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

const invitationsShown = (page: Page) => page.getByText('invited@example.com').waitFor();

const views: View[] = [
  { name: 'the public home page', path: '/', who: 'nobody', until: heading('Email automations') },
  { name: 'sign in', path: '/login', who: 'nobody', until: heading('Sign in to your account') },
  {
    name: 'sign in with the code',
    path: '/login',
    who: 'nobody',
    async until(page) {
      await page.getByLabel('Email').fill('looks@example.com');
      await page.getByRole('button', { name: 'Send Login Code' }).click();
      await page.getByLabel('Login code').fill('AAAAAA');
      await page.getByRole('button', { name: 'Verify Code' }).click();
      await page.getByText('Invalid code.').waitFor();
    },
  },
  { name: 'the terms', path: '/terms-and-conditions', who: 'nobody', until: heading('Terms and Conditions') },
  { name: 'the privacy policy', path: '/privacy-policy', who: 'nobody', until: heading('Privacy Policy') },
  { name: 'a path that leads nowhere', path: '/nothing', who: 'nobody', until: heading('Page not found') },
  {
    name: 'the terms overlay',
    path: '/',
    who: 'newcomer',
    async until(page) {
      await page.getByRole('button', { name: 'Read Terms' }).click();
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      await page.getByRole('button', { name: 'Accept and Continue' }).click();
    },
  },
  { name: 'home', path: '/', who: 'member', until: heading('Welcome') },
  {
    name: 'the profile',
    path: '/profile',
    who: 'member',
    until: page => page.getByText('This browser').waitFor(),
  },
  {
    name: 'the profile of somebody invited, with tokens',
    path: '/profile',
    who: 'invited',
    async until(page) {
      await page.getByText('You have 2 pending').waitFor();
      await page.getByText('crm_import').waitFor();
    },
  },
  {
    name: 'a new token',
    path: '/profile?open=token',
    who: 'invited',
    async until(page) {
      await page.getByText('crm_import').waitFor();
      await page.getByLabel('Token name').fill('crm_import');
      await page.getByText('already exists').waitFor();
    },
  },
  {
    name: 'the value of a new token',
    path: '/profile?open=token',
    who: 'member',
    async until(page) {
      await page.getByLabel('Token name').fill('shown_once');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('button', { name: 'Copy' }).waitFor();
    },
  },
  { name: 'organizations, to their owner', path: '/access-control', who: 'member', until: invitationsShown },
  {
    name: 'organizations, to a user',
    path: '/access-control',
    who: 'colleague',
    until: page => page.getByText('contact an admin or owner').waitFor(),
  },
  {
    name: 'inviting a member',
    path: '/access-control?open=invite',
    who: 'member',
    async until(page) {
      await invitationsShown(page);
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page.getByText('Email is required').waitFor();
    },
  },
  {
    name: 'deleting an organization',
    path: '/access-control',
    who: 'member',
    async until(page) {
      await invitationsShown(page);
      await page.getByRole('button', { name: 'Delete organization' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'an invitation',
    path: '/profile',
    who: 'invited',
    async until(page) {
      await page.getByRole('link', { name: 'View', exact: true }).first().click();
      await page.getByRole('button', { name: 'Reject' }).waitFor();
    },
  },
  {
    name: 'an invitation that leads nowhere',
    path: '/invitations/accept/nothing',
    who: 'member',
    until: heading('Invitation Error'),
  },
  {
    name: 'an invitation, to somebody who is not signed in',
    path: '/invitations/accept/nothing',
    who: 'nobody',
    until: page => page.getByText('Please sign in').waitFor(),
  },
  {
    name: 'email lists',
    path: '/email-lists',
    who: 'member',
    until: page => page.getByRole('link', { name: 'Customers', exact: true }).waitFor(),
  },
  {
    name: 'no email lists',
    path: '/email-lists',
    who: 'invited',
    until: page => page.getByText('No email lists yet').waitFor(),
  },
  {
    name: 'a new email list',
    path: '/email-lists/new',
    who: 'member',
    async until(page) {
      await page.getByRole('button', { name: 'Create list' }).click();
      await page.getByText('List name is required').waitFor();
    },
  },
  {
    name: 'an email list',
    path: () => `/email-lists/${list}`,
    who: 'member',
    async until(page) {
      await page.getByText('ada@example.com').waitFor();
      await page.getByText('signed_up_at').waitFor();
    },
  },
  {
    name: 'the example of the API',
    path: () => `/email-lists/${list}?open=example`,
    who: 'member',
    until: page => page.getByRole('tab', { name: 'curl' }).waitFor(),
  },
  {
    name: 'editing an email list',
    path: () => `/email-lists/${list}/edit`,
    who: 'member',
    until: page => page.getByRole('button', { name: 'Save key' }).waitFor(),
  },
  {
    name: 'deleting an email list',
    path: '/email-lists',
    who: 'member',
    async until(page) {
      await page.getByRole('button', { name: 'Delete Customers' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'adding a member to a list',
    path: () => `/email-lists/${list}/members/new`,
    who: 'member',
    async until(page) {
      await page.getByRole('button', { name: 'Add metadata' }).click();
      await page.getByLabel('Value').fill('2026-03-01');
      await page.getByRole('button', { name: 'Add member' }).click();
      await page.getByText('Key is required').waitFor();
    },
  },
  {
    name: 'a list member',
    path: () => `/list-members/${listMember}`,
    who: 'member',
    until: page => page.getByText('Mar 1, 2026').waitFor(),
  },
  {
    name: 'editing metadata',
    path: () => `/list-members/${listMember}`,
    who: 'member',
    async until(page) {
      await page.getByRole('button', { name: 'Edit signed_up_at' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the folded sidebar',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('Control+b');
    },
  },
  {
    name: 'the command palette',
    path: '/',
    who: 'member',
    async until(page) {
      await heading('Welcome')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the drawer of a phone',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
  {
    name: 'a page that failed',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.route('**/api/user/sessions', route => route.fulfill({ status: 502, body: '' }));
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'the pieces',
    path: '/_local/pieces',
    who: 'nobody',
    until: page => page.getByText('Example 05').waitFor(),
  },
];

let list: string;
let listMember: string;
const tokens: Partial<Record<View['who'], string>> = {};
let depot: number;

beforeAll(async () => {
  tokens.newcomer = (await stack.signIn('newcomer@example.com')).token;
  for (const who of ['member', 'colleague', 'invited'] as const) {
    tokens[who] = (await newMember(stack, `${who}@example.com`)).token;
  }
  depot = await found('Depot');
  await fillList();
  const invitation = await invite(depot, 'colleague@example.com');
  await stack.call('POST /api/invitations/accept/{token}', {
    token: tokens.colleague,
    params: { token: invitation },
  });
  for (const organization of [depot, await found('Night post')]) {
    await invite(organization, 'invited@example.com');
  }
  await stack.call('POST /api/tokens', {
    token: tokens.invited,
    body: { name: 'crm_import', expiration: null },
  });
});

async function fillList() {
  const member: Person = {
    token: tokens.member ?? '',
    email: '',
    id: '',
    home: { id: depot, name: 'Depot' },
  };
  list = await newList(stack, member);
  await addMembers(stack, member, list, [{ email: 'ada@example.com', signed_up_at: '2026-03-01' }]);
  const members = await stack.call('GET /api/email-lists/{list}/members', {
    token: member.token,
    organization: depot,
    params: { list },
  });
  listMember = members.body.data[0].id;
}

const found = async (name: string): Promise<number> =>
  (await stack.call('POST /api/organizations', { token: tokens.member, body: { name } })).body.id;

const invite = async (organization: number, email: string): Promise<string> =>
  (
    await stack.call('POST /api/organizations/{organization}/members', {
      token: tokens.member,
      params: { organization: String(organization) },
      body: { email, role: 'USER' },
    })
  ).body.token;

// Both themes and both widths; a look takes a second, so not each with each.
const SIGHTS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

it.each(views)(
  '$name: nothing for axe to find, nothing too wide, light and dark',
  async ({ path, who, until }) => {
    allow(/502/);
    const address = typeof path === 'string' ? path : path();
    const page = await visit(address, {
      token: tokens[who],
      stored: { activeOrganizationId: String(depot) },
    });
    await until(page);
    for (const { colorScheme, width } of SIGHTS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page), `${colorScheme}, ${width}`).toEqual([]);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(tooWide, `${colorScheme}, ${width}`).toBeLessThanOrEqual(0);
    }
  },
);
