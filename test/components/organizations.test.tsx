import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import type { Member } from '#shared/member.ts';
import type { Organization, Role } from '#shared/organization.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import {
  ada,
  colleague,
  depot,
  invitation,
  list,
  member,
  organization,
  profile,
  sendsPage,
  storedPerson,
} from '../support/components/examples.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  heading,
  highlighted,
  isGone,
  keys,
  link,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { proof } from '../support/proof.ts';

const MEMBERS = 'GET /api/organizations/{organization}/members';
const INVITE = 'POST /api/organizations/{organization}/members';
const guest = { ...invitation, email: 'guest@example.com', role: 'ADMIN' as const };
const membersOf = (...members: Member[]) => ({ members, next_cursor: null, pending_invitations: [guest] });

function openDepot(answers: Answers = {}, path = '/access-control') {
  localStorage.setItem('activeOrganizationId', String(depot.id));
  return open(path, {
    'GET /api/organizations': [organization, depot],
    [MEMBERS]: membersOf(member, colleague),
    ...answers,
  });
}

const isActive = (name: string) => shows(button(`Active organization: ${name}`));
const switchTo = async (from: string, to: string) => {
  await press(`Active organization: ${from}`);
  await menuItem(to).click();
};
const nameField = () => page.getByRole('main').getByLabelText('Name');
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
const card = () =>
  page
    .getByRole('list', { name: 'Your organizations' })
    .getByRole('button', { name: new RegExp(organization.name) });

it('a page says that there is no organization', async () => {
  open('/profile', { ...profile, 'GET /api/organizations': [] });
  await says(/Please select an organization to continue\./);
});

proof('the focus goes to the heading when a dialog is closed that an address had opened', async () => {
  openDepot({}, '/access-control?open=invite');
  await shows(dialog().getByLabelText('Email'));
  await keys('{Escape}');
  await isGone(dialog());
  await expect.element(heading('Organizations')).toHaveFocus();
});

proof('an invitation is sent again with its role by the menu of its row, or says why not', async () => {
  const { api } = openDepot({ [INVITE]: guest });
  await rowAction(guest.email, 'Invite again');
  await says(`Invitation sent to ${guest.email} again.`);
  expect(api.changes()).toEqual([
    { call: `POST /api/organizations/${depot.id}/members`, body: { email: guest.email, role: 'ADMIN' } },
  ]);
  api.answer({ [INVITE]: DOWN, [MEMBERS]: { ...membersOf(member), pending_invitations: [] } });
  await rowAction(guest.email, 'Invite again');
  await says('Failed to send invitation');
  // It may have been answered meanwhile.
  await says('No pending invitations');
});

it('an invitation is sent as a user, or with another role, and is listed then', async () => {
  const { api } = openDepot({
    [INVITE]: refusal(422, 'Invalid', { email: ['Already invited'] }),
    [MEMBERS]: { ...membersOf(member), pending_invitations: [] },
  });
  await says('No pending invitations');
  await button('Invite member').last().click();
  await expect.element(dialog().getByLabelText('Email')).toHaveFocus();
  await expect.element(dialog().getByLabelText('Role')).toHaveValue('USER');
  await dialog().getByLabelText('Email').fill(guest.email);
  await pressInDialog('Send invitation');
  await says('Already invited');
  await dialog().getByLabelText('Role').selectOptions('Viewer');
  api.answer({ [INVITE]: guest, [MEMBERS]: membersOf(member) });
  await answer('Send invitation');
  await says(`Invitation sent to ${guest.email}.`);
  await shows(cell(guest.email));
  expect(api.changes().map(({ body }) => body)).toEqual([
    { email: guest.email, role: 'USER' },
    { email: guest.email, role: 'VIEWER' },
  ]);
});

