import type { Page } from 'playwright-core';

type Shifted = { value: number; what: string };
declare global {
  interface Window {
    shifts: Shifted[];
  }
}

/** Until the page has painted what it shows now. */
const painted = (page: Page) =>
  page
    .evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    .catch(() => undefined);

/**
 * Before a page is opened: notes the layout shifts that no input caused, and answers the calls of the API one after
 * the other, each after what is shown without it was painted.
 */
export async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    window.shifts = [];
    const observer = new PerformanceObserver(list => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.textContent?.slice(0, 20)}: ${previousRect.y} to ${currentRect.y}`,
        );
        window.shifts.push({ value, what: `${value.toFixed(3)}: ${moved.join(', ')}` });
      }
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // Not by a route of Playwright, which would load all scripts of each page anew.
    const call = window.fetch;
    let before: Promise<unknown> = Promise.resolve();
    window.fetch = async (...request) => {
      before = before.then(
        () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await before;
      return call(...request);
    };
  });
}

/** What has moved until now belongs to another page. */
export async function forgetShifts(page: Page) {
  await painted(page);
  await page.evaluate(() => {
    window.shifts = [];
  });
}

/** Cumulative Layout Shift of the page so far, and what moved. */
export async function shifts(page: Page): Promise<{ total: number; what: string[] }> {
  await painted(page);
  const all = await page.evaluate(() => window.shifts);
  return { total: all.reduce((sum, { value }) => sum + value, 0), what: all.map(({ what }) => what) };
}
