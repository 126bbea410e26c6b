import { expect, it, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { DEFAULT_LOOK } from '#shared/email/look.ts';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import {
  automation,
  colleague,
  list,
  member,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import { memberPage, pageOf, person } from '../support/components/members.ts';
import {
  button,
  checkbox,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  leadsTo,
  link,
  press,
  pressInDialog,
  says,
  shows,
  tab,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const ONE = 'GET /api/email-templates/{emailTemplate}';
const PUT = 'PUT /api/email-templates/{emailTemplate}';
const AUTOMATIONS = 'GET /api/automations-for-templates';
const MEMBERS = 'GET /api/organizations/{organization}/members';
const welcome = { id: automation.id, name: automation.name };
const isShown = (name: string) => shows(heading(name));
const create = () => page.getByRole('button', { name: 'Create Email Template', exact: true }).click();

/** The request that created the template. A check of its texts may come after it. */
const createdBy = ({ changes }: ReturnType<typeof open>['api']) =>
  changes().find(({ call }) => call === 'POST /api/email-templates');

const openForm = (answers: Answers = {}) =>
  open('/email-templates/new', {
    [AUTOMATIONS]: [welcome],
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'POST /api/email-templates': Response.json(template, { status: 201 }),
    ...answers,
  });
const openTemplate = (detail: Partial<typeof templateDetail> = {}, answers: Answers = {}) =>
  open('/email-templates/t1', {
    [AUTOMATIONS]: [welcome],
    [ONE]: { ...templateDetail, ...detail },
    ...answers,
  });

const CONTENT = {
  'Template Name': 'Spring',
  'Subject Line': 'Spring is here',
  'Pre-CTA Content': 'Hello',
  'CTA Text': 'Look around',
  'CTA URL': 'https://shop.example.com/spring',
};
async function write(texts: Partial<typeof CONTENT> = CONTENT) {
  for (const [label, text] of Object.entries(texts)) await field(label).fill(text);
}

proof('a new template gets from an example what is empty, but the address of its button', async () => {
  const { api } = openForm({
    'GET /api/email-templates': [template],
    'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en'] },
  });
  await field('Subject Line').fill('Come in');
  await press('Fill in an example');
  await expect.element(field('CTA URL')).toHaveFocus();
  await expect.element(field('Template Name')).toHaveValue('Welcome');
  await field('CTA URL').fill('https://shop.example.com/');
  await create();
  await says('1 template');
  const body = { name: 'Welcome', subject_line: 'Come in', cta_url: 'https://shop.example.com/' };
  expect(createdBy(api)).toMatchObject({ body });
});

it('a new template warns beside a field of what the members of its automations lack', async () => {
  const warning =
    "212 of 300 members have no first_name and no default is given. Write {{first_name | 'friend'}}.";
  const warnings = { subject_line: [warning] };
  const { api } = openForm({ 'POST /api/email-templates-check': { errors: {}, warnings } });
  await checkbox('welcome').click();
  await field('Subject Line').fill('Hello {{first_name}}');
  await expect.element(field('Subject Line')).toHaveAccessibleDescription(warning);
  await expect.element(page.getByRole('status').filter({ hasText: warning })).toBeInTheDocument();
  const body = { subject_line: 'Hello {{first_name}}', automation_ids: [welcome.id] };
  expect(api.changes()).toMatchObject([{ body }]);
  await field('Subject Line').fill('Hello');
  await expect.element(field('Subject Line')).not.toHaveAccessibleDescription(warning);
  await write({ ...CONTENT, 'CTA Text': 'Go, {first_name}' });
  await create();
  await warns('{first_name} is not a placeholder: write {{first_name}}');
  expect(api.changes()).toHaveLength(1);
});

it('a new template is previewed as a member of a list, whose design it has, and mailed so before it is stored', async () => {
  const ann = person('ann', { first_name: 'Ann' });
  const look = { ...DEFAULT_LOOK, accent: '#1d4ed8', address: 'Harbour Street 1' };
  const { api } = openForm({
    ...memberPage(ann),
    'GET /api/email-lists': [list],
    'GET /api/email-lists/{list}/look': { look: null, inherited: look },
    'GET /api/email-lists/{list}/members': ({ query }) => pageOf([ann], query),
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'POST /api/test-emails': refusal(422, 'Invalid', { cta_url: ['CTA URL is required'] }),
  });
  await expect.poll(() => commands.inFrame('Email preview', 'root.textContent')).toContain('The button');
  await field('Subject Line').fill("Hello {{first_name}} of {{city | 'the world'}}, {{email}}");
  const inbox = page.getByRole('group', { name: 'In an inbox' });
  await shows(inbox.getByText('Hello Ada of London, ada@example.com'));
  await expect
    .poll(() => commands.inFrame('Email preview', 'root.textContent'))
    .toContain('Harbour Street 1');
  await field('Preview as').fill('ann');
  await press('ann@example.com Customers');
  await shows(inbox.getByText('Hello Ann of the world, ann@example.com'));
  await press('Send test to me');
  await expect.element(field('CTA URL')).toHaveAccessibleErrorMessage('CTA URL is required');
  api.answer({ 'POST /api/test-emails': { sent_to: 'me@example.com' } });
  await press('Send test to me');
  await says('A test email was sent to me@example.com.');
  const sent = api.changes().findLast(({ call }) => call.endsWith('/test-emails'));
  expect(sent?.body).toMatchObject({ email_list_id: list.id, member: 'ann', metadata: {} });
  await press('As anybody');
  await shows(inbox.getByText('Hello Ada of London, ada@example.com'));
});

it('the toolbar, its keys and the menu of placeholders write at the caret, and undo takes it back', async () => {
  const columns = { columns: ['first_name', 'plan'], values: { first_name: ['Kim'], plan: [] } };
  openForm({
    'GET /api/email-lists': [list],
    'GET /api/email-lists/{list}/metadata-columns': {
      ...columns,
      searched: { members: 1, of: 1, complete: true },
    },
  });
  const text = field('Pre-CTA Content');
  const select = (start: number, end: number) =>
    (text.element() as HTMLTextAreaElement).setSelectionRange(start, end);
  await text.fill('Read this');
  const toolbar = page.getByRole('toolbar', { name: 'Formatting of Pre-CTA Content' });
  select(5, 9);
  await toolbar.getByRole('button', { name: 'Bold' }).click();
  await expect.element(text).toHaveValue('Read **this**');
  await keys('{Control>}i{/Control}');
  await expect.element(text).toHaveValue('Read ***this***');
  await keys('{Control>}z{/Control}');
  await expect.element(text).toHaveValue('Read **this**');
  select(0, 4);
  await focus(text);
  await keys('{Control>}k{/Control}');
  await expect.element(text).toHaveValue('[Read](https://) **this**');
  await keys('shop.example.com');
  await expect.element(text).toHaveValue('[Read](shop.example.com) **this**');
  expect(toolbar.element().getAttribute('aria-controls')).toBe(text.element().id);

  await toolbar.getByRole('button', { name: 'Bold' }).click();
  await focus(toolbar.getByRole('button', { name: 'Bold' }));
  await keys('{ArrowLeft}');
  await expect.element(button('Insert a placeholder into Pre-CTA Content')).toHaveFocus();
  const subject = field('Subject Line');
  await subject.fill('Hi ');
  await press('Insert a placeholder into Subject Line');
  await page.getByRole('menuitem', { name: /^first_name ?Kim/ }).click();
  await expect.element(subject).toHaveValue("Hi {{first_name | ''}}");
  await expect.element(subject).toHaveFocus();
  await keys('you');
  await expect.element(subject).toHaveValue("Hi {{first_name | 'you'}}");
});

proof('“and Continue” empties the form of a template that was created', async () => {
  const { api } = openForm();
  await write();
  await press('Create Email Template and Continue');
  await says('Email template created successfully!');
  await expect.element(field('Subject Line')).toHaveValue('');
  expect(createdBy(api)).toMatchObject({ body: { name: 'Spring', footer: '{{UNSUB_LINK}}' } });
});

proof('a text counts its characters when it gets long, and is refused while it is typed', async () => {
  openForm();
  const subject = field('Subject Line');
  await subject.fill('x'.repeat(203));
  await isGone(page.getByText('of 255'));
  await subject.fill('x'.repeat(204));
  await says('204 of 255 characters');
  await subject.fill('x'.repeat(256));
  await warns('Subject line must be at most 255 characters');
  await subject.fill('x'.repeat(255));
  await isGone(page.getByText('Subject line must be at most 255 characters'));
});

proof(
  'a template is duplicated once, with its automations, also where the browser stores nothing',
  async () => {
    const { id, created_at, is_editable, is_owner, can_edit, automations, ...content } = template;
    const template_data = { ...content, name: 'Welcome (copy)', language_code: 'he' as const };
    const { router } = openTemplate(
      {},
      {
        'POST /api/email-templates/{emailTemplate}/duplicate': {
          template_data: { ...template_data, automation_ids: [welcome.id] },
        },
      },
    );
    await isShown('Welcome');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    await press('Duplicate');
    await says('Ready to create a copy of this template');
    await says(/^This form is filled in with a copy of an existing template\./);
    await expect.element(field('Template Name')).toHaveValue('Welcome (copy)');
    await expect.element(field('Language')).toHaveValue('he');
    await expect.element(checkbox('welcome')).toBeChecked();
    await router.navigate('/email-templates/t1');
    await isShown('Welcome');
    await router.navigate('/email-templates/new');
    await expect.element(field('Template Name')).toHaveValue('');
  },
);

it('a template is renamed, switched off and deleted on its page, which shows it as it was written', async () => {
  let stored = { ...template, is_editable: false, pre_cta_content: 'Two lines,\n\nthe second one.' };
  const { api, router } = openTemplate(
    {},
    {
      [ONE]: () => ({ ...templateDetail, emailTemplate: stored, automations: [welcome] }),
      [PUT]: ({ body: { name = stored.name, is_active = stored.is_active } }) => {
        stored = { ...stored, name, is_active };
        return stored;
      },
      'DELETE /api/email-templates/{emailTemplate}': undefined,
      'GET /api/email-templates': [],
      'GET /api/email-templates-summary': { total: 0, found: 0, languages: [] },
    },
  );
  await says('Locked');
  await tab('Content').click();
  const written = page.getByRole('tabpanel', { name: 'Content' });
  const body = written.getByText(/^Two lines,/);
  await shows(body);
  expect((body.element() as HTMLElement).innerText).toBe(stored.pre_cta_content);
  expect(textsOf('[role=tabpanel] dt')).toHaveLength(5);
  await expect.element(written.getByRole('link')).toHaveAttribute('target', '_blank');
  await shows(link('welcome'));
  await field('Template Name').fill(' ');
  await press('Save');
  await says('Template name is required');
  await field('Template Name').fill('Summer');
  await press('Save');
  await says('Template name updated');
  await isShown('Summer');
  await press('Deactivate');
  await says('Template deactivated successfully!');
  await press('Activate');
  await says('Template activated successfully!');
  await press('Delete');
  await shows(page.getByRole('dialog', { name: 'Confirm Deletion' }));
  await says('Are you sure you want to delete this template? This action cannot be undone.');
  await pressInDialog('Delete');
  await says('Template deleted successfully!');
  await says('No email templates found');
  expect(router.state.location.pathname).toBe('/email-templates');
  expect(api.changes().map(({ body }) => body)).toEqual([
    { name: 'Summer' },
    { is_active: false },
    { is_active: true },
    undefined,
  ]);
});

it('a template that does not exist says so in its place, and leads to the list', async () => {
  open('/email-templates/nothing', { [ONE]: refusal(404) });
  await says("Template not found or you don't have permission to view it.");
  await leadsTo('Back to Email Templates', '/email-templates');
});

it('a template of somebody else is only looked at', async () => {
  const { router } = openTemplate({ is_owner: false, can_edit: false });
  await says('This template is not linked to any automations.');
  const actions = /^((Dea|A)ctivate|Duplicate|Delete|Save|Edit Automations|Transfer ownership)$/;
  expect(page.getByRole('button', { name: actions }).elements()).toEqual([]);
  await router.navigate('/email-templates/t1/edit');
  await says('You cannot edit this template');
});

it('a template that is not theirs is renamed by an admin, who cannot delete it', async () => {
  const { api, router } = openTemplate({ is_owner: false }, { [PUT]: { ...template, name: 'Hello' } });
  await shows(button('Duplicate'));
  await isGone(button('Delete'));
  await router.navigate('/email-templates/t1/edit');
  await says(/^You can edit this template because you are an admin\./);
  await says(/^Templates cannot be edited after creation, so that reporting stays accurate\. Only the name/);
  for (const name of ['Subject Line', 'CTA URL', 'Footer', 'Language']) {
    await expect.element(field(name)).toBeDisabled();
  }
  await field('Template Name').fill('Hello');
  await press('Save Template');
  await says('Email template updated successfully!');
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-templates/t1', body: { name: 'Hello' } }]);
});

proof('a template is handed over by its owner, who then cannot delete it', async () => {
  const handedOver = { ...templateDetail, is_owner: false };
  const grace = { ...colleague, id: '018f0000-0000-7000-8000-000000000002' };
  const page = { next_cursor: null, pending_invitations: [] };
  const { api } = openTemplate({}, { [MEMBERS]: { ...page, members: [member, grace] } });
  api.answer({
    'PUT /api/email-templates/{emailTemplate}/owner': () => {
      api.answer({ [ONE]: handedOver });
      return handedOver;
    },
  });
  await press('Transfer ownership');
  await pressInDialog('Transfer');
  await says('Choose a member of the organization who may edit templates');
  await dialog().getByLabelText('New owner').selectOptions('Grace (grace@example.com)');
  await pressInDialog('Transfer');
  await says('Grace is now the owner of this template.');
  await isGone(button('Transfer ownership'));
  await isGone(button('Delete'));
  await expect.poll(() => document.activeElement?.textContent).toContain('Welcome');
  expect(api.changes()).toMatchObject([{ body: { user_id: grace.id } }]);
  expect(api.count('GET /api/organizations/1/members')).toBe(1);
});

proof('a new owner is chosen from all members, and a page that leads to itself is the last one', async () => {
  const pages = { next_cursor: 'more', pending_invitations: [] };
  const { api } = openTemplate(
    {},
    { [MEMBERS]: ({ query }) => ({ ...pages, members: query.has('cursor') ? [colleague] : [member] }) },
  );
  await press('Transfer ownership');
  const option = dialog().getByRole('option', { name: 'Grace (grace@example.com)' });
  await expect.element(option).toBeInTheDocument();
  expect(api.count('GET /api/organizations/1/members')).toBe(2);
});

proof('the automations of a template are edited in a draft', async () => {
  const options = ['welcome', 'trial_end', 'win_back'].map(name => ({ id: name, name }));
  const { api } = openTemplate({}, { [AUTOMATIONS]: options });
  api.answer({
    'PUT /api/email-templates/{emailTemplate}/automations': () => {
      api.answer({ [ONE]: { ...templateDetail, automations: options } });
      return { ...templateDetail.emailTemplate, automations: options };
    },
  });
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
  expect(api.changes()).toMatchObject([{ body: { automation_ids: options.map(({ id }) => id) } }]);
  await shows(button('Generate Email Preview for win_back'));
});

/** Opens the list, which the server filters by language. */
function openList(rows: EmailTemplateRow[]) {
  const matching = (query: URLSearchParams) =>
    rows.filter(({ language_code }) => query.get('languages')?.split(',').includes(language_code) ?? true);
  return open('/email-templates', {
    [AUTOMATIONS]: [welcome],
    'GET /api/email-templates': ({ query }) => matching(query),
    'GET /api/email-templates-summary': ({ query }) => ({
      total: rows.length,
      found: matching(query).length,
      languages: rows.map(({ language_code }) => language_code),
    }),
  });
}
const inLanguage = (language_code: 'de' | 'en') => ({ ...template, id: language_code, language_code });

it('the list of templates offers with each what the API allows', async () => {
  openList([
    { ...inLanguage('de'), name: 'Own' },
    { ...template, id: 't2', name: 'Editable', is_owner: false },
    { ...template, id: 't3', name: 'Foreign', is_owner: false, can_edit: false },
  ]);
  for (const [name, actions] of [
    ['Own', ['View', 'Duplicate', 'Deactivate', 'Delete']],
    ['Editable', ['View', 'Duplicate', 'Deactivate']],
    ['Foreign', ['View']],
  ] as const) {
    await press(`Actions for ${name}`);
    await expect.poll(() => textsOf('[role=menuitem]')).toEqual(actions);
    await keys('{Escape}');
    await isGone(page.getByRole('menu'));
  }
});

/** Its name says also what is chosen. */
const languages = () => page.getByRole('button', { name: /^Languages/ });

it('a filter counts two choices though the first is not in the address yet', async () => {
  const { router } = openList([inLanguage('de'), inLanguage('en')]);
  await says('2 templates');
  await languages().click();
  await press('Deselect All');
  await says('No templates match your search');
  const boxes = page.getByRole('group', { name: 'Languages' }).getByRole('checkbox').elements();
  for (const box of boxes) (box as HTMLInputElement).click();
  await says('2 templates');
  expect(router.state.location.search).toBe('');
});

it('a filter is chosen by keyboard alone, and gets the focus back', async () => {
  const { router } = openList([inLanguage('de'), inLanguage('en')]);
  await says('2 templates');
  await focus(languages());
  await keys('{Enter}');
  await shows(checkbox('German'));
  await keys('{Tab}{Tab}');
  await expect.element(checkbox('German')).toHaveFocus();
  await keys(' ');
  await says('1 of 2 templates matches');
  await keys('{Escape}');
  await expect.element(languages()).toHaveFocus();
  expect(router.state.location.search).toBe('?languages=en');
});

proof('templates that were found before are not shown as those of a filter that failed', async () => {
  const { api, router } = openList([inLanguage('de'), inLanguage('en')]);
  await says('2 templates');
  api.answer({ 'GET /api/email-templates': DOWN, 'GET /api/email-templates-summary': DOWN });
  await router.navigate('?languages=en');
  await warns('Failed to load email templates');
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
  await shows(page.getByText('2 templates', { exact: true }));
});

it('another wording of a template is saved as its next version, which its page then shows', async () => {
  const made = { ...template, id: 't2', subject_line: 'Come in', version: 2 };
  const versions = [1, 2].map(version => ({
    id: `t${version}`,
    version,
    is_active: version === 2,
    created_at: template.created_at,
  }));
  const { api, router } = open('/email-templates/t1', {
    [AUTOMATIONS]: [welcome],
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    [ONE]: ({ params: { emailTemplate } }) =>
      emailTemplate === 't2' ? { ...templateDetail, emailTemplate: made, versions } : templateDetail,
    'POST /api/email-templates/{emailTemplate}/versions': refusal(409, 'Version 2 has replaced this one.'),
  });
  await link('Edit wording').click();
  await isShown('Edit wording of Welcome');
  await says('Automations use the new wording at once; version 1 stays in reports and in the log.');
  await expect.element(field('Subject Line')).toHaveValue('Welcome aboard');
  await field('Subject Line').fill('Come in');
  await press('Save wording');
  await warns('Version 2 has replaced this one.');
  await expect.element(field('Subject Line')).toHaveValue('Come in');
  api.answer({ 'POST /api/email-templates/{emailTemplate}/versions': Response.json(made, { status: 201 }) });
  await press('Save wording');
  await says('Version 2 was saved.');
  await expect.poll(() => router.state.location.pathname).toBe('/email-templates/t2');
  const saved = api.changes().findLast(({ call }) => call.endsWith('/versions'));
  expect(saved?.body).toMatchObject({ subject_line: 'Come in', footer: template.footer });
  await shows(page.getByText('Version 2', { exact: true }).first());
  await leadsTo('Version 1', '/email-templates/t1');
});

it('another wording of what several automations send says so before, and leads back to where it was asked for', async () => {
  const automations = ['welcome', 'goodbye'].map((name, at) => ({ id: `automation0${at}`, name }));
  const { router } = open('/email-templates/t1/wording?sequence=s1', {
    [AUTOMATIONS]: automations,
    [ONE]: { ...templateDetail, automations },
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'POST /api/email-templates/{emailTemplate}/versions': Response.json(
      { ...template, id: 't2', version: 2 },
      { status: 201 },
    ),
    'GET /api/sequences/{sequence}': refusal(404, 'Sequence not found'),
    'GET /api/sequences': [],
  });
  await says(/^2 automations send this template, and will send the new wording: welcome and goodbye\./);
  await field('Subject Line').fill('Come in');
  await press('Save wording');
  await says('Version 2 was saved.');
  await expect.poll(() => router.state.location.pathname).toBe('/automations/sequences/s1');
});
