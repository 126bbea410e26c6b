import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('the API example is complete: as it is copied, with a token, it adds members', async () => {
  const owner = await newMember(stack);
  const body = { name: 'example', expiration: null };
  const { token } = (await stack.call('POST /api/tokens', { token: owner.token, body })).body;
  stack.mustNotBeLogged(token);
  const page = await visit(`/email-lists/${await newList(stack, owner)}`, owner);
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'API example' }).click();
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('curl').focus();
  for (const name of ['JavaScript', 'Python', 'PHP', 'curl']) {
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: `Example in ${name}` }).waitFor();
    expect(await tab(name).evaluate(element => element === document.activeElement)).toBe(true);
  }
  const directory = mkdtempSync(join(resolve('.tmp'), 'example-'));
  const run = async (name: string, file: string, command: string) => {
    await tab(name).click();
    const panel = page.getByRole('tabpanel', { name });
    await panel.getByRole('button', { name: /Copy|Copied/ }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    writeFileSync(join(directory, file), text.replace('<YOUR_API_TOKEN>', token));
    return (await promisify(execFile)(command, [join(directory, file)])).stdout;
  };
  expect(await run('JavaScript', 'example.mjs', 'node')).toMatch(
    /ada@[^}]*"created"[\s\S]*grace@[^}]*"created"/,
  );
  expect(await run('curl', 'example.sh', 'sh')).toMatch(/"unchanged"[\s\S]*"unchanged"/);
  const listing = page.getByRole('region', { name: 'Example that gets the email lists' });
  const text = (await listing.textContent()) ?? '';
  writeFileSync(join(directory, 'lists.sh'), text.replace('<YOUR_API_TOKEN>', token));
  const { stdout } = await promisify(execFile)('sh', [join(directory, 'lists.sh')]);
  expect(JSON.parse(stdout)).toMatchObject([{ id: page.url().match(/email-lists\/([^?]+)/)?.[1] }]);
  await page.reload();
  await press(page, 'Close');
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('row', { name: 'signed_up_at Date Mar 1, 2026' }).waitFor();
});
