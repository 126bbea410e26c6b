import type { Page } from 'playwright-core';

type Shifted = { value: number; what: string };
declare global {
  interface Window {
    shifts: Shifted[];
  }
}

/** Waits until the page has painted its present state. */
const painted = (page: Page) =>
  page
    .evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    .catch(() => undefined);

/**
 * Must be called before a page is opened: records layout shifts that no input has caused. Responses of the API arrive one
 * after another, each after the state before it was painted.
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
    // A route of Playwright would disable the cache of scripts.
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

/** Forgets the shifts so far, which belong to another page. */
export async function forgetShifts(page: Page) {
  await painted(page);
  await page.evaluate(() => {
    window.shifts = [];
  });
}

/** The Cumulative Layout Shift of the page so far, and the elements that moved. */
export async function shifts(page: Page): Promise<{ total: number; what: string[] }> {
  await painted(page);
  const all = await page.evaluate(() => window.shifts);
  return { total: all.reduce((sum, { value }) => sum + value, 0), what: all.map(({ what }) => what) };
}
