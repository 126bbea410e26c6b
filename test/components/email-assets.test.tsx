import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAssetDetail, EmailAssetRow } from '#shared/email-asset.ts';
import { toaster } from '#web/components/toaster.tsx';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import {
  asset,
  assetDetail,
  assetRow,
  automation,
  depot,
  noEffect,
  noForecast,
  organization,
} from '../support/components/examples.ts';
import {
  button,
  checkbox,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const ONE = 'GET /api/email-assets/{emailAsset}';
const POST = 'POST /api/email-assets';
const SET = 'POST /api/email-asset-sets';
const NEW_SET = '/email-assets/new-set';
const welcome = { id: 'bf8cj7lluq5i', name: 'welcome' };
const created = (body: object) => Response.json(body, { status: 201 });
const around: Answers = {
  'GET /api/automations-for-assets': [welcome],
  'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 },
  [ONE]: assetDetail,
  [POST]: created(asset),
};
const openForm = (answers: Answers = {}) => open('/email-assets/new', { ...around, ...answers });

/** The list, which searches, filters and has pages as the server does. */
const pageOfAssets =
  (rows: EmailAssetRow[]): Answers['GET /api/email-assets'] =>
  ({ query }) => {
    const has = (name: string, value: string) => query.get(name)?.split(',').includes(value) ?? true;
    const found = rows.filter(
      ({ name, type, is_active }) =>
        (name ?? '').includes(query.get('search') ?? '') &&
        has('types', type) &&
        has('status', is_active ? 'active' : 'inactive'),
    );
    const current_page = Number(query.get('page') ?? 1);
    return {
      data: found.slice((current_page - 1) * 50, current_page * 50),
      current_page,
      last_page: Math.max(1, Math.ceil(found.length / 50)),
      total: rows.length,
      found: found.length,
    };
  };

proof('assets are searched, filtered and paged by the server, and the address keeps it', async () => {
  const rows = Array.from({ length: 51 }, (_, at) => ({ ...assetRow, id: `e${at}`, name: `Number ${at}` }));
  const [first, second, ...others] = rows as [EmailAssetRow, EmailAssetRow];
  const all: EmailAssetRow[] = [
    { ...first, name: 'Old one', is_active: false },
    { ...second, type: 'footer' },
    ...others,
  ];
  const { router } = open('/email-assets', { ...around, 'GET /api/email-assets': pageOfAssets(all) });
  const shown = () => textsOf('td.primary');
  const address = () => router.state.location.search;
  await says('51 assets');
  await press('Next page');
  await expect.poll(shown).toEqual(['Number 50']);
  await field('Search by name or content').fill('Old');
  await expect.poll(shown).toEqual(['Old one']);
  expect(address()).toBe('?search=Old');
  await says('1 of 51 assets matches');
  await page.getByLabelText('Status', { exact: true }).selectOptions('Active');
  await says('No assets match your search');
  await page.getByLabelText('Status', { exact: true }).selectOptions('All statuses');
  await expect.poll(shown).toEqual(['Old one']);
  await page.getByLabelText('Status', { exact: true }).selectOptions('Active');
  await press('Clear search and filters');
  await page.getByRole('button', { name: /^Types/ }).click();
  await dialog().getByText('Footer').click();
  await keys('{Escape}');
  await expect.poll(shown).toEqual(['Number 1']);
  expect(address()).toBe('?types=footer');
  await reload(router);
  await expect.poll(shown).toEqual(['Number 1']);
});

proof(
  'assets that were found before are not shown as those of a filter that failed, nor their absence',
  async () => {
    const answering = { 'GET /api/email-assets': pageOfAssets([assetRow]) };
    const { api, router } = open('/email-assets', { ...around, ...answering });
    await says('1 asset');
    api.answer({ 'GET /api/email-assets': DOWN });
    await router.navigate('?search=Old');
    await warns('Failed to load email assets');
    await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
    api.answer(answering);
    await press('Try again');
    await says('No assets match your search');
    api.answer({ 'GET /api/email-assets': DOWN });
    await router.navigate('?search=Older');
    await warns('Failed to load email assets');
    await isGone(page.getByText('No assets match your search'));
  },
);

proof(
  '“and Continue” keeps type and automations for the next asset, and says so for 4 seconds, of a duplicate for 5',
  async () => {
    const durationOf = (title: string) =>
      toaster.getVisibleToasts().find(shown => shown.title === title)?.meta?.duration;
    const { api } = openForm();
    await field('Type').selectOptions('Preheader');
    await field('Content').fill('The first one');
    await field('welcome').click();
    await press('Create Email Asset and Continue');
    await says('Email asset created successfully!');
    expect(durationOf('Email asset created successfully!')).toBe(4000);
    await expect.element(field('Content')).toHaveValue('');
    await expect.element(field('Type')).toHaveValue('preheader');
    await says('1 automation(s) selected');
    const taken = 'An email asset with this type and content already exists';
    api.answer({ [POST]: refusal(422, 'Invalid', { value: [taken] }) });
    await field('Content').fill('The first one');
    await press('Create Email Asset and Continue');
    await expect.poll(() => page.getByText(taken).elements()).toHaveLength(2);
    expect(durationOf(taken)).toBe(5000);
  },
);

it('a footer begins with the link to unsubscribe, unless something else was typed', async () => {
  openForm();
  await field('Type').selectOptions('Footer');
  await says(/{{UNSUB_LINK}} is mandatory/);
  await expect.element(field('Content')).toHaveValue(FOOTER);
  await field('Type').selectOptions('Preheader');
  await expect.element(field('Content')).toHaveValue('');
  await field('Content').fill('Bye');
  await field('Type').selectOptions('Footer');
  await expect.element(field('Content')).toHaveValue('Bye');
});

proof('a duplicate begins with name, type, content and status of the other asset', async () => {
  const spring = { ...asset, type: 'cta_text' as const, value: 'Look around', is_active: false };
  const { api } = open('/email-assets', { ...around, [ONE]: { ...assetDetail, emailAsset: spring } });
  await rowAction('Spring', 'Duplicate');
  await shows(heading('Duplicate Email Asset'));
  await expect.element(field('Name')).toHaveValue('Spring (copy)');
  await expect.element(page.getByLabelText('Content', { exact: true })).toHaveValue('Look around');
  await expect.element(checkbox(/^Active/)).not.toBeChecked();
  await field('Content').fill('Look here');
  await press('Create Email Asset');
  await shows(heading('Email Assets'));
  const body = { name: 'Spring (copy)', type: 'cta_text', value: 'Look here', is_active: false };
  expect(api.changes()).toMatchObject([{ body }]);
});

proof('a duplicate is given up by somebody who has gone to another organization meanwhile', async () => {
  const { answer, release } = held<EmailAssetDetail>();
  localStorage.setItem('activeOrganizationId', String(organization.id));
  const { api, router } = open('/email-assets', {
    ...around,
    'GET /api/organizations': [organization, depot],
    [ONE]: answer,
  });
  await rowAction('Spring', 'Duplicate');
  await expect.poll(() => api.count('GET /api/email-assets/e1')).toBe(1);
  await press(`Active organization: ${organization.name}`);
  await menuItem(depot.name).click();
  await shows(button(`Active organization: ${depot.name}`));
  release(assetDetail);
  await press(`Active organization: ${depot.name}`);
  await shows(menuItem(organization.name));
  expect(router.state.location.pathname).toBe('/email-assets');
});

it('automations are linked to an asset by their names, all of them, or by a search', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `a${index}`, name: `number_${index}` }));
  openForm({ 'GET /api/automations-for-assets': many });
  await press('Select All');
  await says('12 automation(s) selected');
  await press('+ 2 more');
  await shows(button('Remove number_11'));
  await press('Deselect All');
  await field('Search automations').fill('zzz');
  await says('No automation matches “zzz”.');
  await field('Search automations').fill('_11');
  await shows(page.getByRole('option', { name: 'number_11' }));
  await keys('{Enter}');
  await shows(button('Remove number_11'));
  await field('Search automations').fill('_2');
  await page.getByRole('option', { name: 'number_2' }).click();
  await says('2 automation(s) selected');
  await press('Remove number_11');
  await expect.element(field('Search automations')).toHaveFocus();
  await keys('{Backspace}');
  await says('0 automation(s) selected');
});

