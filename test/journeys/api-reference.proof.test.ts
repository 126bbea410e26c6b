import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('from the API example one reaches the reference, creates a token, and runs what is copied', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}?open=example`, owner);
  await page.getByRole('dialog').getByRole('link', { name: 'API reference' }).click();
  const call = page.locator('#upsertListMembers');
  await call.getByRole('tab', { name: 'JavaScript' }).click();
  await press(page, 'Create token');
  await page.getByLabel('Token name').fill('reference');
  await press(page, 'Create');
  stack.mustNotBeLogged((await page.locator('[data-secret]').textContent()) ?? '');
  await answer(page, 'Close');
  await call.getByRole('button', { name: 'Copy example' }).click();
  await call.getByText('Copied').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const file = join(mkdtempSync(join(resolve('.tmp'), 'reference-')), 'example.mjs');
  writeFileSync(file, text.replace('LIST_ID', list));
  const { stdout } = await promisify(execFile)('node', [file]);
  expect(JSON.parse(stdout).results).toMatchObject([{ status: 'created' }, { status: 'created' }]);
});

it.each([
  ['/llms.txt', 'text/plain; charset=utf-8', '(/reference/upsertListMembers.md)'],
  [
    '/reference/upsertListMembers.md',
    'text/markdown; charset=utf-8',
    '# POST /api/v1/email-lists/{list}/members',
  ],
])('%s is there for programs', async (path, type, text) => {
  const found = await fetch(new URL(path, stack.url()));
  expect([found.status, found.headers.get('content-type')]).toEqual([200, type]);
  expect(await found.text()).toContain(text);
});
