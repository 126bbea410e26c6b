import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newShop } from '../support/answering.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);
const MINUTE = 60;

const cells = async (page: Page, table: string) =>
  (
    await page.getByRole('grid', { name: table }).locator('tbody tr').first().locator('td').allInnerTexts()
  ).map(text => text.split('\n')[0]);

it('what was sent, opened, clicked and worth something is in the report, on the page of its combination and in the log', async () => {
  const mailing = await newMailing(stack, {
    content: { cta_url: `${await newShop()}?combination={{template_combination_id}}` },
  });
  // Else the same person gets another email five minutes later at the earliest.
  await stack.call('PUT /api/safeguards', { ...mailing.as, body: { enabled: false } });
  const ann = await mailing.due();
  await stack.advance(3 * MINUTE);

  const inbox = await (await visitor()).open('/_local/inbox');
  await inbox.getByPlaceholder('Only mails to…').fill(ann.email);
  await inbox.getByRole('link', { name: 'Welcome aboard' }).click();
  const opened = inbox.context().waitForEvent('page');
  await inbox.frameLocator('iframe').getByRole('link', { name: 'Look around' }).click();
  const landed = await opened;
  await landed.getByRole('heading', { name: 'The shop' }).waitFor();
  const combination = new URL(landed.url()).searchParams.get('combination') ?? '';

  await mailing.due();
  await stack.advance(3 * MINUTE);

  const { token } = mailing.owner;
  const body = { name: 'shop', expiration: null };
  const program = {
    ...mailing.as,
    token: (await stack.call('POST /api/tokens', { token, body })).body.token,
  };
  const order = { emailTemplateCombinationId: combination, eventId: 'order-1', value: 49.9 };
  for (const is_repeated of [false, true]) {
    expect((await stack.call('POST /api/v1/value', { ...program, body: order })).body).toMatchObject({
      is_repeated,
    });
  }

  // The clock of the stack is ahead of that of the browser.
  const day = (await mailing.inSeconds(0)).slice(0, 10);
  const before = new Date(Date.parse(day) - 24 * 60 * MINUTE * 1000).toISOString().slice(0, 10);
  const page = await visit(`/reporting?from=${before}&to=${day}`, {
    token,
    organization: mailing.as.organization,
  });
  const automation = (await stack.call('GET /api/automations', mailing.as)).body[0].name;
  const counted = ['Welcome', automation, '2', '50.0%', '50.0%'];
  await expect
    .poll(async () => {
      await press(page, 'Generate Report');
      return (await cells(page, 'Combinations')).slice(0, counted.length);
    })
    .toEqual(counted);
  const download = page.waitForEvent('download');
  await press(page, 'Export to CSV');
  expect((await download).suggestedFilename()).toBe(`email-combinations-report_${before}_to_${day}.csv`);

  await page.getByRole('row', { name: 'Welcome' }).getByText('49.90', { exact: true }).click();
  await page.getByRole('heading', { name: 'Template: Welcome', level: 1 }).waitFor();
  const summary = page.getByLabel('Performance Summary');
  for (const text of ['49.90', '24.9500 per send']) await summary.getByText(text, { exact: true }).waitFor();
  await says(page, 'Recent Sends (2 of 2)');
  const recent = page.getByRole('grid', { name: 'Recent Sends' });
  expect((await recent.getByRole('row', { name: ann.email }).innerText()).match(/Yes/g)).toEqual([
    'Yes',
    'Yes',
  ]);
  const { data } = (await stack.call('GET /api/email-sends', mailing.as)).body;
  const clicked = data.filter((send: { is_clicked: boolean }) => send.is_clicked);
  expect(clicked).toMatchObject([{ recipient_email: ann.email, is_opened: true }]);

  await page.getByRole('link', { name: 'Back to Report' }).click();
  await page.getByRole('heading', { name: 'Email Asset Reporting', level: 1 }).waitFor();
  expect((await cells(page, 'Combinations')).slice(0, counted.length)).toEqual(counted);
});