const FOOTER = 'To unsubscribe from these emails, click here: {{UNSUB_LINK}}';
const WRITTEN = {
  'Subject Line': 'Spring is here',
  'Pre-CTA Content': 'Hello',
  'CTA Text': 'Look around',
  'CTA URL': 'https://example.com/',
};
const write = async (texts: Record<string, string> = WRITTEN) => {
  for (const [label, text] of Object.entries(texts)) await field(label).fill(text);
};
const openSet = (answers: Answers = {}, search = '') => open(NEW_SET + search, { ...around, ...answers });

it('an asset set says of each type whether it is optional, and asks for it before anything is sent', async () => {
  const { api } = openSet();
  await expect.element(field('Footer')).toHaveValue(FOOTER);
  const descriptions = Object.values(PARTS).map(label =>
    (field(label).element().ariaDescribedByElements ?? []).map(({ textContent }) => textContent).join(' '),
  );
  expect(descriptions).toEqual([
    '',
    'Optional: shown after the subject in the inbox.',
    '--- on a line of its own is a divider, | between words a table.',
    '',
    '',
    'Optional.',
    'With {{UNSUB_LINK}}: the link by which recipients unsubscribe.',
  ]);
  await press('Create asset set');
  await expect.element(field('Subject Line')).toHaveAccessibleErrorMessage('Subject line is required');
  await expect.element(field('Subject Line')).toHaveFocus();
  expect(api.changes()).toEqual([]);
});

