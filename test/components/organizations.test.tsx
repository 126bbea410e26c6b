import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Invitation } from '#shared/invitation.ts';
import type { Member } from '#shared/member.ts';
import { DOWN, held, refusal } from '../support/components/api.ts';
import { colleague, depot, member, organization, profile } from '../support/components/examples.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  press,
  pressInDialog,
  rowAction,
  says,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const invitation: Invitation = {
  id: 'i1',
  token: 't1',
  email: 'guest@example.com',
  role: 'USER',
  invited_by: { name: 'Ada' },
  created_at: '2026-01-05T08:00:00Z',
  expires_at: '2126-01-12T08:00:00Z',
  organization: { name: 'Depot' },
};
const membersOf = (...members: Member[]) => ({
  members,
  next_cursor: null,
  pending_invitations: [invitation],
});

/** The page of Depot, which can be deleted, as it is not the default one. */
function openDepot(path = '/access-control') {
  localStorage.setItem('activeOrganizationId', String(depot.id));
  return open(path, {
    'GET /api/organizations': [organization, depot],
    'GET /api/organizations/{organization}/members': membersOf(member, colleague),
  });
}

it('when the server does not answer, nothing is created, renamed or deleted, and the page says so', async () => {
  const { api } = openDepot();
  api.answer({
    'PUT /api/organizations/{organization}': DOWN,
    'DELETE /api/organizations/{organization}': DOWN,
    'POST /api/organizations': DOWN,
  });
  await field('Name').fill('Renamed');
  await press('Save');
  await warns('Failed to update organization');
  await press('Delete organization');
  await field('Type “Depot” to confirm').fill('Depot');
  await pressInDialog('Delete organization');
  await warns('Failed to delete organization');
  await answer('Cancel');
  await press('Create organization');
  await dialog().getByLabelText('Name').fill('Another');
  await pressInDialog('Create organization');
  await warns('Failed to create organization');
  api.answer({ 'POST /api/organizations': refusal(409, 'Not while it rains.') });
  await pressInDialog('Create organization');
  await warns('Not while it rains.');
});

it('when the server does not answer, the page says what was not done with a member or an invitation', async () => {
  const { api } = openDepot();
  api.answer({
    'PUT /api/organizations/{organization}/members/{member}': DOWN,
    'DELETE /api/organizations/{organization}/members/{member}': DOWN,
    'DELETE /api/organizations/{organization}/invitations/{invitation}': DOWN,
    'POST /api/organizations/{organization}/members': DOWN,
  });
  const role = field('Role of Grace');
  await role.selectOptions('Admin');
  await warns('Failed to update member role');
  await expect.element(role).toHaveValue('USER');
  await rowAction('Grace', 'Remove');
  await press('Remove member');
  await warns('Failed to remove member');
  await answer('Cancel');
  await rowAction(invitation.email, 'Cancel invitation');
  await press('Cancel invitation');
  await warns('Failed to cancel invitation');
  await answer('Keep it');
  await rowAction(invitation.email, 'Invite again');
  await warns('Failed to send invitation');
  await press('Invite member');
  await dialog().getByLabelText('Email').fill(colleague.email);
  await press('Send invitation');
  await expect.element(dialog().getByText('Failed to send invitation')).toBeVisible();
  const message = 'This person is a member of the organization already.';
  api.answer({ 'POST /api/organizations/{organization}/members': refusal(409, message) });
  await press('Send invitation');
  await warns(message);
});

it.each([
  ['Failed to load organizations', 'GET /api/organizations'],
  ['Failed to load organization members', 'GET /api/organizations/{organization}/members'],
] as const)('%s: so the page says, and loads them after a retry', async (message, route) => {
  const working = {
    'GET /api/organizations': [organization],
    'GET /api/organizations/{organization}/members': membersOf(member),
  };
  const { api } = open('/access-control', { ...working, [route]: DOWN });
  await says(message);
  api.answer(working);
  await press('Try again');
  await expect.element(page.getByRole('grid', { name: 'Members' }).getByText(member.email)).toBeVisible();
});

it('without an organization the page says so', async () => {
  open('/profile', { ...profile, 'GET /api/organizations': [] });
  await says(/Please select an organization to continue\./);
});

it('of several organizations the chosen one becomes active, and is remembered', async () => {
  open('/profile', { ...profile, 'GET /api/organizations': [organization, depot] });
  await press(`Active organization: ${organization.name}`);
  await page.getByRole('menuitem', { name: 'Depot' }).click();
  await expect.element(button('Active organization: Depot')).toBeVisible();
  expect(localStorage.getItem('activeOrganizationId')).toBe(String(depot.id));
});

it('the focus goes to the heading when an organization is deleted', async () => {
  const { api } = openDepot();
  api.answer({
    'DELETE /api/organizations/{organization}': () => {
      api.answer({ 'GET /api/organizations': [organization] });
      return undefined;
    },
  });
  await press('Delete organization');
  await field('Type “Depot” to confirm').fill('Depot');
  await keys('{Enter}');
  await says('Depot was deleted.');
  await expect.element(heading('Organizations')).toHaveFocus();
});

it('the focus goes to the heading when a dialog is closed that an address had opened', async () => {
  openDepot('/access-control?open=invite');
  await expect.element(dialog().getByLabelText('Email')).toBeVisible();
  await keys('{Escape}');
  await isGone(dialog());
  await expect.element(heading('Organizations')).toHaveFocus();
});

