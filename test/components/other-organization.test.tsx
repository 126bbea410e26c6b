import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { ada, depot, list, organization, profile } from '../support/components/examples.ts';
import { button, dialog, field, heading, isGone, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const SWITCHED = 'Switched to Depot, which this list belongs to.';
const missing = refusal(404, 'Not found');
const customers: EmailList = { ...list, id: 'customers' };
const readers: EmailList = { ...list, id: 'readers', name: 'Readers' };
const LISTS = new Map([
  [organization.id, [readers]],
  [depot.id, [customers]],
]);

/** Opens a path in the first of two organizations: it has the list Readers; the other one, Depot, has Customers with Ada. */
function openInFirst(path: string, answers: Answers = {}) {
  localStorage.setItem('activeOrganizationId', String(organization.id));
  /** The organizations within which a list was asked for, in order. */
  const asked: number[] = [];
  const opened = open(path, {
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': within => LISTS.get(within.organization) ?? [],
    'GET /api/email-lists/{list}': within => {
      asked.push(within.organization);
      return LISTS.get(within.organization)?.find(({ id }) => id === within.params.list) ?? missing;
    },
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    'GET /api/email-lists/{list}/members': missing,
    'GET /api/list-members/{listMember}': within => (within.organization === depot.id ? ada : missing),
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    ...profile,
    ...answers,
  });
  return { ...opened, asked, path: () => opened.router.state.location.pathname };
}

const isActive = (name: string) => expect.element(button(`Active organization: ${name}`)).toBeVisible();
const isShown = (name: string) => expect.element(heading(name)).toBeVisible();

it.each([
  ['/email-lists/customers/edit', 'Edit Customers', 'list'],
  ['/email-lists/customers/members/new', 'Add member to Customers', 'list'],
  ['/list-members/m1', 'ada@example.com', 'list member'],
])('%s of another organization of one’s own is opened there', async (address, title, noun) => {
  const { path } = openInFirst(address);
  await says(`Switched to Depot, which this ${noun} belongs to.`);
  await isShown(title);
  expect(path()).toBe(address);
});

it('back and forth, each page is shown in its own organization; a switch by hand still leads to the lists', async () => {
  const { router, path } = openInFirst('/email-lists/readers');
  await isShown('Readers');
  await router.navigate('/email-lists/customers');
  await isShown('Customers');
  await router.navigate(-1);
  await isShown('Readers');
  await isActive(organization.name);
  await router.navigate(1);
  await isShown('Customers');
  await isActive('Depot');
  await press('Active organization: Depot');
  await page.getByRole('menuitem', { name: organization.name }).click();
  await isShown('Email Lists');
  expect(path()).toBe('/email-lists');
  await expect.element(page.getByRole('link', { name: 'Readers' })).toBeVisible();
});

it('with one organization, nothing more is asked', async () => {
  const { asked } = openInFirst('/email-lists/customers', { 'GET /api/organizations': [organization] });
  await says('Email list not found');
  await isShown('Email Lists');
  expect(asked).toEqual([organization.id]);
});

it('what belongs to others is not found, after each organization of one’s own was asked once', async () => {
  const { asked } = openInFirst('/email-lists/foreign');
  await says('Email list not found');
  await isShown('Email Lists');
  expect(asked).toEqual([organization.id, depot.id]);
  await isActive(organization.name);
});

it('an organization that one was removed from has it no more', async () => {
  // The organizations that the page knows are those before the removal.
  openInFirst('/email-lists/customers', {
    'GET /api/email-lists/{list}': within => (within.organization === depot.id ? refusal(403) : missing),
  });
  await says('Email list not found');
  await isActive(organization.name);
});

it('while an organization does not answer, it is unknown where a list is; opened again, it is looked for again', async () => {
  const { api } = openInFirst('/email-lists/customers', {
    'GET /api/email-lists/{list}': within => (within.organization === depot.id ? DOWN : missing),
  });
  await says('Failed to fetch email list details');
  await isActive(organization.name);
  api.answer({
    'GET /api/email-lists/{list}': within => (within.organization === depot.id ? customers : missing),
  });
  await press('Try again');
  await says(SWITCHED);
});

it('a list that was shown and is deleted is looked for nowhere else', async () => {
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

it('who goes on while the organizations are asked stays where they went', async () => {
  const { answer, release } = held<EmailList>();
  const { path } = openInFirst('/email-lists/customers', {
    'GET /api/email-lists/{list}': within => (within.organization === depot.id ? answer() : missing),
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await isShown('Profile');
  release(customers);
  await says('This browser');
  await isGone(page.getByText('Switched to'));
  await isActive(organization.name);
  expect(path()).toBe('/profile');
});

it('nothing is typed into a form before its list is found, and what is typed elsewhere is kept', async () => {
  const { answer, release } = held<EmailList>();
  const asked: number[] = [];
  openInFirst('/email-lists/customers/members/new', {
    'GET /api/automations': [],
    'GET /api/email-templates': [],
    'GET /api/email-lists/{list}': within => {
      asked.push(within.organization);
      return within.organization === depot.id ? answer() : missing;
    },
  });
  await expect.poll(() => asked).toEqual([organization.id, depot.id]);
  await isGone(field('Email'));
  await keys('{Control>}k{/Control}');
  await page.getByRole('option', { name: 'Create organization' }).click();
  await dialog().getByLabelText('Name').fill('Half a na');
  release(customers);
  await says(SWITCHED);
  expect(asked).toEqual([organization.id, depot.id, depot.id]);
  await expect.element(dialog().getByLabelText('Name')).toHaveValue('Half a na');
});