it('an invitation is cancelled, and a member removed, once that is confirmed', async () => {
  const { api } = openDepot({
    'DELETE /api/organizations/{organization}/invitations/{invitation}': undefined,
    'DELETE /api/organizations/{organization}/members/{member}': undefined,
  });
  await rowAction(guest.email, 'Cancel invitation');
  await answer('Keep it');
  await rowAction(colleague.name, 'Remove');
  await says(/^grace@example\.com loses access to Depot at once\./);
  await answer('Cancel');
  expect(api.changes()).toEqual([]);
  await rowAction(guest.email, 'Cancel invitation');
  api.answer({ [MEMBERS]: { ...membersOf(member, colleague), pending_invitations: [] } });
  await answer('Cancel invitation');
  await says('Invitation cancelled.');
  await says('No pending invitations');
  await rowAction(colleague.name, 'Remove');
  api.answer({ [MEMBERS]: { ...membersOf(member), pending_invitations: [] } });
  await answer('Remove member');
  await says(`${colleague.name} was removed.`);
  await isGone(cell(colleague.email));
  await says('1 member');
  expect(api.changes().map(({ call }) => call)).toEqual([
    'DELETE /api/organizations/2/invitations/i1',
    'DELETE /api/organizations/2/members/u2',
  ]);
});

/** What the palette has. */
const searched: Answers = {
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/email-templates': [],
};
const OF_ALL = ['Details', 'Members', 'Webhooks'];
const OF_MANAGERS = ['Details', 'Members', 'Pending invitations', 'Webhooks', 'Personal data', 'Changes'];

it.each<[Role, string[]]>([
  ['OWNER', [...OF_MANAGERS, 'Delete organization']],
  ['ADMIN', OF_MANAGERS],
  ['USER', OF_ALL],
  ['VIEWER', OF_ALL],
])('a role offers the sections of an organization that it may change: %s', async (role, sections) => {
  const mayEdit = sections !== OF_ALL;
  const me = { ...member, role };
  const eve = { ...colleague, id: 'u3', name: 'Eve', role: 'OWNER' as const };
  openDepot({
    'GET /api/organizations': [organization, { ...depot, active: false, role }],
    [MEMBERS]: membersOf(me, colleague, eve),
  });
  await shows(page.getByRole('gridcell', { name: `${member.name} You` }));
  await expect.poll(() => textsOf('main h2')).toEqual(sections);
  const offered = [
    button('Invite member'),
    page.getByRole('textbox', { name: 'Name' }),
    field(`Role of ${colleague.name}`),
    button(`Actions for ${colleague.name}`),
    button('Resume sending'),
  ];
  const changes = () => offered.map(one => one.elements().length);
  await expect.poll(changes).toEqual(offered.map(() => Number(mayEdit)));
  for (const name of [member.name, 'Eve']) {
    await isGone(field(`Role of ${name}`));
    await isGone(button(`Actions for ${name}`));
  }
  const onlyView = page.getByText(/^You can view this organization, but not change it\./);
  expect(onlyView.elements()).toHaveLength(Number(!mayEdit));
  // Of the card, and without a form beside the name of the organization.
  expect(page.getByText('Inactive', { exact: true }).elements()).toHaveLength(mayEdit ? 1 : 2);
});

it('the default organization cannot be deleted; another one can, by its name, and leads to the default one', async () => {
  const { api } = openDepot({ 'DELETE /api/organizations/{organization}': DOWN });
  await press('Delete organization');
  await expect.element(dialog().getByRole('button', { name: 'Delete organization' })).toBeDisabled();
  await field('Type “Depot” to confirm').fill('Depot');
  await pressInDialog('Delete organization');
  await says('Failed to delete organization');
  api.answer({
    'DELETE /api/organizations/{organization}': undefined,
    'GET /api/organizations': [organization],
  });
  await answer('Delete organization');
  await says('Depot was deleted.');
  await isActive(organization.name);
  await isGone(page.getByText(/^You no longer have access/));
  await expect.element(button('Delete organization')).toBeDisabled();
  await expect
    .element(button('Delete organization'))
    .toHaveAccessibleDescription(
      'This is your default organization. The default organization cannot be deleted.',
    );
});

