import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailAssetDetail, EmailAssetRow } from '#shared/email-asset.ts';
import { toaster } from '#web/components/toaster.tsx';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import {
  asset,
  assetDetail,
  assetRow,
  automation,
  depot,
  organization,
  profile,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import {
  button,
  dialog,
  field,
  heading,
  isGone,
  keys,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  warns,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';

const welcome = { id: automation.id, name: automation.name };
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const EMPTY = Response.json({});
const welcomeId = 'bf8cj7lluq5i';

describe('automations', () => {
  const one = {
    'GET /api/automations/{automation}': automation,
    'GET /api/automations/{automation}/forecast': DOWN,
    'GET /api/automations': [automation],
  };
  const errors = { name: ['Name is required'], email_list_ids: ['No such list'] };
  const refused = refusal(422, 'Invalid', errors);
  const fault = 'Failed to update automation: Name is required, No such list';

  it('the list says why a change was refused, and shows what is stored', async () => {
    open('/automations', { ...one, 'PUT /api/automations/{automation}': refused });
    await rowAction('welcome', 'Deactivate');
    await says(fault);
    await expect.element(row('welcome').getByText('Active')).toBeVisible();
  });

  it('the page of one says what was not done, and shows what is stored', async () => {
    const { api } = open('/automations/a1', { ...one, 'PUT /api/automations/{automation}': refused });
    await press('Deactivate');
    await says(fault);
    await expect.element(page.getByRole('definition').filter({ hasText: 'Active' })).toBeVisible();
    api.answer({
      'PUT /api/automations/{automation}': DOWN,
      'DELETE /api/automations/{automation}': DOWN,
    });
    await press('Deactivate');
    await says('Failed to update automation status. Please try again.');
    await press('Delete Automation');
    await pressInDialog('Delete Automation');
    await says('Failed to delete automation. Please try again.');
  });

  it('that could not be loaded are said so', async () => {
    open('/automations', { 'GET /api/automations': DOWN });
    await says('Failed to fetch automations. Please try again.');
  });

  it('one that could not be loaded is loaded after a retry', async () => {
    const { api } = open('/automations/a1', { ...one, 'GET /api/automations/{automation}': DOWN });
    await says('Failed to fetch automation. Please try again.');
    api.answer(one);
    await press('Try again');
    await expect.element(heading('welcome')).toBeVisible();
  });
});

describe('email templates', () => {
  const one = {
    'GET /api/email-templates': [template],
    'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en' as const] },
    'GET /api/email-templates/{emailTemplate}': templateDetail,
    'GET /api/automations-for-templates': [welcome],
  };
  const down = {
    'PUT /api/email-templates/{emailTemplate}': DOWN,
    'PUT /api/email-templates/{emailTemplate}/automations': DOWN,
    'POST /api/email-templates/{emailTemplate}/duplicate': DOWN,
    'DELETE /api/email-templates/{emailTemplate}': DOWN,
  };

  it.each([
    [{ is_owner: true, can_edit: true }, ['View', 'Duplicate', 'Deactivate', 'Delete']],
    [{ is_owner: false, can_edit: true }, ['View', 'Duplicate', 'Deactivate']],
    [{ is_owner: false, can_edit: false }, ['View']],
  ])('the list offers with %o what the API allows', async (rights, actions) => {
    open('/email-templates', { ...one, 'GET /api/email-templates': [{ ...template, ...rights }] });
    await press('Actions for Welcome');
    const offered = () => [...document.querySelectorAll('[role=menuitem]')].map(item => item.textContent);
    await expect.poll(offered).toEqual(actions);
  });

  it('the page of one says what was not done', async () => {
    open('/email-templates/t1', { ...one, ...down });
    await press('Deactivate');
    await says('Failed to update template status');
    await press('Duplicate');
    await says('Failed to prepare template duplication');
    await field('Template Name').fill('Hello');
    await press('Save');
    await warns('Failed to update template name');
    await field('Template Name').fill('Welcome');
    await press('Edit Automations');
    await press('Select All');
    await press('Save Changes');
    await warns('Failed to update automations');
    await press('Cancel');
    await press('Delete');
    await pressInDialog('Delete');
    await warns('Failed to delete template');
  });

  it('after a change, what others have changed meanwhile is shown too', async () => {
    const { emailTemplate, ...detail } = templateDetail;
    const changed = { ...emailTemplate, name: 'Hello' };
    const { api } = open('/email-templates/t1', {
      ...one,
      'PUT /api/email-templates/{emailTemplate}': changed,
    });
    await field('Template Name').fill('Hello');
    api.answer({
      'GET /api/email-templates/{emailTemplate}': {
        ...detail,
        emailTemplate: { ...changed, is_active: false },
      },
    });
    await press('Save');
    await expect.element(button('Activate')).toBeVisible();
  });

  it('one that is not created says why, and stays typed', async () => {
    const { api } = open('/email-templates/new', {
      'GET /api/automations-for-templates': [],
      'POST /api/email-templates': EMPTY,
    });
    await field('Template Name').fill('Spring');
    await field('Subject Line').fill('Spring is here');
    await field('Pre-CTA Content').fill('Hello');
    await field('CTA Text').fill('Look around');
    await field('CTA URL').fill('https://example.com/');
    await press('Create Email Template');
    await says('Unexpected response from server');
    api.answer({ 'POST /api/email-templates': DOWN });
    await press('Create Email Template');
    await says('Failed to create email template');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
    await press('Keep editing');
    await isGone(dialog());
    await expect.element(field('Subject Line')).toHaveValue('Spring is here');
  });

  it('one that is refused at its fields says so in a toast as well', async () => {
    open('/email-templates/new', {
      'GET /api/automations-for-templates': [welcome],
      'POST /api/email-templates': refusal(422, 'Invalid', { automation_ids: ['No such automation'] }),
    });
    await field('Template Name').fill('Spring');
    await field('Subject Line').fill('Spring is here');
    await field('Pre-CTA Content').fill('Hello');
    await field('CTA Text').fill('Look around');
    await field('CTA URL').fill('https://example.com/');
    await press('Create Email Template');
    await says('Failed to create email template');
    const links = page.getByRole('group', { name: 'Link to Automations' });
    await expect.element(links).toHaveAccessibleDescription('No such automation');
    await expect.element(links.getByRole('checkbox')).toHaveFocus();
  });

  it('a content that is getting too long is counted, and refused while it is typed', async () => {
    open('/email-templates/new', { 'GET /api/automations-for-templates': [] });
    const subject = field('Subject Line');
    await subject.fill('x'.repeat(203));
    await isGone(page.getByText('of 255'));
    await subject.fill('x'.repeat(204));
    await says('204 of 255 characters');
    await subject.fill('x'.repeat(256));
    await says('256 of 255 characters');
    await warns('Subject line must be at most 255 characters');
    await subject.fill('x'.repeat(255));
    await isGone(page.getByText('Subject line must be at most 255 characters'));
  });

  it('one that could not be loaded is not left for the list, and is loaded after a retry', async () => {
    const { api } = open('/email-templates/t1', { ...one, 'GET /api/email-templates/{emailTemplate}': DOWN });
    await warns('Failed to load email template details');
    await expect.element(page.getByRole('link', { name: 'Back to Email Templates' })).toBeVisible();
    api.answer(one);
    await press('Try again');
    await expect.element(heading('Welcome')).toBeVisible();
  });

  it('one that does not exist is not left for the list, to which a link leads', async () => {
    open('/email-templates/nothing', { ...one, 'GET /api/email-templates/{emailTemplate}': refusal(404) });
    await says("Template not found or you don't have permission to view it.");
    await page.getByRole('link', { name: 'Back to Email Templates' }).click();
    await expect.element(row('Welcome')).toBeVisible();
  });

  it('that could not be loaded are said so', async () => {
    open('/email-templates', { ...one, 'GET /api/email-templates': DOWN });
    await says('Failed to load email templates');
  });
});

