import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '#shared/organization.ts';
import type { Answers } from '../support/components/api.ts';
import {
  ada,
  assetDetail,
  assetRow,
  attention,
  automation,
  broadcast,
  firstSteps,
  keyedList,
  list,
  noForecast,
  organization,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import { fakeMembers, memberImport, memberPage } from '../support/components/members.ts';
import { button, heading, isGone, keys, press, says, shows, textsOf } from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';
import { extent } from '../support/prove.ts';

const spring = { ...ada, metadata: [{ key: 'plan', type: 'string' as const, value: 'pro' }] };
const rights = { can_edit: false, is_owner: false };
const mine = { ...template, ...rights };

const answers = (role: Role): Answers => ({
  'GET /api/organizations': [{ ...organization, role }],
  ...fakeMembers([spring]).answers,
  ...memberPage(spring),
  'GET /api/email-lists': [list],
  'GET /api/email-lists/{list}': { ...keyedList, members_count: 1 },
  'GET /api/email-lists/{list}/imports': [],
  'GET /api/automations': [automation],
  'GET /api/automations/{automation}': automation,
  'GET /api/automations/{automation}/forecast': noForecast,
  'GET /api/broadcasts': [broadcast],
  'GET /api/broadcasts/{broadcast}': broadcast,
  'GET /api/broadcasts/{broadcast}/forecast': {
    people: 3,
    emails: 2,
    no_match: 1,
    days: 1,
    not_sent: {},
    not_subscribed: 0,
    sampled: null,
    counted_share: 1,
  },
  'GET /api/automations-for-assets': [],
  'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 } as never,
  'GET /api/email-assets/{emailAsset}': assetDetail,
  'GET /api/email-templates': [role === 'VIEWER' ? mine : template] as never,
  'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en'] },
  'GET /api/email-templates/{emailTemplate}':
    role === 'VIEWER' ? { ...templateDetail, emailTemplate: mine, ...rights } : templateDetail,
  'GET /api/first-steps': firstSteps('list'),
  'GET /api/attention': {
    ...attention,
    notices: [{ ...attention.notices[0], kind: 'no_list', id: 'a1', name: 'welcome' }] as never,
  },
});

/** A page, its last text, and exactly what a user is offered there and a viewer is not. */
const PAGES: [path: string, until: string, ...changes: string[]][] = [
  [
    '/',
    'Needs attention',
    'Dismiss',
    'Create an email template',
    'Create an automation',
    'Connect a list: welcome',
    'Create list',
  ],
  ['/email-lists', list.name, 'Create list', 'Actions for Customers'],
  [
    '/email-lists/l1',
    ada.email,
    'Deactivate',
    'Edit',
    'Import CSV',
    'Add member',
    'More actions',
    'Select all on this page',
    'Select ada@example.com',
    'Actions for ada@example.com',
  ],
  [
    `/email-lists/l1?audience=${encodeURIComponent('{"all":[{"field":"plan","op":"is","value":"pro"}]}')}`,
    ada.email,
    'Deactivate',
    'Edit',
    'Import CSV',
    'Add member',
    'More actions',
    'Use as condition of a new automation',
    'Select all on this page',
    'Select ada@example.com',
    'Actions for ada@example.com',
  ],
  ['/email-lists/l1/import', 'No imports yet', 'Choose a file'],
  ['/list-members/m1', 'plan', 'Unsubscribe', 'Add metadata', 'Actions for plan'],
  ['/automations', automation.name, '+ New sequence', '+ New Automation'],
  [
    '/automations/a1',
    'Details',
    'Link content',
    'More actions',
    'Connect a list',
    '+ New Email Template',
    '+ New asset set',
  ],
  ['/broadcasts', broadcast.name, 'New broadcast', 'Actions for Spring sale'],
  ['/broadcasts/B00000000001', '2 people get it.', 'Duplicate', 'Edit broadcast', 'Send now', 'More actions'],
  ['/email-templates', template.name, '+ New Email Template'],
  [
    '/email-templates/t1',
    'Linked Automations',
    'Delete',
    'Duplicate',
    'Deactivate',
    'Edit',
    'Edit wording',
    // The name, which is loaded later.
    '',
    'Save',
    'Edit Automations',
    'Transfer ownership',
  ],
  ['/email-assets', 'Spring', '+ New Email Asset', '+ New asset set'],
  [
    '/email-assets/e1',
    'Used in Automations',
    'Delete Asset',
    'Duplicate',
    'Edit wording',
    'Deactivate',
    'Edit',
  ],
];

