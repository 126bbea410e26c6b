import { element, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
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
    until: text('Combination not found.'),
  },
];
