import { chosen, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
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
      await page.getByText('Placeholders', { exact: true }).click();
      await page.getByLabel('Type', { exact: true }).selectOption('Footer');
      await page.getByLabel('Content', { exact: true }).fill('Bye {{first_name}} {{');
      await press(page, 'Create Email Asset');
      await page.getByText('Footer must contain {{UNSUB_LINK}}').waitFor();
      await page.frameLocator('iframe').getByText('Bye Ada').waitFor();
    },
  },
  {
    name: 'a new asset set that lacks something, with its preview',
    path: '/email-assets/new-set',
    async until(page) {
      await page.getByLabel('Subject Line', { exact: true }).fill('Hello');
      await page.getByLabel('Pre-CTA Content', { exact: true }).fill('Spring is here.');
      await press(page, 'Create Asset Set');
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
];
