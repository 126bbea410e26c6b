import { chosen, element, heading, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'a new automation that would never send',
    path: '/automations/new',
    async until(page) {
      await page.getByLabel('Customers').check();
      await page.getByLabel('How often?').selectOption('days');
      await page.getByLabel('Start after X days').fill('3');
      await page.getByLabel('Stop sending after X days').fill('2');
      await page.getByRole('group', { name: 'Double send' }).getByLabel('1st').check();
      await press(page, 'Save Automation');
      await page.getByText('Please select a trigger column').waitFor();
    },
  },
  {
    name: 'a new automation with a fixed time and days off',
    path: '/automations/new',
    async until(page) {
      await page.getByLabel('Time of day').selectOption('fixed');
      await page.getByLabel('Time zone').selectOption('member');
      await page.getByLabel('Days off').selectOption('other');
      await page.getByLabel('Dates off').fill('2030-12-24');
      await press(page, 'Add date');
      for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
        await page.getByRole('checkbox', { name: day }).check();
      await page.getByLabel('Send at').fill('25');
      await press(page, 'Save Automation');
      await page.getByText('Leave at least one day of the week').waitFor();
    },
  },
  {
    name: 'a new automation with conditions',
    path: ({ list }) =>
      `/automations/new?list=${list}&audience={"any":[{"field":"signed_up_at","op":"before","value":{"days_ago":3}}]}`,
    async until(page) {
      await press(page, 'Add condition');
      await page.getByLabel('Column').last().selectOption('Another column');
      await press(page, 'Save Automation');
      await page.getByText('Condition 2: enter a column').waitFor();
    },
  },
  {
    name: 'automations',
    path: '/automations?columns=sending,sent,lists',
    async until(page) {
      await page.getByRole('button', { name: '1 list' }).first().hover();
      await page.getByRole('tooltip', { name: 'Customers' }).waitFor();
    },
  },
  {
    name: 'no automations',
    path: '/automations?search=nothing',
    until: text('No automations match your search'),
  },
  {
    name: 'an automation that was deactivated',
    path: '/automations',
    until: chosen('welcome', 'Deactivate', text('welcome is inactive: it sends nothing.')),
  },
  {
    name: 'the forecast of all automations',
    path: ({ automation }) => `/automations/${automation}`,
    who: 'colleague',
    async until(page) {
      await page.route('**/api/forecast', async route => {
        const response = await route.fetch();
        const { days, ...rest } = await response.json();
        const sampled = { people: 10_000, of: 45_210, margin: 120 };
        const json = {
          ...rest,
          days: days.map((day: object) => ({ ...day, count: 3, skipped: 2 })),
          sampled,
        };
        await route.fulfill({ response, json });
      });
      await page.getByRole('tab', { name: 'All automations' }).click();
      await page.getByText('Due, but not sent').waitFor();
    },
  },
  {
    name: 'linking content to an automation',
    path: ({ automation }) => `/automations/${automation}?open=content`,
    until: element('checkbox', /^Welcome/),
  },
  {
    name: 'simulating an automation',
    path: ({ automation }) => `/automations/${automation}?open=simulation`,
    until: text(/^Nothing will be sent: /),
  },
  {
    name: 'simulating an automation that fails',
    path: ({ automation }) => `/automations/${automation}`,
    async until(page) {
      await page.route('**/simulate', route => route.fulfill({ status: 502, body: '' }));
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Simulate' }).click();
      await text('Failed to simulate automation. Please try again.')(page);
    },
  },
  {
    name: 'an automation that does not exist',
    path: '/automations/a1b2c3d4e5f6',
    until: text('Automation not found'),
  },
  {
    name: 'email assets that a search does not find',
    path: '/email-assets?search=nothing&status=active',
    until: text('No assets match your search'),
  },
  { name: 'deleting an email asset', path: '/email-assets', until: chosen('[Pre-CTA Content]', 'Delete') },
  {
    name: 'a new email asset, with its preview',
    path: '/email-assets/new',
    async until(page) {
      await page.getByLabel('Type', { exact: true }).selectOption('Footer');
      await page.getByLabel('Content', { exact: true }).fill('Bye {{first_name}} {{');
      await press(page, 'Create Email Asset');
      await page.getByText('Footer must contain {{UNSUB_LINK}}').waitFor();
      await page.frameLocator('iframe').getByText('Bye Ada').waitFor();
      await page.getByLabel('Insert a placeholder into Content').click();
      await page.getByRole('menuitem', { name: /^UNSUB_LINK/ }).waitFor();
    },
  },
  {
    name: 'a new asset set that lacks something, with its preview',
    path: '/email-assets/new-set',
    async until(page) {
      await page.getByLabel('Subject Line', { exact: true }).fill('Hello');
      await page.getByLabel('Pre-CTA Content', { exact: true }).fill('Spring is here.');
      await press(page, 'Create asset set');
      await page.getByText('CTA text is required').waitFor();
      await page.frameLocator('iframe').getByText('Spring is here.').waitFor();
    },
  },
  {
    name: 'the plain text of an email asset',
    path: '/email-assets/new',
    async until(page) {
      await page.getByRole('tab', { name: 'Plain Text View' }).click();
      await page.getByRole('region', { name: 'Plain text' }).waitFor();
    },
  },
  {
    name: 'the automations of an email asset',
    path: ({ asset }) => `/email-assets/${asset}`,
    until: pressed('Edit', text('1 automation(s) selected')),
  },
  {
    name: 'the preview of an automation',
    path: ({ asset }) => `/email-assets/${asset}`,
    async until(page) {
      await press(page, 'Generate Email Preview for welcome');
      await page.getByRole('dialog').frameLocator('iframe').getByText('Hello').waitFor();
    },
  },
  {
    name: 'an email asset that does not exist',
    path: '/email-assets/a1b2c3d4e5f6',
    until: text(/^Email asset not found/),
  },
  {
    name: 'no email templates',
    path: '/email-templates?search=nothing',
    until: text('No templates match your search'),
  },
  {
    name: 'the languages of email templates',
    path: '/email-templates',
    async until(page) {
      await page.getByRole('button', { name: 'Languages' }).click();
      await page.getByRole('checkbox', { name: 'English' }).waitFor();
    },
  },
  { name: 'deleting an email template', path: '/email-templates', until: chosen('Welcome', 'Delete') },
  {
    name: 'a new email template',
    path: '/email-templates/new',
    async until(page) {
      await press(page, 'Create Email Template');
      await page.getByText('Template name is required').waitFor();
      await page.getByRole('complementary', { name: 'Preview' }).locator('iframe').waitFor();
    },
  },
  {
    name: 'an email template, as a user sees it',
    path: ({ template }) => `/email-templates/${template}`,
    who: 'colleague',
    until: heading('Welcome'),
  },
  {
    name: 'an email template, as it was written',
    path: ({ template }) => `/email-templates/${template}`,
    async until(page) {
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.getByRole('button', { name: /^CTA Text: / }).click();
      await page.getByRole('tooltip').waitFor();
    },
  },
  {
    name: 'the automations of an email template',
    path: ({ template }) => `/email-templates/${template}`,
    until: pressed('Edit Automations', text('2 automation(s) selected')),
  },
  {
    name: 'a new owner of an email template',
    path: ({ template }) => `/email-templates/${template}`,
    async until(page) {
      await press(page, 'Transfer ownership');
      await page.getByLabel('New owner').waitFor();
    },
  },
  {
    name: 'an email template that does not exist',
    path: '/email-templates/a1b2c3d4e5f6',
    until: text("Template not found or you don't have permission to view it."),
  },
];
