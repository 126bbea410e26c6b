import { heading, type Look, text } from '../support/browser/look.ts';
import { DOWN, press } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';

const until: Look['until'] = page =>
  page.locator('#createAutomation').getByRole('button', { name: 'Copy example' }).waitFor();
const invitationsShown = text(/^invited@/);

export const looks: Look[] = [
  { name: 'the API reference', path: '/api-reference#createAutomation', until },
  { name: 'the API reference without signing in', path: '/api-reference#createAutomation', who: null, until },
  { name: 'the first steps of a new organization', path: '/', who: 'invited', until: text(/of 4 done$/) },
  {
    name: 'an invitation that leads nowhere',
    path: '/invitations/accept/nothing',
    until: text('This invitation does not exist any more.'),
  },
  {
    name: 'an invitation, to somebody who is not signed in',
    path: '/invitations/accept/nothing',
    who: null,
    until: text('Please sign in'),
  },
  {
    name: 'organizations, to a user',
    path: '/access-control',
    who: 'colleague',
    until: text('contact an admin or owner'),
  },
  {
    name: 'inviting a member',
    path: '/access-control?open=invite',
    async until(page) {
      await invitationsShown(page);
      await press(page, 'Send invitation');
      await page.getByText('Email is required').waitFor();
    },
  },
  {
    name: 'deleting an organization',
    path: '/access-control',
    async until(page) {
      await invitationsShown(page);
      await press(page, 'Delete organization');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'erasing a person',
    path: '/access-control',
    async until(page) {
      await page.getByLabel('Address of a person').fill('ada@example.com');
      await press(page, 'Erase person…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a person of whom nothing is stored',
    path: '/access-control',
    async until(page) {
      await page.getByLabel('Address of a person').fill('nobody@example.com');
      await press(page, 'Export data');
      await page.getByRole('alert').getByText('Nothing is stored').waitFor();
    },
  },
  {
    name: 'an export of members that failed',
    path: ({ list }) => `/email-lists/${list}`,
    async until(page) {
      await page.route('**/export', route =>
        route.fulfill({ status: 429, json: { message: 'Too many calls' } }),
      );
      await press(page, 'Export to CSV');
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    },
  },
  {
    name: 'safeguards',
    path: '/safeguards',
    async until(page) {
      await page.getByLabel('Max emails in 1 hour').fill('0');
      await press(page, 'Save Settings');
      await page.getByText('Value must be at least 1').waitFor();
    },
  },
  {
    name: 'safeguards, as a user sees them',
    path: '/safeguards',
    who: 'colleague',
    until: text('Only the owner and the admins'),
  },
  {
    name: 'quiet hours that begin as they end',
    path: '/safeguards',
    async until(page) {
      await press(page, 'Add quiet hours');
      await page.getByLabel('Until').first().fill('22:00');
      await press(page, 'Save quiet hours');
      await page.getByText('Quiet hours must begin and end at different times').waitFor();
    },
  },
  {
    name: 'the time zones of an organization',
    path: '/safeguards',
    async until(page) {
      await page.getByRole('button', { name: /^Time zone of the organization/ }).click();
      await page.getByPlaceholder('Search time zones').fill('new york');
      await page.getByText(/^America\/New_York/).waitFor();
    },
  },
  { name: 'a path that leads nowhere', path: '/nothing', who: null, until: heading('Page not found') },
  {
    name: 'the terms overlay',
    path: '/',
    who: 'newcomer',
    isAround: true,
    async until(page) {
      await page.getByRole('button', { name: 'Read Terms' }).click();
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      await page.getByRole('button', { name: 'Accept and Continue' }).click();
    },
  },
  {
    name: 'the folded sidebar',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('Control+b');
    },
  },
  {
    name: 'the sidebar, pointed at where one is',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).hover();
    },
  },
  {
    name: 'the open switcher',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.getByRole('button', { name: 'Active organization:' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Night post' }).waitFor();
    },
  },
  {
    name: 'the command palette',
    path: '/',
    isAround: true,
    async until(page) {
      await heading('Welcome')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the drawer of a phone',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
  {
    name: 'a page that failed',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.route('**/api/user/sessions', route => route.fulfill(DOWN));
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'sign in with the code',
    path: '/login',
    who: null,
    async until(page) {
      await page.getByLabel('Email').fill(newAddress());
      await press(page, 'Send Login Code');
      await page.getByLabel('Login code').fill('AAAAAA');
      await page.getByText('Invalid code. Please try again.').waitFor();
    },
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
    async until(page) {
      await page.getByLabel('Token name').fill('shown_once');
      await press(page, 'Create');
      await page.getByRole('button', { name: 'Copy' }).waitFor();
    },
  },
];