/** The list, which searches, filters and has pages as the server does. */
const pageOfAssets =
  (rows: EmailAssetRow[]): Answers['GET /api/email-assets'] =>
  ({ query }) => {
    const has = (name: string, ...values: string[]) =>
      !query.get(name) ||
      query
        .get(name)
        ?.split(',')
        .some(one => values.includes(one));
    const data = rows.filter(
      ({ name, type, is_active, automations }) =>
        (name ?? '').includes(query.get('search') ?? '') &&
        has('types', type) &&
        has('status', is_active ? 'active' : 'inactive') &&
        has('automations', ...automations.map(({ id }) => id)),
    );
    const current_page = Number(query.get('page') ?? 1);
    return {
      data: data.slice((current_page - 1) * 50, current_page * 50),
      current_page,
      last_page: Math.max(1, Math.ceil(data.length / 50)),
      total: rows.length,
      found: data.length,
    };
  };

describe('email assets', () => {
  const one = {
    'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 },
    'GET /api/email-assets/{emailAsset}': assetDetail,
    'GET /api/automations-for-assets': [welcome],
  };
  const down = { 'PUT /api/email-assets/{emailAsset}': DOWN, 'DELETE /api/email-assets/{emailAsset}': DOWN };

  it('the page of one says what was not done, and shows what is stored', async () => {
    open('/email-assets/e1', { ...one, ...down });
    await press('Edit');
    await field('welcome').click();
    await press('Save');
    await says('Failed to update automations. Please try again.');
    await press('Cancel');
    await press('Deactivate');
    await says('Failed to update email asset status. Please try again.');
    await expect.element(page.getByRole('definition').filter({ hasText: /^Active$/ })).toBeVisible();
    await press('Delete Asset');
    await pressInDialog('Delete Asset');
    await expect.element(dialog().getByText('Failed to delete email asset. Please try again.')).toBeVisible();
  });

  it('links that are being saved cannot be cancelled, and a failure is said', async () => {
    const { answer: saved, release } = held<Response>();
    open('/email-assets/e1', { ...one, 'PUT /api/email-assets/{emailAsset}': saved });
    await press('Edit');
    await field('welcome').click();
    await press('Save');
    await button('Cancel').click({ force: true });
    release(DOWN);
    await warns('Failed to update automations. Please try again.');
  });

  it('the page of one says that automations could not be loaded', async () => {
    open('/email-assets/e1', { ...one, 'GET /api/automations-for-assets': DOWN });
    await press('Edit');
    await says('Failed to load automations. Please try again.');
  });

  it('one that could not be loaded is neither shown nor duplicated', async () => {
    const { router } = open('/email-assets', { ...one, 'GET /api/email-assets/{emailAsset}': DOWN });
    await rowAction('Spring', 'Duplicate');
    await says('Failed to duplicate email asset. Please try again.');
    await router.navigate('/email-assets/e1');
    await says('Failed to fetch email asset. Please try again.');
  });

  it('one that is refused for its links says so at them, where the focus goes', async () => {
    open('/email-assets/new', {
      'GET /api/automations-for-assets': [welcome],
      'POST /api/email-assets': refusal(422, 'Invalid', { automation_ids: ['No such automation'] }),
    });
    await field('Content').fill('Hello');
    await press('Create Email Asset');
    await expect
      .element(page.getByRole('group', { name: 'Link to Automations' }))
      .toHaveAccessibleDescription('No such automation');
    await expect.element(field('welcome')).toHaveFocus();
  });

  it.each([
    [EMPTY, 'Unexpected response from server'],
    [refusal(500, ''), 'Failed to create email asset'],
    [refusal(422, 'Invalid', { name: ['Too odd a name'] }), 'Too odd a name'],
  ])('one that is not created says why, and stays as it is: %#', async (reply, message) => {
    const { router } = open('/email-assets/new', {
      'GET /api/automations-for-assets': [],
      'POST /api/email-assets': reply,
    });
    await field('Content').fill('Hello');
    await press('Create Email Asset');
    await says(message);
    await expect.element(field('Content')).toHaveValue('Hello');
    await expect.element(button('Create Email Asset')).toBeVisible();
    expect(router.state.location.pathname).toBe('/email-assets/new');
  });

  it('“and Continue” stays for the next one, and says so for 4 seconds, of a duplicate for 5', async () => {
    const durationOf = (title: string) =>
      toaster.getVisibleToasts().find(shown => shown.title === title)?.meta?.duration;
    const { api, router } = open('/email-assets/new', {
      'GET /api/automations-for-assets': [{ id: welcomeId, name: 'welcome' }],
      'POST /api/email-assets': Response.json(asset, { status: 201 }),
    });
    await field('Type').selectOptions('Preheader');
    await field('Content').fill('The first one');
    await field('welcome').click();
    await press('Create Email Asset and Continue');
    await says('Email asset created successfully!');
    expect(durationOf('Email asset created successfully!')).toBe(4000);
    expect(router.state.location.pathname).toBe('/email-assets/new');
    await expect.element(field('Content')).toHaveValue('');
    await expect.element(field('Type')).toHaveValue('preheader');
    await says('1 automation(s) selected');
    const taken = 'An email asset with this type and content already exists';
    api.answer({ 'POST /api/email-assets': refusal(422, 'Invalid', { value: [taken] }) });
    await field('Content').fill('The first one');
    await press('Create Email Asset and Continue');
    await expect.poll(() => page.getByText(taken).elements()).toHaveLength(2);
    expect(durationOf(taken)).toBe(5000);
  });

  it('a footer begins with the link to unsubscribe, and must have it', async () => {
    const { api } = open('/email-assets/new', { 'GET /api/automations-for-assets': [] });
    await field('Type').selectOptions('Footer');
    await says(/{{UNSUB_LINK}} is mandatory/);
    await expect
      .element(field('Content'))
      .toHaveValue('To unsubscribe from these emails, click here: {{UNSUB_LINK}}');
    await field('Type').selectOptions('Preheader');
    await expect.element(field('Content')).toHaveValue('');
    await field('Content').fill('Bye');
    await field('Type').selectOptions('Footer');
    await expect.element(field('Content')).toHaveValue('Bye');
    await press('Create Email Asset');
    await says('Footer must contain {{UNSUB_LINK}} placeholder for unsubscribe link.');
    expect(api.changes()).toEqual([]);
  });

  it('a duplicate begins with name, type, content and status of the other one', async () => {
    const spring = { ...asset, type: 'cta_text' as const, value: 'Look around', is_active: false };
    const { api } = open('/email-assets', {
      ...one,
      'GET /api/email-assets/{emailAsset}': { ...assetDetail, emailAsset: spring },
      'POST /api/email-assets': Response.json(asset, { status: 201 }),
    });
    await rowAction('Spring', 'Duplicate');
    await expect.element(heading('Duplicate Email Asset')).toBeVisible();
    const isFilled = async () => {
      await expect.element(field('Name')).toHaveValue('Spring (copy)');
      await expect.element(field('Type')).toHaveValue('cta_text');
      await expect.element(page.getByLabelText('Content', { exact: true })).toHaveValue('Look around');
    };
    await isFilled();
    await expect.element(page.getByRole('checkbox', { name: /^Active/ })).not.toBeChecked();
    await field('Content').fill('Look here');
    await press('Create Email Asset');
    await page.getByRole('link', { name: 'Spring', exact: true }).click();
    expect(api.changes()).toMatchObject([
      { body: { name: 'Spring (copy)', type: 'cta_text', value: 'Look here', is_active: false } },
    ]);
    await press('Duplicate');
    await isFilled();
  });

  it('are searched, filtered and paged by the server, and the address keeps it', async () => {
    const rows: EmailAssetRow[] = Array.from({ length: 51 }, (_, at) => ({
      ...assetRow,
      id: `e${at}`,
      name: `Number ${at}`,
      is_active: at > 0,
      automations: at === 2 ? [welcome] : [],
      ...(at === 0 && { name: 'Old one' }),
      ...(at === 2 && { type: 'footer' as const }),
    }));
    const { router } = open('/email-assets', { ...one, 'GET /api/email-assets': pageOfAssets(rows) });
    const shown = () => [...document.querySelectorAll('td.primary')].map(({ textContent }) => textContent);
    const address = () => router.state.location.search;
    await says('51 assets');
    await expect.poll(shown).toHaveLength(50);
    await press('Next page');
    await expect.poll(shown).toEqual(['Number 50']);
    await field('Search by name or content').fill('Old');
    await expect.poll(shown).toEqual(['Old one']);
    expect(address()).toBe('?search=Old');
    await says('1 of 51 assets matches');
    await page.getByLabelText('Status', { exact: true }).selectOptions('Active');
    await says('No assets match your search');
    await press('Clear search and filters');
    await page.getByRole('button', { name: /^Types/ }).click();
    await dialog().getByText('Footer').click();
    await keys('{Escape}');
    await expect.poll(shown).toEqual(['Number 2']);
    expect(address()).toBe('?types=footer');
    await reload(router);
    await expect.poll(shown).toEqual(['Number 2']);
  });

  it.each([
    [`automations=${welcome.id}`, '1 of 2 assets matches'],
    ['page=9', 'There is no page 9'],
  ])('are shown as the address says: %s', async (query, text) => {
    const rows = [assetRow, { ...assetRow, id: 'e2', automations: [welcome] }];
    open(`/email-assets?${query}`, { ...one, 'GET /api/email-assets': pageOfAssets(rows) });
    await says(text);
  });

  it('are found from the templates, with the palette, and in the navigation', async () => {
    open('/email-templates', {
      ...one,
      ...profile,
      'GET /api/automations-for-templates': [],
      'GET /api/email-templates': [],
      'GET /api/email-lists': [],
      'GET /api/automations': [],
      'GET /api/email-templates-summary': { total: 0, found: 0, languages: [] },
    });
    await page.getByRole('main').getByRole('link', { name: 'Email Assets' }).click();
    await expect.element(heading('Email Assets')).toBeVisible();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(navigation.element().querySelector('[aria-current=page]')?.textContent).toBe('Email Assets');
    await navigation.getByRole('link', { name: 'Profile' }).click();
    await expect.element(heading('Profile')).toBeVisible();
    await keys('{Control>}k{/Control}');
    await page.getByRole('combobox', { name: 'Search pages and commands' }).fill('email assets');
    await expect
      .poll(() => document.querySelector('[role=option][data-highlighted]')?.textContent)
      .toContain('Email Assets');
    await keys('{Enter}');
    await expect.element(heading('Email Assets')).toBeVisible();
  });
});