it('an invitation is sent again by the menu of its row', async () => {
  const { api } = openDepot();
  const again = `/api/organizations/${depot.id}/members`;
  api.answer({ 'POST /api/organizations/{organization}/members': invitation });
  await rowAction(invitation.email, 'Invite again');
  await says(`Invitation sent to ${invitation.email} again.`);
  expect(api.changes().map(({ call }) => call)).toEqual([`POST ${again}`]);
});

const nameField = () => page.getByRole('main').getByLabelText('Name');
const switchTo = async (from: string, to: string) => {
  await press(`Active organization: ${from}`);
  await page.getByRole('menuitem', { name: to }).click();
};
const isActive = (name: string) => expect.element(button(`Active organization: ${name}`)).toBeVisible();
const card = (name: string | RegExp) =>
  page.getByRole('list', { name: 'Your organizations' }).getByRole('button', { name });

it('an organization shows nothing of the one before it while its own data is on the way', async () => {
  const { answer: loaded, release } = held<ReturnType<typeof membersOf>>();
  const asked: number[] = [];
  const { api } = openDepot();
  await says(invitation.email);
  api.answer({
    'GET /api/organizations/{organization}/members': within => {
      asked.push(within.organization);
      return loaded();
    },
  });
  await card(new RegExp(organization.name)).click();
  await expect.poll(() => asked).toEqual([organization.id]);
  await isGone(page.getByText(invitation.email));
  await expect.element(nameField()).toHaveValue(organization.name);
  await expect.element(card(new RegExp(organization.name))).toHaveFocus();
  release({ ...membersOf(member), pending_invitations: [] });
  await expect.element(page.getByRole('grid', { name: 'Members' }).getByText(member.email)).toBeVisible();
  expect(localStorage.getItem('activeOrganizationId')).toBe(String(organization.id));
});

it('an organization with a long name is shown in full', async () => {
  const name = 'long'.repeat(25);
  open('/access-control', {
    'GET /api/organizations': [organization, { ...depot, name }],
    'GET /api/organizations/{organization}/members': membersOf(member),
  });
  const shown = card(new RegExp(name)).getByText(name);
  await expect.element(shown).toBeVisible();
  expect(shown.element().scrollWidth).toBeLessThanOrEqual(shown.element().clientWidth);
});

it('an organization is not left with something unsaved without being asked', async () => {
  openDepot();
  await nameField().fill('Half a na');
  await switchTo(depot.name, organization.name);
  await answer('Keep editing');
  await expect.element(nameField()).toHaveValue('Half a na');
  await isActive(depot.name);
  await switchTo(depot.name, organization.name);
  await answer('Leave');
  await expect.element(nameField()).toHaveValue(organization.name);
});

it('an organization stays the one of its tab when another tab switches', async () => {
  const { api } = openDepot();
  const saved = `PUT /api/organizations/${depot.id}`;
  const within: number[] = [];
  api.answer({
    'PUT /api/organizations/{organization}': asked => {
      within.push(asked.organization);
      return { ...depot, name: 'Being typed' };
    },
  });
  await nameField().fill('Being typed');
  const change = { key: 'activeOrganizationId', newValue: String(organization.id) };
  localStorage.setItem(change.key, change.newValue);
  dispatchEvent(new StorageEvent('storage', change));
  dispatchEvent(new Event('focus'));
  await isActive(depot.name);
  await press('Save');
  await says('Organization saved.');
  expect([api.changes().map(({ call }) => call), within]).toEqual([[saved], [depot.id]]);
});

it('an organization is found in the command palette, to switch to and to invite into', async () => {
  open('/profile', {
    ...profile,
    'GET /api/organizations': [organization, depot],
    'GET /api/organizations/{organization}/members': membersOf(member),
    'GET /api/email-lists': [],
    'GET /api/automations': [],
    'GET /api/email-templates': [],
  });
  await isActive(organization.name);
  const run = async (typed: string, option: RegExp) => {
    await keys('{Control>}k{/Control}');
    await page.getByRole('combobox', { name: 'Search pages and commands' }).fill(typed);
    await expect
      .poll(() => document.querySelector('[role=option][data-highlighted]')?.textContent)
      .toMatch(option);
    await keys('{Enter}');
  };
  await run('switch dep', /Switch to Depot/);
  await isActive(depot.name);
  expect(localStorage.getItem('activeOrganizationId')).toBe(String(depot.id));
  await run('invite', /Invite a member to Depot/);
  await expect.element(page.getByRole('dialog', { name: 'Invite a member to Depot' })).toBeVisible();
});

it('members beyond the first hundred are shown page by page, and the keyboard goes on with the first new one', async () => {
  const { api } = openDepot();
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ ...colleague, id: `u${from + at}` }));
  api.answer({
    'GET /api/organizations/{organization}/members': ({ query }) => ({
      ...membersOf(...(query.has('cursor') ? numbered(100, 121) : numbered(0, 100))),
      next_cursor: query.has('cursor') ? null : 'more',
    }),
  });
  const rows = () => page.getByRole('grid', { name: 'Members' }).element().querySelectorAll('tbody tr');
  await focus(button('Show more members'));
  expect(rows()).toHaveLength(100);
  await keys('{Enter}');
  await expect.poll(() => rows().length).toBe(121);
  await expect.poll(() => document.activeElement).toBe(rows()[100]);
  await isGone(button('Show more members'));
});
