import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, query, says, switchTo } from '../support/browser/page.ts';
import { visitLink } from '../support/mail.ts';
import { newMailing } from '../support/mailing.ts';
import { newOrganization } from '../support/organization.ts';
import { sendingOn } from '../support/sending-stack.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);
const MINUTE = 60;

const { faults } = sendingOn(stack);

it('somebody sees who got an email, that it was opened and clicked, what it said, and sends an unknown one again', async () => {
  const mailing = await newMailing(stack);
  await newOrganization(stack, mailing.owner, 'Night post');
  // Else the same person gets another email five minutes later at the earliest.
  await stack.call('PUT /api/safeguards', { ...mailing.as, body: { enabled: false } });
  const [ann, bob] = [await mailing.due(), await mailing.due()];
  await stack.advance(3 * MINUTE);
  const [mail] = await stack.inbox(ann.email);
  for (const path of ['/t/o/', '/t/c/']) {
    const [url = ''] = new RegExp(`https?://[^"\\s]*${path}[\\w-]+`).exec(mail?.html ?? '') ?? [];
    await visitLink(url);
  }
  const eve = await mailing.due();
  await faults({ provider: 'drop_after_accept' });
  await stack.advance(3 * MINUTE);
  await faults({});

  const { token } = mailing.owner;
  const page = await visit('/', { token, organization: mailing.as.organization });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sending Log' }).click();
  await says(page, '3 emails');
  const row = (email: string) => page.getByRole('row').filter({ hasText: email });
  for (const word of [/^Opened /, /^Clicked /]) {
    await row(ann.email).getByText(word).waitFor();
  }
  await row(bob.email).getByText('Sent', { exact: true }).waitFor();

  await page.getByLabel('Status').selectOption('Clicked');
  await says(page, '1 email');
  expect(query(page)).toBe('?status=clicked');
  await row(ann.email)
    .getByRole('link', { name: /^View the email/ })
    .click();
  await says(page, 'This is the email as it was sent.');
  await page.frameLocator('iframe').getByText('Hello Ann, this is number').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: ann.email, exact: true }).hover();
  await page
    .getByRole('dialog', { name: `About ${ann.email}` })
    .getByText('first_name')
    .waitFor();
  await page.mouse.move(0, 0);

  await page.getByLabel('Status').selectOption('Unknown');
  await row(eve.email)
    .getByRole('button', { name: /^Resend the email/ })
    .click();
  await answer(page, 'Resend');
  await row(eve.email)
    .getByText(/It was sent again\./)
    .waitFor();
  const download = page.waitForEvent('download');
  await press(page, 'Export to CSV');
  expect((await download).suggestedFilename()).toMatch(/^sending-log_\d{4}-\d\d-\d\d\.csv$/);

  await page.getByLabel('Status').selectOption('All but skipped');
  await says(page, '3 emails');
  await switchTo(page, 'Night post');
  await says(page, 'No emails have been sent yet.');
});
