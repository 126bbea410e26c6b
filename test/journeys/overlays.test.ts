import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

type Box = { x: number; y: number; width: number; height: number };

async function boxOf(target: Locator): Promise<Box> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('toasts', () => {
  const toasts = (page: Page) => page.locator('[data-scope=toast][data-part=root][data-state=open]');

  it.each([1440, 390])('cover no title, no search and no pager, %i px wide', async width => {
    const page = await visit('/email-lists/nothing', { ...(await newMember(stack)), width });
    await toasts(page).first().waitFor();
    await page.getByRole('heading', { name: 'Email Lists', level: 1 }).waitFor();
    const shown = await boxOf(toasts(page).first());
    const heading = await boxOf(page.getByRole('heading', { level: 1 }));
    expect(overlap(shown, heading)).toBe(false);
    // On a wide screen in the corner at the end of the page.
    if (width === 1440) expect(shown.y).toBeGreaterThan(450);
    else expect(shown.y + shown.height).toBeLessThanOrEqual(heading.y);
  });
});

describe('on a phone', () => {
  it('long entries of the palette and long titles keep their lines apart', async () => {
    const long = 'Depot_of_the_northern_post_district '.repeat(4).trim();
    const { token, home } = await newMember(stack);
    const organizations = [home, { ...home, id: home.id + 1, name: long, is_default: false }];
    const page = await visit('/', { token, width: 390 }, prepared =>
      prepared.route('**/api/organizations', route => route.fulfill({ json: organizations })),
    );
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const search = page.getByRole('dialog').getByRole('button', { name: 'Search' });
    expect(await search.getByText('Ctrl K').isVisible()).toBe(false);
    await search.tap();
    await page.getByRole('option', { name: `Switch to ${long}` }).waitFor();
    const options = await page.getByRole('option').all();
    const boxes = await Promise.all(options.map(boxOf));
    for (const [index, box] of boxes.entries()) {
      const next = boxes[index + 1];
      if (next) expect(box.y + box.height).toBeLessThanOrEqual(next.y + 0.5);
    }
    for (const option of options) {
      expect(await option.evaluate(item => item.scrollHeight <= item.clientHeight)).toBe(true);
    }
  });
});
