// Its types add page and context to those of a command.
import type {} from '@vitest/browser-playwright';
import type { BrowserContext, Request } from 'playwright-core';
import type { BrowserCommand } from 'vitest/node';

type Watched = { left: string[]; refused: string[] };

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    /**
     * Puts back what a test may have changed: closes opened tabs, ends `watchRequests`, moves the pointer to the corner of the
     * page, where no element reacts to it, and makes a key the last thing pressed.
     */
    resetPage: () => Promise<void>;
    repeatKey: (key: string) => Promise<void>;
    /** Moves the mouse to a point of the page, and clicks there. */
    clickAt: (x: number, y: number) => Promise<void>;
    /** From now on, requests to other hosts are answered with an image, and recorded. */
    watchRequests: () => Promise<void>;
    /** The recorded requests to other hosts, those that the browser blocked, and the opened tabs. */
    requests: () => Promise<Watched & { tabs: string[] }>;
    /** Returns what a tab knows about the page that opened it, and closes the tab. */
    closeTab: (url: string) => Promise<unknown>;
    /** Evaluates an expression about `root`, the document of a frame that cannot run scripts. */
    inFrame: (title: string, expression: string) => Promise<unknown>;
  }
}

const ELSEWHERE = /^https?:\/\/(?!localhost:)/;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const watched = new WeakMap<BrowserContext, Watched & { end: () => Promise<void> }>();

const resetPage: BrowserCommand<[]> = async ({ context, page }) => {
  await Promise.all(context.pages().map(tab => tab !== page && tab.close()));
  await watched.get(context)?.end();
  await page.mouse.move(0, 0);
  // After a click, an element that a script focuses would have no :focus-visible. In a new page it has.
  await page.keyboard.press('Shift');
};

const repeatKey: BrowserCommand<[string]> = ({ page }, key) => page.keyboard.down(key);

const clickAt: BrowserCommand<[number, number]> = ({ page }, x, y) => page.mouse.click(x, y);

const watchRequests: BrowserCommand<[]> = async ({ context }) => {
  const seen: Watched = { left: [], refused: [] };
  const refuse = (request: Request) => void seen.refused.push(request.url());
  context.on('requestfailed', refuse);
  await context.route(ELSEWHERE, route => {
    seen.left.push(route.request().url());
    return route.fulfill({ contentType: 'image/png', body: PICTURE });
  });
  const end = () => {
    watched.delete(context);
    context.off('requestfailed', refuse);
    return context.unroute(ELSEWHERE);
  };
  watched.set(context, { ...seen, end });
};

const requests: BrowserCommand<[]> = async ({ context }) => {
  const { left = [], refused = [] } = watched.get(context) ?? {};
  const tabs = context.pages().map(tab => tab.url());
  return { left, refused, tabs: tabs.filter(url => ELSEWHERE.test(url)) };
};

const closeTab: BrowserCommand<[string]> = async ({ context }, url) => {
  const tab = context.pages().find(one => one.url() === url);
  const known = await tab?.evaluate('[window.opener, document.referrer]');
  await tab?.close();
  return known;
};

const inFrame: BrowserCommand<[string, string]> = ({ iframe }, title, expression) =>
  iframe
    .frameLocator(`iframe[title="${title}"]`)
    .locator('html')
    .evaluate(new Function('root', `return ${expression}`) as () => unknown);

export const commands = { resetPage, repeatKey, clickAt, watchRequests, requests, closeTab, inFrame };