it.each<[string, Organization[], string]>([
  ['the default one', [organization], ` You are now in ${organization.name}.`],
  ['none', [], ''],
])('somebody who loses access to an organization is told so, and is in %s then', async (_, left, where) => {
  const { api } = openDepot({ [INVITE]: refusal(404, 'Not found') });
  await says(guest.email);
  api.answer({ 'GET /api/organizations': left });
  await rowAction(guest.email, 'Invite again');
  await says(`You no longer have access to Depot.${where}`);
  if (left.length > 0) await isActive(organization.name);
  else await says('No organization selected');
});

it('an organization is created in a dialog, and is the active one then', async () => {
  const { api } = openDepot({ ...searched, 'POST /api/organizations': DOWN });
  await press('Create organization');
  await pressInDialog('Create organization');
  await says('Name is required');
  await dialog().getByLabelText('Name').fill('Shed');
  await pressInDialog('Create organization');
  await says('Failed to create organization');
  const shed = { ...depot, id: 3, name: 'Shed' };
  api.answer({ 'POST /api/organizations': shed });
  await answer('Create organization');
  await says('Shed was created.');
  await isActive('Shed');
  await expect.element(nameField()).toHaveValue('Shed');
  await keys('{Control>}k{/Control}');
  await page.getByRole('option', { name: 'Invite a member to Shed' }).click();
  await shows(page.getByRole('dialog', { name: 'Invite a member to Shed' }));
  await keys('{Escape}');
  await isGone(dialog());
  await keys('{Control>}k{/Control}');
  await isGone(page.getByRole('option', { name: 'Switch to Shed' }));
  await page.getByRole('option', { name: 'Switch to Depot' }).click();
  await isActive('Depot');
});

proof('of two organizations of one name, the palette switches to the one that is chosen', async () => {
  const twin = { ...organization, id: 3 };
  openDepot({ ...searched, 'GET /api/organizations': [organization, twin, depot] });
  await isActive('Depot');
  await keys('{Control>}k{/Control}');
  const options = page.getByRole('option', { name: `Switch to ${organization.name}` });
  await expect.poll(() => options.elements().length).toBe(2);
  await options.last().click();
  await isActive(organization.name);
  expect(localStorage.getItem('activeOrganizationId')).toBe('3');
});

proof('a page of organizations says once what could not be loaded, and is tried again', async () => {
  const { api } = openDepot({ 'GET /api/organizations': DOWN, [MEMBERS]: DOWN });
  await says(/^Failed to load organizations/);
  api.answer({ 'GET /api/organizations': [organization, depot] });
  await press('Try again');
  await says('Failed to load organization members');
  await isGone(heading('Pending invitations'));
  api.answer({ [MEMBERS]: membersOf(member) });
  await press('Try again');
  await shows(heading('Pending invitations'));
});

proof('an organization shows nothing of the one before it while its own data is on the way', async () => {
  const { answer: loaded, release } = held<ReturnType<typeof membersOf>>();
  const asked: number[] = [];
  const { api } = openDepot();
  await says(guest.email);
  api.answer({
    [MEMBERS]: within => {
      asked.push(within.organization);
      return loaded();
    },
  });
  await card().click();
  await expect.poll(() => asked).toEqual([organization.id]);
  await isGone(page.getByText(guest.email));
  await expect.element(nameField()).toHaveValue(organization.name);
  await expect.element(card()).toHaveFocus();
  release({ ...membersOf(member), pending_invitations: [] });
  await shows(page.getByRole('grid', { name: 'Members' }).getByText(member.email));
  expect(localStorage.getItem('activeOrganizationId')).toBe(String(organization.id));
});

it('another currency is stored once it is confirmed; a cancelled one is not said to be saved', async () => {
  const priced: Organization = { ...depot, role: 'OWNER', currency: 'EUR' };
  const { api } = openDepot({
    'GET /api/organizations': [organization, priced],
    'PUT /api/organizations/{organization}': { ...priced, currency: 'CHF' },
  });
  await field('Currency of values').selectOptions('CHF');
  await press('Save');
  await shows(dialog().getByText(/^Values that were reported so far stay the numbers that they are/));
  await pressInDialog('Cancel');
  await isGone(dialog());
  await expect.element(button('Save')).toBeEnabled();
  await isGone(page.getByText('Organization saved.'));
  expect(api.changes()).toEqual([]);
  await press('Save');
  await answer('Change currency');
  await says('Organization saved.');
  expect(api.changes()).toMatchObject([{ body: { currency: 'CHF' } }]);
});

