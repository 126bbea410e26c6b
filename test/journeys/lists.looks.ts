import { chosen, element, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
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
];
