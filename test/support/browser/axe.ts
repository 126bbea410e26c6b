import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on a page, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? help}`),
    );
  });
}
