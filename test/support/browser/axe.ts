import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

// The main file of the package is twice as large, and each inspected page has to compile it.
const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** The rules whose outcome depends on the theme. */
export const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** The faults that axe finds on a page, one per line. If rules are given, only these are checked. */
export async function accessibilityFaults(page: Page, runOnly?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(async rules => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // The frames of this app run no script: axe would wait half a second for each.
      iframes: false,
      ...(rules && { runOnly: rules }),
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? help}`),
    );
  }, runOnly);
}
