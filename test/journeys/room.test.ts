import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith } from '../support/browser/members-table.ts';
import { newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('no setting of a list, however long, makes its form wider than the window', async () => {
  const owner = await newMember(stack);
  const domain = `${`${'a'.repeat(60)}.`.repeat(3)}example.com`;
  const list = await newList(stack, owner, { name: 'W'.repeat(100), domain });
  const page = await visit(`/email-lists/${list}/edit`, { ...owner, width: 320 });
  await page.getByText(`Sending keys of ${domain}`).waitFor();
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

it('on a phone, the bar of the selected members does not hide the row that was selected, nor one that is reached by keyboard', async () => {
  const { page } = await listWith(stack, visit, people(12));
  await page.setViewportSize({ width: 390, height: 844 });
  const row = (index: number) => page.getByRole('grid', { name: 'Members' }).locator('tbody tr').nth(index);
  const bar = page.getByRole('region', { name: 'Selected members' });
  await row(3).evaluate(element => element.scrollIntoView({ block: 'end' }));
  await row(3).getByRole('checkbox').check();
  await bar.waitFor();
  const isFree = async (index: number) => {
    const [shown, over] = [await row(index).boundingBox(), await bar.boundingBox()];
    return shown && over && shown.y + shown.height <= over.y;
  };
  await expect.poll(() => isFree(3)).toBe(true);
  await row(3).focus();
  for (const index of [4, 5, 6]) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFree(index)).toBe(true);
  }
});
