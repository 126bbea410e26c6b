import { type Look, text } from '../support/browser/look.ts';

const rows = (page: Parameters<Look['until']>[0], status: string) =>
  page.getByRole('grid', { name: 'Sending log' }).getByText(status).first().waitFor();

export const looks: Look[] = [
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
        .getByRole('button', { name: /^View the email/ })
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
