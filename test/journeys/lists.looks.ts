import { chosen, element, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

const FILE = 'email,Ends on,Plan\nann@example.com,01/02/2030,basic\nnobody,05/06/2030,pro\n';
const rows = (page: Parameters<Look['until']>[0], status: string) =>
  page.getByRole('grid', { name: 'Sending log' }).getByText(status).first().waitFor();

export const looks: Look[] = [
  {
    name: 'adding a member to a list',
    path: ({ list }) => `/email-lists/${list}/members/new`,
    async until(page) {
      await press(page, 'Add metadata');
      await page.getByLabel('Value').fill('2026-03-01');
      await press(page, 'Add member');
      await page.getByText('Key is required').waitFor();
    },
  },
  {
    name: 'selected members',
    path: ({ list }) => `/email-lists/${list}?status=subscribed&sort=created_at`,
    async until(page) {
      await page.getByLabel('Select ada@example.com').check();
      await page.getByText('1 selected').waitFor();
    },
  },
  {
    name: 'a filter of the members',
    path: ({ list }) => `/email-lists/${list}?audience={"all":[{"field":"signed_up_at","op":"set"}]}`,
    async until(page) {
      await page.getByText('Members for whom signed_up_at is set').waitFor();
      await press(page, 'Filter');
      await press(page, 'Add group');
      await press(page, 'Show members');
      await page.getByText('Condition 2: choose a column').waitFor();
    },
  },
  {
    name: 'the columns of the members',
    path: ({ list }) => `/email-lists/${list}`,
    async until(page) {
      await press(page, 'Columns');
      await page.getByRole('dialog').getByText('signed_up_at').waitFor();
    },
  },
  {
    name: 'editing metadata',
    path: ({ listMember }) => `/list-members/${listMember}`,
    until: chosen('signed_up_at', 'Edit'),
  },
  {
    name: 'a new email list',
    path: '/email-lists/new',
    until: pressed('Create list', text('List name is required')),
  },
  {
    name: 'the example of the API',
    path: ({ list }) => `/email-lists/${list}?open=example`,
    until: element('tab', 'curl'),
  },
  {
    name: 'the settings of a list',
    path: ({ list }) => `/email-lists/${list}?tab=settings`,
    until: text('Unsubscribe (English)'),
  },
  {
    name: 'the date columns of a list',
    path: ({ list }) => `/email-lists/${list}?tab=date-columns`,
    until: text('signed_up_at'),
  },
  {
    name: 'where Mailgun reports to',
    path: ({ list }) => `/email-lists/${list}?tab=mailgun-events`,
    async until(page) {
      await page.getByText('How to set it up').click();
      await page.getByText('webhook signing key', { exact: true }).waitFor();
    },
  },
  {
    name: 'the unsubscribe webhooks of a list',
    path: ({ list }) => `/email-lists/${list}?tab=unsubscribe-webhooks`,
    until: text('https://example.com/hooks'),
  },
  {
    name: 'a new webhook',
    path: ({ list }) => `/email-lists/${list}?tab=unsubscribe-webhooks`,
    async until(page) {
      await press(page, 'Create webhook');
      await press(page, 'Add header');
      await page.getByLabel('Header value').fill('lion');
      await press(page, 'Create');
      await page.getByText('Header key is required').waitFor();
    },
  },
  {
    name: 'the deliveries of a webhook',
    path: ({ list }) => `/email-lists/${list}?tab=unsubscribe-webhooks`,
    until: chosen('Shop', 'Deliveries', text('The endpoint failed or was slow for days')),
  },
  { name: 'deleting an email list', path: '/email-lists', until: chosen('Customers', 'Delete') },
  {
    name: 'the import of a file',
    path: ({ list }) => `/email-lists/${list}/import`,
    async until(page) {
      const buffer = Buffer.from(FILE);
      await page.getByLabel('Choose a file').setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer });
      await page.getByLabel('How they agreed to get emails').fill('Sign-up form');
      await press(page, 'Check the file');
      await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    },
  },
  {
    name: 'the report, as a user sees it',
    path: '/reporting',
    who: 'colleague',
    until: element('row', 'Welcome'),
  },
  { name: 'the report by names of combinations', path: '/reporting?group=name', until: text('1 name') },
  {
    name: 'no combination that matches',
    path: '/reporting?search=nothing',
    until: text('No combinations match your search criteria.'),
  },
  {
    name: 'the dates of a report',
    path: '/reporting',
    async until(page) {
      await page.getByLabel('End date').fill('');
      await press(page, 'Generate Report');
      await page.getByText('Please select both start and end dates').waitFor();
      await press(page, 'Choose in a calendar');
      await page.getByRole('application', { name: 'Calendar' }).waitFor();
    },
  },
  {
    name: 'what a column of the report means',
    path: '/reporting',
    async until(page) {
      await page.getByRole('button', { name: /^Value\/Send: / }).click();
      await page.getByRole('tooltip').waitFor();
    },
  },
  {
    name: 'the parts of a combination',
    path: ({ template }) => `/reporting/combinations/${template}`,
    async until(page) {
      await page.getByRole('tab', { name: 'Parts' }).click();
      await page.getByText('Look around').waitFor();
    },
  },
  {
    name: 'how value is reported',
    path: ({ template }) => `/reporting/combinations/${template}`,
    until: pressed('API', element('dialog', 'Report value by API')),
  },
  {
    name: 'a combination that does not exist',
    path: '/reporting/combinations/a1b2c3d4e5f6',
    until: text('Combination not found'),
  },
  {
    name: 'the card of a recipient',
    path: '/sending-log',
    async until(page) {
      await page.getByRole('button', { name: 'ada@example.com', exact: true }).first().click();
      await page.getByRole('link', { name: 'View member' }).waitFor();
    },
  },
  {
    name: 'an email of the log',
    path: '/sending-log?status=clicked',
    async until(page) {
      await page
        .getByRole('link', { name: /^View the email/ })
        .first()
        .click();
      await page.getByText('This preview is built on demand').waitFor();
    },
  },
  {
    name: 'sending an email again',
    path: '/sending-log?status=unknown',
    async until(page) {
      await page.getByRole('button', { name: /^Resend the email/ }).click();
      await page.getByText('they get it twice').waitFor();
    },
  },
  {
    name: 'the log, as a user sees it, with all filters',
    path: ({ list, automation, template }) =>
      `/sending-log?status=sent&list=${list}&automation=${automation}&combination=${template}&from=2020-01-01`,
    who: 'colleague',
    until: page => rows(page, 'Clicked'),
  },
  { name: 'what was skipped', path: '/sending-log?status=skipped', until: page => rows(page, 'Skipped') },
  {
    name: 'no emails that match',
    path: '/sending-log?search=nobody@example.com',
    until: text('No emails match your search'),
  },
];
