import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import type { Answers } from '../support/components/api.ts';
import {
  ada,
  automation,
  colleague,
  member,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import {
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  press,
  pressInDialog,
  says,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const welcome = { id: automation.id, name: automation.name };
const NEW = { 'GET /api/automations-for-templates': [welcome] };
const isShown = (name: string) => expect.element(heading(name)).toBeVisible();
const checkbox = (name: string) => page.getByRole('checkbox', { name });

const openTemplate = (detail: Partial<typeof templateDetail> = {}, answers: Answers = {}) =>
  open('/email-templates/t1', {
    ...NEW,
    'GET /api/email-templates/{emailTemplate}': { ...templateDetail, ...detail },
    ...answers,
  });

/** The list, which searches and filters as the server does. */
function openList(rows: EmailTemplateRow[], path = '/email-templates') {
  const matching = (query: URLSearchParams) =>
    rows.filter(
      ({ subject_line, language_code, automations }) =>
        subject_line.includes(query.get('search') ?? '') &&
        (query.get('languages')?.split(',').includes(language_code) ?? true) &&
        (query
          .get('automations')
          ?.split(',')
          .some(id => automations.some(one => one.id === id)) ??
          true),
    );
  return open(path, {
    ...NEW,
    'GET /api/email-templates': ({ query }) => matching(query),
    'GET /api/email-templates-summary': ({ query }) => ({
      total: rows.length,
      found: matching(query).length,
      languages: [...new Set(rows.map(({ language_code }) => language_code))],
    }),
  });
}

const CONTENT = {
  'Template Name': 'Spring',
  'Subject Line': 'Spring is here',
  'Pre-CTA Content': 'Hello',
  'CTA Text': 'Look around',
  'CTA URL': 'https://shop.example.com/spring?{{utm_tags_template_id}}',
};

it('a template is validated before it is sent', async () => {
  const { api } = open('/email-templates/new', NEW);
  await field('Template Name').fill('  ');
  await field('Footer').fill('Bye');
  await page.getByRole('button', { name: 'Create Email Template', exact: true }).click();
  for (const text of [
    'Template name is required',
    'Subject line is required',
    'Pre-CTA content is required',
    'CTA text is required',
    'CTA URL is required',
    'Footer must include {{UNSUB_LINK}} placeholder',
  ]) {
    await warns(text);
  }
  await field('CTA URL').fill('https://shop.example.com/{{utm_tags_automation_id}}');
  await warns(
    "CTA URL must include a '?' symbol before the UTM tags, e.g. https://shop.example.com?{{utm_tags_template_id}}",
  );
  await field('CTA URL').fill('javascript:alert(1)');
  await warns('CTA URL must be a web address that begins with https:// or http://');
  expect(api.changes()).toEqual([]);
});

it('an example fills in what is empty, and leaves the address of the button to write', async () => {
  const { api } = open('/email-templates/new', {
    ...NEW,
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'POST /api/email-templates': Response.json(template, { status: 201 }),
    'GET /api/email-templates': [template],
    'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en'] },
  });
  await field('Subject Line').fill('Come in');
  await press('Fill in an example');
  await expect.element(field('CTA URL')).toHaveFocus();
  await expect.element(field('Template Name')).toHaveValue('Welcome');
  await expect.element(field('Subject Line')).toHaveValue('Come in');
  await keys('https://shop.example.com/');
  await page.getByRole('button', { name: 'Create Email Template', exact: true }).click();
  await expect
    .poll(() => api.changes().find(({ call }) => call === 'POST /api/email-templates')?.body)
    .toMatchObject({ name: 'Welcome', subject_line: 'Come in', cta_url: 'https://shop.example.com/' });
  await says('1 template');
});

it('what is written is checked for the members of the chosen automations, and warned of beside the field', async () => {
  const warning = '212 of 300 members have no first_name and no default is given.';
  const { api } = open('/email-templates/new', {
    ...NEW,
    'POST /api/email-templates-check': { errors: {}, warnings: { subject_line: [warning] } },
    'POST /api/email-templates': Response.json(template, { status: 201 }),
  });
  await field('Subject Line').fill('Hello');
  await checkbox('welcome').click();
  await field('Subject Line').fill('Hello {{first_name}}');
  await expect.element(field('Subject Line')).toHaveAccessibleDescription(warning);
  await expect.element(page.getByRole('status').filter({ hasText: warning })).toBeInTheDocument();
  expect(api.changes()).toMatchObject([
    { body: { subject_line: 'Hello {{first_name}}', automation_ids: [welcome.id] } },
  ]);
  await field('Subject Line').fill('Hello');
  await expect.element(field('Subject Line')).toHaveAccessibleDescription('Required.');
  for (const [label, text] of Object.entries(CONTENT)) await field(label).fill(text);
  await field('CTA Text').fill('Go, {first_name}');
  await page.getByRole('button', { name: 'Create Email Template', exact: true }).click();
  await warns('{first_name} is not a placeholder: write {{first_name}}');
  expect(api.changes()).toHaveLength(1);
});

