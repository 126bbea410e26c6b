import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { table } from '../support/browser/members-table.ts';
import { answer, chosen, says, switchTo } from '../support/browser/page.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);

it('where the storage of the browser is full, everything works, and is forgotten at the next load', async () => {
  const owner = await newMember(stack);
  await newOrganization(stack, owner, 'Depot');
  const list = await newList(stack, owner);
  await addMembers(
    stack,
    owner,
    list,
    people(12).map(person => ({ ...person, plan: 'free' })),
  );
  const { context, open } = await visitor({ ...owner, organization: owner.home.id });
  await (await open('/privacy-policy')).close();
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('It is full.', 'QuotaExceededError');
    };
  });
  const page = await open(`/email-lists/${list}`);
  await page.getByLabel('Rows per page').selectOption('25');
  await page.getByRole('link', { name: 'person0011@' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'plan' }).check();
  await answer(page, 'Show columns');
  await table(page).getByText('free').first().waitFor();
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  await switchTo(page, 'Depot');
  await expect.poll(() => chosen(page)).toBe('Depot');
  await says(page, 'No email lists yet');
});

it('where the storage is blocked, the login says why one cannot sign in', async () => {
  const { email } = await newMember(stack);
  const { context, open } = await visitor();
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('It is blocked.', 'SecurityError');
      },
    });
  });
  const page = await open('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Login Code' }).click();
  await page.route('**/api/login/verify', route => route.fulfill({ json: { token: 'any' } }));
  await page.getByLabel('Login code').fill('ABCDEF');
  await says(
    page,
    'This browser does not let Letterflow store anything, so you cannot be signed in. Allow it in its settings and try again.',
  );
});

it('stored columns that no member can have are not asked for', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'ada@example.com', plan: 'free' }]);
  const membersColumns = JSON.stringify({ [list]: ['__proto__', 'k'.repeat(3000), 'a,b', 'plan'] });
  const page = await visit(`/email-lists/${list}`, { ...owner, stored: { membersColumns } });
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  await table(page).getByText('free').waitFor();
});