it('an asset set is sent in one call, by keyboard alone, and the list says what became of it', async () => {
  const { answer: reply, release } = held<Response>();
  const { api, router } = openSet({ [SET]: reply });
  await write({ ...WRITTEN, Name: 'Spring', Preheader: ' ' });
  await shows(page.getByRole('group', { name: 'In an inbox' }).getByText('Spring is here'));
  await focus(field('welcome'));
  await keys(' ');
  await focus(field('CTA URL'));
  await keys('{Enter}{Enter}');
  await expect.element(button('Creating...')).toBeDisabled();
  release(created({ created: Array(4).fill(asset), existing: [asset] }));
  await says('4 email assets created, 1 existed already and is linked.');
  await expect.poll(() => router.state.location.pathname).toBe('/email-assets');
  const body = {
    name: 'Spring',
    subject_line: 'Spring is here',
    footer: FOOTER,
    automation_ids: [welcome.id],
  };
  expect(api.changes()).toMatchObject([{ body }]);
});

proof(
  'an asset set that is refused says why at its fields, keeps all texts, and can be sent again',
  async () => {
    const inactive = 'The same email asset exists, but is inactive: activate it first, or change this text.';
    const gone = 'One of the automations does not exist any more';
    const { api, router } = openSet(
      {
        'GET /api/automations/{automation}': { ...automation, id: welcome.id },
        'GET /api/automations/{automation}/forecast': noForecast,
        [SET]: refusal(422, inactive, { footer: [inactive], automation_ids: [gone] }),
      },
      `?automation=${welcome.id}`,
    );
    await write();
    await press('Create asset set');
    await expect.element(field('Footer')).toHaveAccessibleErrorMessage(inactive);
    await expect.element(field('Footer')).toHaveFocus();
    const links = page.getByRole('group', { name: 'Link to Automations' });
    await expect.element(links).toHaveAccessibleDescription(gone);
    await says('Failed to create email assets');
    await expect.element(field('Subject Line')).toHaveValue('Spring is here');
    api.answer({ [SET]: created({ created: Array(5).fill(asset), existing: [] }) });
    await press('Create asset set');
    // Back to the automation that it was written for.
    await shows(heading(automation.name));
    expect(router.state.location.pathname).toBe(`/automations/${welcome.id}`);
  },
);

it('an asset set that would begin to send asks first, about all types that are written', async () => {
  let asked: unknown;
  const more = { emails: 3, people_more: 3, people_fewer: 0 };
  const { api } = openSet(
    {
      'POST /api/content-links/dry-run': ({ body }) => {
        asked = body;
        return { ...noEffect, next_24_hours: more };
      },
    },
    `?automation=${welcome.id}`,
  );
  await write({ ...WRITTEN, 'After-CTA Content': 'See you' });
  await press('Create asset set');
  await says(/^3 people get an email within 24 hours/);
  const kinds = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'after_cta_content', 'footer'];
  expect(asked).toEqual({ kinds, is_active: true, automation_ids: [welcome.id] });
  await pressInDialog('Cancel');
  await isGone(dialog());
  await expect.element(button('Create asset set')).toBeEnabled();
  expect(api.changes()).toEqual([]);
});