it('what is written is previewed as a member of the chosen automations', async () => {
  const ann = { id: 'l1-ann', email: 'ann@example.com', list_name: 'Customers' };
  open('/email-templates/new', {
    ...NEW,
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'GET /api/automations/{automation}/preview-members': [ann],
    'GET /api/list-members/{listMember}': {
      ...ada,
      metadata: [{ key: 'first_name', type: 'string', value: 'Ann' }],
    },
  });
  await field('Subject Line').fill("Hello {{first_name}} of {{city | 'the world'}}, {{email}}");
  const inbox = page.getByRole('group', { name: 'In an inbox' });
  await expect.element(inbox.getByText('Hello Ada of London, ada@example.com')).toBeVisible();
  await checkbox('welcome').click();
  await field('Preview as').fill('ann');
  await page.getByRole('button', { name: 'ann@example.com Customers' }).click();
  await expect.element(inbox.getByText('Hello Ann of the world, ann@example.com')).toBeVisible();
  await press('As anybody');
  await expect.element(inbox.getByText('Hello Ada of London, ada@example.com')).toBeVisible();
});

it('“and Continue” empties the form of a template that was created', async () => {
  const { api } = open('/email-templates/new', {
    ...NEW,
    'POST /api/email-templates': Response.json(template, { status: 201 }),
  });
  for (const [label, text] of Object.entries(CONTENT)) await field(label).fill(text);
  await press('Create Email Template and Continue');
  await says('Email template created successfully!');
  await expect.element(field('Subject Line')).toHaveValue('');
  expect(api.changes()).toMatchObject([{ body: { name: 'Spring', footer: '{{UNSUB_LINK}}' } }]);
});

const { id, created_at, is_editable, is_owner, can_edit, automations, ...content } = template;
const copy = {
  template_data: {
    ...content,
    name: 'Welcome (copy)',
    language_code: 'he' as const,
    automation_ids: [welcome.id],
  },
};

it.each([
  ['', () => {}],
  [
    ', also where the browser stores nothing',
    () =>
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('Full', 'QuotaExceededError');
      }),
  ],
])('a template is duplicated with its automations, once%s', async (_, prepare) => {
  const { router } = openTemplate({}, { 'POST /api/email-templates/{emailTemplate}/duplicate': copy });
  await isShown('Welcome');
  prepare();
  await press('Duplicate');
  await says('Ready to create a copy of this template');
  await says(/^This form is filled in with a copy of an existing template\./);
  await expect.element(field('Template Name')).toHaveValue('Welcome (copy)');
  await expect.element(field('Language')).toHaveValue('he');
  await expect.element(checkbox('welcome')).toBeChecked();
  expect(localStorage.getItem('templateData')).toBeNull();
  await router.navigate('/email-templates/t1');
  await isShown('Welcome');
  await router.navigate('/email-templates/new');
  await expect.element(field('Template Name')).toHaveValue('');
});

it('a user only looks at a template', async () => {
  const { router } = openTemplate({ is_owner: false, can_edit: false });
  await says('This template is not linked to any automations.');
  for (const name of [
    /^(Dea|A)ctivate$/,
    'Duplicate',
    'Delete',
    'Save',
    'Edit Automations',
    'Transfer Ownership',
  ]) {
    await isGone(page.getByRole('button', { name }));
  }
  await router.navigate('/email-templates/t1/edit');
  await says('You cannot edit this template');
});

it('an admin renames a template that is not theirs, and cannot delete it', async () => {
  const { api, router } = openTemplate(
    { is_owner: false },
    { 'PUT /api/email-templates/{emailTemplate}': { ...template, name: 'Hello' } },
  );
  await expect.element(button('Duplicate')).toBeVisible();
  await isGone(button('Delete'));
  await router.navigate('/email-templates/t1/edit');
  await says(/^You can edit this template because you are an admin\./);
  for (const name of ['Subject Line', 'Pre-CTA Content', 'CTA URL', 'Footer', 'Language']) {
    await expect.element(field(name)).toBeDisabled();
  }
  await field('Template Name').fill('Hello');
  await press('Save Template');
  await says('Email template updated successfully!');
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-templates/t1', body: { name: 'Hello' } }]);
});

