import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fact, press, rowAction, says } from '../support/browser/page.ts';
import { linesIn } from '../support/csv-cells.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visitor } = sharedBrowser(stack.url);

const ROWS = 2_000;
/** Refusing a row costs nothing. */
const isWrong = (row: number) => row % 20 > 0;
const file = {
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Email;Plan;Ends on',
      ...Array.from({ length: ROWS }, (_, row) => {
        const email = isWrong(row) ? `person ${row}` : `person${row}@example.com`;
        return `${email};"basic; ${row % 7}";${String((row % 28) + 1).padStart(2, '0')}.12.2030`;
      }),
    ].join('\r\n'),
  ),
};
const choose = (page: Page) => page.getByLabel('Choose a file').setInputFiles(file);

it('a file of 2,000 rows is imported in two tabs, one after the other, and undone', {
  timeout: 600_000,
}, async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const { open } = await visitor(owner);
  const members = async () => {
    await stack.fetchJson('POST', '/_local/drain');
    const { token, home } = owner;
    const { body } = await stack.call('GET /api/email-lists/{list}', {
      token,
      organization: home.id,
      params: { list },
    });
    return body.members_count;
  };

  const first = await open(`/email-lists/${list}`);
  await first.getByRole('link', { name: 'Import CSV' }).first().click();
  await choose(first);
  await says(first, '2,000 rows, 3 columns, separated by semicolons, UTF-8');
  await first.getByText('Dates such as 01.12.2030').waitFor();
  await first.getByLabel('Dates of Ends on').selectOption('Convert, day first');
  await first.getByLabel('How they agreed to get emails').fill('Sign-up form');
  await press(first, 'Check the file');
  await first.getByRole('button', { name: 'Import 100 rows' }).waitFor();
  expect(await fact(first, 'New members').innerText()).toBe('100');
  expect(await fact(first, 'Refused rows').innerText()).toBe('1,900');
  await first
    .getByRole('row', { name: '3 Enter a valid email address Email person 1', exact: true })
    .waitFor();
  expect(await members()).toBe(0);

  let calls = 0;
  const later = { status: 429, headers: { 'retry-after': '60' }, json: { message: 'Too many calls' } };
  await first.route('**/rows', route => (++calls > 3 ? route.fulfill(later) : route.continue()));
  await press(first, 'Import 100 rows');
  await says(first, '1,500 of 2,000 rows imported');
  await first.close();

  const second = await open(`/email-lists/${list}`);
  await second.getByRole('link', { name: 'Continue the import' }).click();
  await second.getByText('1,500 of 2,000 rows of people.csv are imported').waitFor();
  await choose(second);
  await press(second, 'Continue the import');
  await second.getByRole('heading', { name: 'Result' }).waitFor();
  expect(await fact(second, 'New members').innerText()).toBe('100');
  expect(await members()).toBe(100);
  const [download] = await Promise.all([second.waitForEvent('download'), press(second, 'Save refused rows')]);
  const refused = linesIn(readFileSync(await download.path(), 'utf8'));
  expect(refused.length).toBe(1_901);
  expect(refused.at(-1)).toBe('person 1999,basic; 4,12.12.2030,Email: Enter a valid email address');

  await rowAction(second, 'people.csv', 'Undo');
  await second.getByRole('dialog').getByRole('button', { name: 'Remove members' }).click();
  await second.getByText('100 members removed').first().waitFor();
  expect(await members()).toBe(0);
});
