import { chosen, element, type Look, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'automations',
    path: '/automations',
    async until(page) {
      await page.getByRole('button', { name: '1 list' }).hover();
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
      await press(page, 'Simulate');
      await text('Failed to simulate automation. Please try again.')(page);
    },
  },
  {
    name: 'an automation that does not exist',
    path: '/automations/a1b2c3d4e5f6',
    until: text('Automation not found'),
  },
];