it('the owner hands a template over to another member, and then cannot delete it', async () => {
  const handedOver = { ...templateDetail, is_owner: false };
  const grace = { ...colleague, id: '018f0000-0000-7000-8000-000000000002' };
  const { api } = openTemplate(
    {},
    {
      'GET /api/organizations/{organization}/members': {
        members: [member, grace],
        next_cursor: null,
        pending_invitations: [],
      },
      'PUT /api/email-templates/{emailTemplate}/owner': () => {
        api.answer({ 'GET /api/email-templates/{emailTemplate}': handedOver });
        return handedOver;
      },
    },
  );
  await press('Transfer Ownership');
  await pressInDialog('Transfer');
  await says('Choose a member of the organization');
  await dialog().getByLabelText('New owner').selectOptions('Grace (grace@example.com)');
  await pressInDialog('Transfer');
  await says('Grace is now the owner of this template.');
  await isGone(button('Transfer Ownership'));
  await isGone(button('Delete'));
  await expect.poll(() => document.activeElement?.textContent).toContain('Welcome');
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-templates/t1/owner', body: { user_id: grace.id } }]);
});

it('the automations of a template are edited in a draft', async () => {
  const names = ['welcome', 'trial_end', 'win_back'];
  const options = names.map(name => ({ id: name, name }));
  const { api } = openTemplate(
    {},
    {
      'GET /api/automations-for-templates': options,
      'PUT /api/email-templates/{emailTemplate}/automations': () => {
        api.answer({
          'GET /api/email-templates/{emailTemplate}': { ...templateDetail, automations: options },
        });
        return { automations: options };
      },
    },
  );
  await press('Edit Automations');
  await checkbox('welcome').click();
  await press('Cancel');
  await says('This template is not linked to any automations.');
  await press('Edit Automations');
  await expect.element(checkbox('welcome')).not.toBeChecked();
  await press('Select All');
  await says('3 automation(s) selected');
  await press('Save Changes');
  await says('Automations updated successfully!');
  expect(api.changes()).toMatchObject([{ body: { automation_ids: names } }]);
  await expect.element(button('Generate Email Preview for win_back')).toBeVisible();
});

/** Its name says also what is chosen. */
const filter = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const numbered: EmailTemplateRow[] = ['de', 'en', 'fr'].map((code, at) => ({
  ...template,
  id: `t${at}`,
  name: `Number ${at}`,
  language_code: code as 'de' | 'en' | 'fr',
  subject_line: at === 1 ? 'A special offer' : 'Hello',
  automations: at === 2 ? [welcome] : [],
}));
const shown = () => [...document.querySelectorAll('td.primary')].map(({ textContent }) => textContent);

it('the list is searched and filtered by the server, and says so in its address', async () => {
  const { router } = openList(numbered);
  const query = () => router.state.location.search;
  await says('3 templates');
  await field('Search by name or subject').fill('special');
  await says('1 of 3 templates matches');
  await expect.poll(shown).toEqual(['Number 1']);
  expect(query()).toBe('?search=special');
  await filter('Languages').click();
  await page.getByRole('dialog', { name: 'Languages' }).getByRole('checkbox', { name: 'English' }).click();
  await keys('{Escape}');
  await says('No templates match your search');
  await press('Clear search and filters');
  await says('3 templates');
  await filter('Automations').click();
  await page.getByRole('dialog', { name: 'Automations' }).getByRole('checkbox', { name: 'welcome' }).click();
  await keys('{Escape}');
  await says('1 of 3 templates matches');
  await expect.poll(shown).toEqual(['Number 2']);
});

it('the list shows what its address says', async () => {
  openList(numbered, '/email-templates?search=special');
  await says('1 of 3 templates matches');
});

it('two choices of a filter count of which the first is not in the address yet', async () => {
  const { router } = openList(numbered.slice(0, 3));
  await says('3 templates');
  await filter('Languages').click();
  await press('Deselect All');
  await says('No templates match your search');
  const boxes = page.getByRole('group', { name: 'Languages' }).getByRole('checkbox').elements();
  for (const box of boxes.slice(0, 2)) (box as HTMLInputElement).click();
  await expect.poll(() => router.state.location.search).toMatch(/^\?languages=\w+%2C\w+$/);
});

it('several languages are chosen by keyboard alone, and the focus comes back', async () => {
  const { router } = openList(numbered.slice(0, 2));
  await says('2 templates');
  await focus(filter('Languages'));
  await keys('{Enter}');
  await expect.element(checkbox('German')).toBeVisible();
  await keys('{Tab}{Tab}');
  await expect.element(checkbox('German')).toHaveFocus();
  await keys(' ');
  await says('1 of 2 templates matches');
  await keys('{Escape}');
  await expect.element(filter('Languages')).toHaveFocus();
  expect(router.state.location.search).toBe('?languages=en');
  await keys('{Enter}');
  await press('Deselect All');
  await says('No templates match your search');
  await press('Select All');
  await says('2 templates');
  expect(router.state.location.search).toBe('');
});