describe('what is not plain is explained where it stands', () => {
  const mark = (name: RegExp) => page.getByRole('button', { name });

  it('beside the label of a field, which stays as it is', async () => {
    open('/email-templates/new', { 'GET /api/automations-for-templates': [] });
    await expect.element(field('Pre-CTA Content')).toBeVisible();
    await mark(/^Pre-CTA Content: /).click();
    await says(/^The text above the button\. CTA is short for/);
  });

  it('in the head of a table, also by keyboard', async () => {
    open('/automations', { 'GET /api/automations': [automation] });
    await expect
      .element(page.getByRole('columnheader', { name: 'Email Eligibility', exact: true }))
      .toBeVisible();
    mark(/^Email Eligibility: /)
      .element()
      .focus({ focusVisible: true } as FocusOptions);
    await says(/^An automation is eligible if/);
  });
});

it.each([
  ['the form of a template', '/email-templates/new'],
  ['the form of an asset', '/email-assets/new'],
  ['the form of an asset set', '/email-assets/new-set'],
  ['the page of an asset', '/email-assets/s1'],
])('automations are linked alike: in %s', async (_, path) => {
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `a${index}`, name: `number_${index}` }));
  open(path, {
    'GET /api/automations-for-templates': many,
    'GET /api/automations-for-assets': many,
    'GET /api/email-assets/{emailAsset}': { ...assetDetail, automations: [] },
  });
  if (path.endsWith('s1')) await press('Edit');
  await press('Select All');
  await says('12 automation(s) selected');
  await says('+ 9 more');
  await press('Deselect All');
  await field('Search automations').fill('zzz');
  await says('No automation matches “zzz”.');
  await field('Search automations').fill('_11');
  await page.getByRole('checkbox', { name: 'number_11' }).click();
  await says('1 automation(s) selected');
});

it('one who has gone to another organization meanwhile gets no form with what was duplicated', async () => {
  const { answer, release } = held<EmailAssetDetail>();
  localStorage.setItem('activeOrganizationId', String(organization.id));
  const { api, router } = open('/email-assets', {
    'GET /api/organizations': [organization, depot],
    'GET /api/automations-for-assets': [],
    'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 },
    'GET /api/email-assets/{emailAsset}': answer,
  });
  await rowAction('Spring', 'Duplicate');
  await expect.poll(() => api.count('GET /api/email-assets/e1')).toBe(1);
  await press(`Active organization: ${organization.name}`);
  await menuItem(depot.name).click();
  await expect.element(button(`Active organization: ${depot.name}`)).toBeVisible();
  release(assetDetail);
  await press(`Active organization: ${depot.name}`);
  await expect.element(menuItem(organization.name)).toBeVisible();
  expect(router.state.location.pathname).toBe('/email-assets');
});
