import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { organization } from '../support/components/examples.ts';
import { button, dialog, focus, highlighted, keys, menuItem } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

/** On a page whose data is never there. */
const openWith = (count: number) =>
  open('/safeguards', {
    'GET /api/safeguards': () => new Promise(() => undefined),
    'GET /api/organizations': [
      organization,
      ...Array.from({ length: count - 1 }, (_, index) => ({
        ...organization,
        id: index + 2,
        name: `Depot ${index + 1}`,
        is_default: false,
      })),
    ],
  });

const switcher = () => page.getByRole('button', { name: /^Active organization:/ });
const isActive = (name: string) => expect.element(button(`Active organization: ${name}`)).toBeVisible();

it('the switcher is a menu that acts on a choice, not on each arrow key, and gives the focus back', async () => {
  openWith(3);
  await isActive(organization.name);
  await focus(switcher());
  await keys('{Enter}');
  await highlighted().toContain(organization.name);
  await keys('{ArrowDown}');
  await highlighted().toContain('Depot 1');
  await keys('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await isActive(organization.name);
  await expect.element(switcher()).toHaveFocus();

  await keys('{Enter}');
  await highlighted().toContain(organization.name);
  await keys('d');
  await highlighted().toContain('Depot 1');
  await keys('{Enter}');
  await isActive('Depot 1');
});

it('the switcher offers to create an organization, and to manage them', async () => {
  const { router } = openWith(2);
  await switcher().click();
  await menuItem('Create organization').click();
  await expect.element(page.getByRole('dialog', { name: 'Create organization' })).toBeVisible();
  await keys('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await switcher().click();
  await expect.element(menuItem('Manage organizations')).toHaveAttribute('href', '/access-control');
  expect(router.state.location.pathname).toBe('/safeguards');
});

it('the switcher is a search from six organizations on', async () => {
  openWith(6);
  await switcher().click();
  await page.getByRole('combobox', { name: 'Search your organizations' }).fill('depot 5');
  const options = () =>
    page
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(options).toEqual(['DDepot 5']);
  await keys('{Enter}');
  await isActive('Depot 5');
});
