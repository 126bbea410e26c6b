import { chosen, heading, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
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
    until: pressed('Edit Automations', text('1 automation(s) selected')),
  },
  {
    name: 'a new owner of an email template',
    path: ({ template }) => `/email-templates/${template}`,
    async until(page) {
      await press(page, 'Transfer Ownership');
      await page.getByLabel('New owner').waitFor();
    },
  },
  {
    name: 'an email template that does not exist',
    path: '/email-templates/a1b2c3d4e5f6',
    until: text("Template not found or you don't have permission to view it."),
  },
];