proof('an organization is not left with something unsaved without being asked', async () => {
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

proof('an organization stays the one of its tab when another tab switches', async () => {
  const within: number[] = [];
  openDepot({
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
  expect(within).toEqual([depot.id]);
});

proof(
  'the lists are those of the organization to which one has gone back before either has answered',
  async () => {
    const { answer, release } = held<void>();
    const { api } = open('/email-lists', {
      'GET /api/organizations': [organization, depot],
      'GET /api/email-lists': async (within): Promise<EmailList[]> => {
        await answer();
        return within.organization === organization.id ? [list] : [];
      },
    });
    await expect.poll(() => api.count('GET /api/email-lists')).toBe(1);
    await switchTo(organization.name, depot.name);
    await isActive(depot.name);
    await switchTo(depot.name, organization.name);
    release();
    await shows(page.getByRole('grid').getByRole('link', { name: list.name }));
  },
);

proof(
  'members beyond the first page are shown by a button, and the keyboard goes on with the first new one',
  async () => {
    const eve = { ...colleague, id: 'u3', name: 'Eve' };
    openDepot({
      [MEMBERS]: ({ query }) =>
        query.has('cursor') ? membersOf(eve) : { ...membersOf(member, colleague), next_cursor: 'more' },
    });
    await says('The first 2 members');
    const rows = () => page.getByRole('grid', { name: 'Members' }).element().querySelectorAll('tbody tr');
    await focus(button('Show more members'));
    await keys('{Enter}');
    await expect.poll(() => rows().length).toBe(3);
    await expect.poll(() => document.activeElement).toBe(rows()[2]);
    await isGone(button('Show more members'));
    await says('3 members');
  },
);

it('the roles of two members are changed at once, and both are shown as they are stored', async () => {
  const eve: Member = { ...colleague, id: 'u3', name: 'Eve', email: 'eve@example.com' };
  const [one, other] = [held<Member>(), held<Member>()];
  openDepot({
    [MEMBERS]: membersOf(member, colleague, eve),
    'PUT /api/organizations/{organization}/members/{member}': ({ params }) =>
      params.member === eve.id ? other.answer() : one.answer(),
  });
  const role = (of: Member) => field(`Role of ${of.name}`);
  await role(colleague).selectOptions('Admin');
  await role(eve).selectOptions('Admin');
  one.release({ ...colleague, role: 'ADMIN' });
  await says(`${colleague.name} is now an admin.`);
  other.release({ ...eve, role: 'ADMIN' });
  await says('Eve is now an admin.');
  await expect.element(role(colleague)).toHaveValue('ADMIN');
  await expect.element(role(eve)).toHaveValue('ADMIN');
});

proof('a role that the server refuses to change is the one before again, with the reason', async () => {
  const { api } = openDepot({
    'PUT /api/organizations/{organization}/members/{member}': refusal(409, 'Grace is gone'),
  });
  const role = field(`Role of ${colleague.name}`);
  await role.selectOptions('Viewer');
  await says('Grace is gone');
  await expect.element(role).toHaveValue('USER');
  expect(api.changes().map(({ body }) => body)).toEqual([{ role: 'VIEWER' }]);
  api.answer({ 'PUT /api/organizations/{organization}/members/{member}': { ...colleague, role: 'VIEWER' } });
  await role.selectOptions('Viewer');
  await says(`${colleague.name} is now a viewer.`);
});

/** A page whose data is never there, in the first of so many organizations. */
const openSwitcher = (count: number) => {
  const depots = Array.from({ length: count - 1 }, (_, at) => ({
    ...depot,
    id: at + 2,
    name: `Depot ${at + 1}`,
  }));
  return open('/safeguards', {
    'GET /api/safeguards': () => new Promise(() => undefined),
    'GET /api/organizations': [organization, ...depots],
  });
};
const switcher = () => page.getByRole('button', { name: /^Active organization:/ });

it('the switcher is a menu that acts on a choice, not on each arrow key, and gives the focus back', async () => {
  openSwitcher(3);
  await focus(switcher());
  await keys('{Enter}');
  await highlighted().toContain(organization.name);
  await keys('{ArrowDown}');
  await highlighted().toContain('Depot 1');
  await keys('{Escape}');
  await isGone(page.getByRole('menu'));
  await isActive(organization.name);
  await expect.element(switcher()).toHaveFocus();
  await keys('{Enter}');
  await highlighted().toContain(organization.name);
  await keys('d');
  await highlighted().toContain('Depot 1');
  await keys('{Enter}');
  await isActive('Depot 1');
  expect(localStorage.getItem('activeOrganizationId')).toBe('2');
});

it('the switcher offers to create an organization, and to manage them', async () => {
  openSwitcher(2);
  await switcher().click();
  await menuItem('Create organization').click();
  await shows(page.getByRole('dialog', { name: 'Create organization' }));
  await keys('{Escape}');
  await isGone(dialog());
  await switcher().click();
  await expect.element(menuItem('Manage organizations')).toHaveAttribute('href', '/access-control');
});

proof('the switcher is a search from six organizations on', async () => {
  openSwitcher(6);
  await switcher().click();
  await page.getByRole('combobox', { name: 'Search your organizations' }).fill('depot 5');
  const options = () => page.getByRole('option').elements();
  await expect.poll(() => options().map(({ textContent }) => textContent)).toEqual(['DDepot 5']);
  await keys('{Enter}');
  await isActive('Depot 5');
});

const missing = refusal(404, 'Not found');
const readers: EmailList = { ...list, id: 'readers', name: 'Readers' };
const customers: EmailList = { ...list, id: 'customers' };

/** Opens a path in the first of two organizations: it has the list Readers; the other one, Depot, has Customers with Ada. */
function openInFirst(path: string, answers: Answers = {}) {
  localStorage.setItem('activeOrganizationId', String(organization.id));
  const asked: number[] = [];
  const listsOf = (id: number) => (id === organization.id ? [readers] : [customers]);
  const opened = open(path, {
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': within => listsOf(within.organization),
    'GET /api/email-lists/{list}': within => {
      asked.push(within.organization);
      return listsOf(within.organization).find(({ id }) => id === within.params.list) ?? missing;
    },
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    'GET /api/email-lists/{list}/members': missing,
    'GET /api/list-members/{listMember}': within => (within.organization === depot.id ? ada : missing),
    'GET /api/list-member-actions': [],
    'GET /api/email-sends': sendsPage([]),
    'GET /api/automations-for-templates': [],
    ...profile,
    ...answers,
  });
  return { ...opened, asked, path: () => opened.router.state.location.pathname };
}
const isShown = (name: string) => shows(heading(name));
/** What Depot answers about its list, which the other organization does not have. */
const ofDepot = (reply: () => EmailList | Response | Promise<EmailList>): Answers => ({
  'GET /api/email-lists/{list}': within => (within.organization === depot.id ? reply() : missing),
});

proof('the page of a member of another organization is opened there, as its address says', async () => {
  const { path } = openInFirst('/list-members/m1');
  await says('Switched to Depot, which this list member belongs to.');
  await isShown('ada@example.com');
  expect(path()).toBe('/list-members/m1');
});

proof(
  'each page is shown in its own organization, back and forth; a switch by hand leads to the lists',
  async () => {
    const { router, path } = openInFirst('/email-lists/readers');
    await isShown('Readers');
    await router.navigate('/email-lists/customers');
    await isShown('Customers');
    await says('Switched to Depot, which this list belongs to.');
    await router.navigate(-1);
    await isShown('Readers');
    await isActive(organization.name);
    await switchTo(organization.name, depot.name);
    await isShown('Email Lists');
    expect(path()).toBe('/email-lists');
    await shows(link('Customers'));
  },
);

proof('a list is looked for again where an organization did not answer', async () => {
  const { api } = openInFirst(
    '/email-lists/customers',
    ofDepot(() => new Response('', { status: 502 })),
  );
  await says('Failed to fetch email list details');
  await isActive(organization.name);
  api.answer(ofDepot(() => customers));
  await press('Try again');
  await isActive(depot.name);
});

proof('a list that was shown and is deleted is looked for nowhere else', async () => {
  const { api, asked } = openInFirst('/email-lists/readers/edit');
  await field('Name').first().fill('Gone');
  api.answer({
    'GET /api/email-lists': [],
    'PUT /api/email-lists/{list}': missing,
    'GET /api/email-lists/{list}': within => {
      asked.push(within.organization);
      return missing;
    },
  });
  await press('Save');
  await says('Email list not found');
  await isShown('Email Lists');
  expect(asked).not.toContain(depot.id);
});

proof('somebody who goes on while the organizations are asked stays where they went', async () => {
  const { answer, release } = held<EmailList>();
  const { path } = openInFirst('/email-lists/customers', ofDepot(answer));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await isShown('Profile');
  release(customers);
  await says('This browser');
  await isGone(page.getByText('Switched to'));
  await isActive(organization.name);
  expect(path()).toBe('/profile');
});

proof(
  'nothing is typed into a form before its list is found, and what is typed elsewhere is kept',
  async () => {
    const { answer, release } = held<EmailList>();
    openInFirst('/email-lists/customers/members/new', {
      ...ofDepot(answer),
      'GET /api/automations': [],
      'GET /api/email-templates': [],
    });
    await isActive(organization.name);
    await isGone(field('Email'));
    await keys('{Control>}k{/Control}');
    await page.getByRole('option', { name: 'Create organization' }).click();
    await dialog().getByLabelText('Name').fill('Half a na');
    release(customers);
    await says('Switched to Depot, which this list belongs to.');
    await expect.element(dialog().getByLabelText('Name')).toHaveValue('Half a na');
  },
);

const PERSON = 'POST /api/recipients/export';
const saved = watchSavedFile();
const address = () => field('Address of a person');

it('somebody who is on no list is exported and erased by their address', async () => {
  const { api } = openDepot({ [PERSON]: storedPerson() });
  await address().fill(ada.email);
  await press('Export data');
  await expect.poll(() => saved()?.name).toContain(ada.email);
  await press('Erase person…');
  await says(/they are on no list/);
  await field(`Type “${ada.email}” to confirm`).fill(ada.email);
  api.answer({ 'POST /api/recipients/erase': { erased_at: '2026-01-05T08:00:00Z', complete: true } });
  await pressInDialog('Erase person');
  await isGone(dialog());
  await expect.element(address()).toHaveValue('');
});

proof('the address of a person says that it is none, or that nothing is stored about it', async () => {
  const { api } = openDepot({
    [PERSON]: refusal(422, 'Invalid', { email: ['Enter a valid email address'] }),
  });
  await address().fill('ada');
  await press('Erase person…');
  await expect.element(address()).toHaveAccessibleErrorMessage('Enter a valid email address');
  const nothing = 'Nothing is stored about this address in the organization.';
  api.answer({ [PERSON]: refusal(404, nothing) });
  await press('Export data');
  await expect.element(address()).toHaveAccessibleErrorMessage(nothing);
  expect(saved()).toBeUndefined();
});

proof('nobody can be erased while they are still being exported, and the button says so', async () => {
  const { answer, release } = held<ReturnType<typeof storedPerson>>();
  openDepot({ [PERSON]: answer });
  await address().fill(ada.email);
  await press('Export data');
  await expect.element(button('Erase person…')).toHaveAttribute('aria-disabled', 'true');
  release(storedPerson());
  await expect.element(button('Erase person…')).not.toHaveAttribute('aria-disabled');
});