const offered = () => [
  ...new Set(
    [...document.querySelectorAll<HTMLElement>('main :is(a, button, input)')].map(
      one => one.getAttribute('aria-label') ?? one.innerText.trim(),
    ),
  ),
];

/** Their buttons have another text while their choices load. */
const loadingFilters = () => document.querySelectorAll('main [aria-haspopup=dialog]:disabled').length;

/** Every third page is looked at in each run. */
const some = <Page,>(pages: Page[]) =>
  extent(
    pages.filter((_, at) => at % 3 === 0),
    pages,
  );

it.each(some(PAGES))('%s offers a viewer nothing that changes something', async (path, until, ...changes) => {
  const { api, router } = open(path, answers('USER'));
  await shows(page.getByText(until, { exact: true }).first());
  await expect
    .poll(() => [changes.filter(change => !offered().includes(change)), loadingFilters()])
    .toEqual([[], 0]);
  const toUser = offered();
  api.answer(answers('VIEWER'));
  await reload(router);
  await shows(page.getByText(until, { exact: true }).first());
  await expect.poll(() => toUser.filter(text => !offered().includes(text))).toEqual(changes);
  await isGone(page.getByText(/^Choose a file above/));
});

const none = { data: [], current_page: 1, last_page: 1, total: 0, found: 0 } as never;
const EMPTY: Answers = {
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/sequences': [],
  'GET /api/broadcasts': [],
  'GET /api/email-templates': [],
  'GET /api/email-templates-summary': { total: 0, found: 0, languages: [] },
  'GET /api/email-assets': none,
};

it.each([
  ['/email-lists', 'No email lists yet'],
  ['/automations', "You don't have any automations yet."],
  ['/broadcasts', 'No broadcasts yet'],
  ['/email-templates', 'No email templates found'],
  ['/email-assets', 'No email assets found'],
])('%s offers a viewer nothing to create where there is nothing', async (path, title) => {
  open(path, { ...answers('VIEWER'), ...EMPTY });
  await shows(page.getByText(title, { exact: true }));
  expect(offered().filter(text => /New|Create/.test(text))).toEqual([]);
});

it.each(
  some([
    '/email-lists/new',
    '/email-lists/l1/edit',
    '/email-lists/l1/members/new',
    '/automations/new',
    '/automations/a1/edit',
    '/automations/sequences/new',
    '/automations/sequences/s1/edit',
    '/broadcasts/new',
    '/broadcasts/B00000000001/edit',
    '/email-templates/new',
    '/email-templates/t1/edit',
    '/email-assets/new',
    '/email-assets/new-set',
  ]),
)('%s says to a viewer who may change something', async path => {
  open(path, answers('VIEWER'));
  await shows(heading('You can view this organization, but not change it'));
  await says('To change something, please contact an admin or owner.');
});

proof('the menus and commands of a viewer only read', async () => {
  const { router } = open('/email-templates', {
    ...answers('VIEWER'),
    'GET /api/email-lists/{list}/imports': [{ ...memberImport, state: 'running' }],
  });
  await press('Actions for Welcome');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['View']);
  await keys('{Escape}');
  await router.navigate('/email-lists/l1/import');
  await press('Actions for people.csv');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Show its members']);
  await keys('{Escape}');
  await router.navigate('/email-lists/l1');
  await shows(heading(list.name));
  await keys('{Control>}k{/Control}');
  await shows(page.getByRole('option', { name: template.name }));
  expect(textsOf('[role=option]').filter(text => /^(Add|Import CSV|Edit|API example)/.test(text))).toEqual(
    [],
  );
  await keys('{Escape}');
  await router.navigate('/list-members/m1');
  await press('More actions');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Export data']);
  await keys('{Escape}');
  await router.navigate('/automations');
  await press('Actions for welcome');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Simulate sending volume']);
  await keys('{Escape}');
  await router.navigate('/automations/a1');
  await shows(heading('Details'));
  await shows(button('Simulate'));
  await keys('{Control>}k{/Control}');
  await shows(page.getByRole('option', { name: 'Simulate sending volume' }));
  await shows(page.getByRole('option', { name: template.name }));
  expect(
    textsOf('[role=option]').filter(text => /^(New|Edit|Link|Deactivate|Create list)/.test(text)),
  ).toEqual([]);
});
