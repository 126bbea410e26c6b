import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { plainOf } from '#shared/csv.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fact, press, says } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { rowsIn } from '../support/csv-cells.ts';
import { items, textOf } from '../support/items.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

async function saved(page: Page, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

async function choose(page: Page, action: string) {
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

it('a list is exported, read back, and can be imported again; then a person is exported and erased, and nothing of them is found', async () => {
  const mailing = await newMailing(stack, { lists: 2, content: { subject_line: 'Hello {{nick}}' } });
  const { as, list, lists, owner } = mailing;
  const email = newAddress('reader');
  const metadata = { due: await mailing.inSeconds(60), nick: '=Edelweiss', points: -7 };
  const id = await mailing.add(email, metadata);
  await mailing.add(email, { nick: 'Edelweiss' }, lists[1]);
  await mailing.add(newAddress('colleague'), { 'x-y': "'=1", note: 'two\r\nlines, "quoted"' });
  await stack.advance(3 * 60);

  const page = await visit(`/email-lists/${list}`, owner);
  const csv = await saved(page, () => press(page, 'Export to CSV'));
  await says(page, 'The file has 3 members.');
  const [header = [], ...rows] = rowsIn(csv.text.replace(/^\ufeff/, '')).map(row => row.map(plainOf));
  expect(csv.name).toMatch(/^Readers 0_\d{4}-\d\d-\d\d\.csv$/);
  expect(header).toEqual('email is_subscribed suppression created_at due nick note points x-y'.split(' '));
  const members = rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at]])));
  expect(members.find(one => one.email === email)).toMatchObject({
    is_subscribed: 'true',
    nick: '=Edelweiss',
    due: metadata.due,
    points: '-7',
    note: '',
  });
  expect(members.find(one => one['x-y'])).toMatchObject({ 'x-y': "'=1", note: 'two\r\nlines, "quoted"' });

  await page.goto(`/email-lists/${list}/import`);
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: csv.name, mimeType: 'text/csv', buffer: Buffer.from(csv.text) });
  await page.getByLabel('How they agreed to get emails').fill('They were members before');
  await press(page, 'Check the file');
  await expect.poll(() => fact(page, 'Unchanged members').innerText()).toBe('3');

  await page.goto(`/list-members/${id}`);
  await page.getByRole('heading', { name: email, level: 1 }).waitFor();
  const json = await saved(page, () => choose(page, 'Export data'));
  const person = JSON.parse(json.text);
  expect(person).toMatchObject({ email, emails: [{ status: 'sent', subject: 'Hello =Edelweiss' }] });
  expect(person.memberships).toHaveLength(2);

  await choose(page, 'Erase person…');
  await page.getByLabel(`Type “${email}” to confirm`).fill(email);
  await press(page, 'Erase person');
  await says(page, `${email} was erased.`);
  await page.waitForURL(`**/email-lists/${list}`);
  await stack.fetchJson('POST', '/_local/drain');
  const left = textOf(await items(stack));
  expect(left).not.toContain(email);
  expect(left).not.toContain('Edelweiss');
  expect((await mailing.log()).map(({ end, recipient }) => [end, recipient])).toEqual([['sent', 'Deleted']]);
  for (const of of lists) {
    const { body } = await stack.call('GET /api/email-lists/{list}', { ...as, params: { list: of } });
    expect(body.members_count).toBe(of === list ? 2 : 0);
  }

  await page.goto('/access-control');
  await page
    .getByRole('grid', { name: 'Changes' })
    .getByText(/^Erased a person/)
    .waitFor();
  await page.getByLabel('Address of a person').fill(email);
  const proof = await saved(page, () => press(page, 'Export data'));
  expect(JSON.parse(proof.text)).toMatchObject({
    erased_at: expect.any(String),
    emails: [],
    memberships: [],
  });
  await page.getByLabel('Address of a person').fill(newAddress('nobody'));
  await press(page, 'Erase person…');
  await says(page, 'Nothing is stored about this address in the organization.');
});
